import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../db/database.ts'
import { isHeic, type Picture, preparePicture, randomName } from '../files/images.ts'
import { mediaPath } from '../files/routes.ts'
import { discard, type Storage } from '../files/storage.ts'
import type { Upload } from '../files/upload.ts'
import { accepting, type Uploads } from '../files/uploads.ts'
import { requestVariants } from '../files/variants.ts'
import { cleanText, lengthOf, type Reading } from '../lib/fields.ts'
import { failInto, type Issue, issue } from '../lib/issue.ts'
import { avifNames } from '../lib/photo-sizes.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { MB } from '../lib/sizes.ts'
import { type Image, listImages, type NewImage, tooManyImages } from './images.ts'
import { type Change, changeImages, lockOwn } from './service.ts'
import { findListing, type ListingName, type ListingRow } from './store.ts'

export const PHOTO_BYTES = 15 * MB
/** Per form. All of them are in memory at once; scripts send them one by one. */
export const PHOTOS_PER_FORM = 12
export const ALT_MAX = 200

const SIZES = { full: { maxSide: 2_048, quality: 82 }, thumb: { maxSide: 640, quality: 74 } }

type Photo = Picture<keyof typeof SIZES>

const imageOf = ({ names }: Photo): NewImage => ({
  kind: 'upload',
  url: mediaPath(names.full),
  thumb: mediaPath(names.thumb),
})

async function discardImages(files: Storage, images: Image[]): Promise<void> {
  const names = images
    .filter(image => image.kind === 'upload')
    .flatMap(({ url, thumb }) => [url, thumb])
    .map(path => path.slice(mediaPath('').length))
    .flatMap(name => (name.endsWith('-full.webp') ? [name, ...avifNames(name.slice(0, 32))] : [name]))
  await discard(files, 'media', names)
}

/**
 * The end of a photo's name, by which one that is sent again is recognized; the beginning cannot be guessed. Of the listing, so that
 * nobody learns that two show the same file.
 */
const markOf = (listingId: string, bytes: Buffer): string =>
  createHash('sha256').update(listingId).update(bytes).digest('hex').slice(0, 12)

const nameWith = (mark: string): string => randomName().slice(0, -mark.length) + mark

/** One that is sent again keeps its place, so a retry is harmless. */
const isKnown = (existing: Image[], mark: string): boolean =>
  existing.some(({ kind, url }) => kind === 'upload' && url.endsWith(`${mark}-full.webp`))

/** By mark, those that the listing does not have. Hashing a form of 180 MB at once would hold up everybody. */
async function unknownOf(listingId: string, existing: Image[], sent: Upload[]): Promise<Map<string, Upload>> {
  const unknown = new Map<string, Upload>()
  for (const upload of sent) {
    const mark = markOf(listingId, upload.bytes)
    if (!isKnown(existing, mark)) unknown.set(mark, upload)
    await setImmediate()
  }
  return unknown
}

interface Added {
  added: number
  /** Sent again. */
  known: number
  /** Names of unreadable files. */
  refused: string[]
  /** Some are HEIC, the iPhone format. */
  heic: boolean
}

/** Adds the readable photos and returns the names of the others. */
export async function addPhotos(
  { db, uploads }: { db: Db; uploads: Uploads },
  agentId: string,
  listingId: string,
  sent: Upload[],
): Promise<Added> {
  const before = await listImages(db, listingId)
  const unknown = await unknownOf(listingId, before, sent)
  // Files beyond the limit are not decoded.
  refuseIfAny(tooManyImages([...before, ...unknown.keys()]))
  const readable: { mark: string; photo: Photo }[] = []
  const refused: Upload[] = []
  // Sequential: several large images at once would starve other requests of memory and CPU.
  for (const [mark, upload] of unknown) {
    const photo = await preparePicture(upload.bytes, SIZES, agentId, nameWith(mark))
    if (photo) readable.push({ mark, photo })
    else refused.push(upload)
  }
  const added = await accepting(db, uploads, agentId, async (tx, keep) => {
    const listing = await lockOwn(tx, agentId, listingId)
    const existing = await listImages(tx, listing.id)
    const photos = readable.filter(({ mark }) => !isKnown(existing, mark)).map(({ photo }) => photo)
    const wanted = [...existing, ...photos.map(imageOf)]
    refuseIfAny(tooManyImages(wanted))
    await changeImages(tx, listing, { existing, wanted, via: 'portal' })
    for (const photo of photos) await keep('media', photo)
    await requestVariants(
      tx,
      photos.map(({ id }) => id),
    )
    return photos.length
  })
  return {
    added,
    known: sent.length - refused.length - added,
    refused: refused.map(({ fileName }) => fileName),
    heic: refused.some(({ bytes }) => isHeic(bytes)),
  }
}

interface Arrangement {
  /** Ids in the new order; missing ones follow in their current order. */
  order: string[]
  remove: string[]
  /** By id. */
  alts: Map<string, string>
}

export async function arrangePhotos(
  deps: { db: Db; files: Storage },
  agentId: string,
  listingId: string,
  { order, remove, alts }: Arrangement,
): Promise<void> {
  await rearrange(deps, agentId, listingId, { via: 'portal' }, existing =>
    inOrder(existing, order)
      .filter(image => !remove.includes(image.id))
      .map(image => ({ ...image, alt: altOf(alts.get(image.id) ?? image.alt) })),
  )
}

export function orderImages(
  deps: { db: Db; files: Storage },
  agentId: string,
  name: ListingName,
  { sent, ...change }: Change & { sent: Reading<{ order?: string[] | null | undefined }> },
): Promise<ListingRow> {
  const { order } = sent.value
  return rearrange(deps, agentId, name, change, existing => {
    const missing = 'order' in sent.value ? [] : [issue('order', 'required')]
    refuseIfAny([...sent.issues, ...missing, ...orderIssues(existing, order ?? [])])
    return inOrder(existing, order ?? [])
  })
}

function orderIssues(existing: Image[], order: string[]): Issue[] {
  const issues: Issue[] = []
  for (const [index, id] of order.entries()) {
    const fail = failInto(issues, 'order', { index })
    if (!existing.some(image => image.id === id)) fail('unknown_image')
    else if (order.indexOf(id) < index) fail('repeated')
  }
  return issues
}

export function removeImage(
  deps: { db: Db; files: Storage },
  agentId: string,
  name: ListingName,
  imageId: string,
  change: Change,
): Promise<ListingRow> {
  return rearrange(deps, agentId, name, change, existing => {
    const left = existing.filter(image => image.id !== imageId.toLowerCase())
    if (left.length === existing.length) throw new Problem('not_found')
    return left
  })
}

const inOrder = (images: Image[], order: string[]): Image[] => {
  const place = ({ id }: Image) => (order.includes(id) ? order.indexOf(id) : order.length)
  return images.toSorted((a, b) => place(a) - place(b))
}

/** Stores the images as `arranged`; the files of those left out are deleted. */
async function rearrange(
  { db, files }: { db: Db; files: Storage },
  agentId: string,
  name: ListingName,
  { via, check }: Change,
  arranged: (existing: Image[]) => Image[],
): Promise<ListingRow> {
  const { row, removed } = await db.transaction().execute(async tx => {
    const listing = await lockOwn(tx, agentId, name, check)
    const existing = await listImages(tx, listing.id)
    const wanted = arranged(existing)
    await changeImages(tx, listing, { existing, wanted, via })
    const removed = existing.filter(({ id }) => !wanted.some(image => image.id === id))
    return { row: await findListing(tx, listing.id), removed }
  })
  // After the commit: an orphaned file wastes space, a missing file breaks a page.
  await discardImages(files, removed)
  return row
}

function altOf(text: string | null): string | null {
  const clean = cleanText(text ?? '')
  if (lengthOf(clean) > ALT_MAX) {
    throw new Problem('validation', { issues: [issue('alt', 'too_long', { max: ALT_MAX })] })
  }
  return clean || null
}
