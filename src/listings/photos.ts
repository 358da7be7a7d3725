import type { Db } from '../db/database.ts'
import { isHeic, type Picture, preparePicture } from '../files/images.ts'
import { mediaPath } from '../files/routes.ts'
import type { Storage } from '../files/storage.ts'
import type { Upload } from '../files/upload.ts'
import { accepting, type Uploads } from '../files/uploads.ts'
import { cleanText, lengthOf } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { MB } from '../lib/sizes.ts'
import { type Image, listImages, type NewImage, tooManyImages } from './images.ts'
import { changeImages, lockOwn } from './service.ts'

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

async function discard(files: Storage, images: Image[]): Promise<void> {
  const names = images
    .filter(image => image.kind === 'upload')
    .flatMap(({ url, thumb }) => [url, thumb])
    .map(path => path.slice(mediaPath('').length))
  for (const name of names) await files.remove('media', name)
}

interface Added {
  added: number
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
  // Files beyond the limit are not decoded.
  refuseIfAny(tooManyImages([...(await listImages(db, listingId)), ...sent]))
  const photos: Photo[] = []
  const refused: Upload[] = []
  // Sequential: several large images at once would starve other requests of memory and CPU.
  for (const upload of sent) {
    const photo = await preparePicture(upload.bytes, SIZES, agentId)
    if (photo) photos.push(photo)
    else refused.push(upload)
  }
  await accepting(db, uploads, agentId, async (tx, keep) => {
    const listing = await lockOwn(tx, agentId, listingId)
    const existing = await listImages(tx, listing.id)
    const wanted = [...existing, ...photos.map(imageOf)]
    refuseIfAny(tooManyImages(wanted))
    await changeImages(tx, listing, { existing, wanted, via: 'portal' })
    for (const photo of photos) await keep('media', photo)
  })
  return {
    added: photos.length,
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
  { db, files }: { db: Db; files: Storage },
  agentId: string,
  listingId: string,
  { order, remove, alts }: Arrangement,
): Promise<void> {
  const removed = await db.transaction().execute(async tx => {
    const listing = await lockOwn(tx, agentId, listingId)
    const existing = await listImages(tx, listing.id)
    const place = (image: Image) => (order.includes(image.id) ? order.indexOf(image.id) : order.length)
    const wanted = existing
      .filter(image => !remove.includes(image.id))
      .sort((a, b) => place(a) - place(b))
      .map(image => ({ ...image, alt: altOf(alts.get(image.id) ?? image.alt) }))
    await changeImages(tx, listing, { existing, wanted, via: 'portal' })
    return existing.filter(image => remove.includes(image.id))
  })
  // After the commit: an orphaned file wastes space, a missing file breaks a page.
  await discard(files, removed)
}

function altOf(text: string | null): string | null {
  const clean = cleanText(text ?? '')
  if (lengthOf(clean) > ALT_MAX) {
    throw new Problem('validation', { issues: [issue('alt', 'too_long', { max: ALT_MAX })] })
  }
  return clean || null
}
