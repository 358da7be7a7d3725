import { SaxesParser } from 'saxes'

interface Listing {
  files: { key: string; bytes: number; storedAt: Date }[]
  /** Where the next page begins; undefined on the last. */
  next: string | undefined
}

/** One page of ListObjectsV2. */
export function readListing(xml: string): Listing {
  const listing: Listing = { files: [], next: undefined }
  const parser = new SaxesParser()
  let text = ''
  let object: Record<string, string> = {}
  parser.on('opentag', ({ name }) => {
    text = ''
    if (name === 'Contents') object = {}
  })
  parser.on('text', more => {
    text += more
  })
  parser.on('closetag', ({ name }) => {
    if (name === 'NextContinuationToken') listing.next = text
    else if (name !== 'Contents') object[name] = text
    else {
      const { Key: key = '', Size: size, LastModified: time = '' } = object
      listing.files.push({ key, bytes: Number(size), storedAt: new Date(time) })
    }
  })
  parser.write(xml).close()
  return listing
}
