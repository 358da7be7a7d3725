import type { Sql, Tx } from '../db/database.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { LIMITS } from '../lookups/catalog.ts'

export interface Image {
  id: string
  kind: 'url' | 'upload'
  /** For uploads, only the path on this server. */
  url: string
  thumb: string
  alt: string | null
}

export type NewImage = Pick<Image, 'kind' | 'url'> & Partial<Image>

/** Existing images first, then new ones; a known URL keeps its place, so a retry is harmless. */
export function addedImages(existing: Image[], urls: string[]): (Image | NewImage)[] {
  return [...existing, ...fresh(urls, existing)]
}

/** Replaces only linked images. An uploaded cover stays the cover; otherwise the first new image becomes it. */
export function replacedImages(existing: Image[], urls: string[]): (Image | NewImage)[] {
  const uploads = existing.filter(image => image.kind === 'upload')
  const byUrl = new Map(existing.map(image => [image.url, image]))
  const linked = fresh(urls, uploads).map(image => byUrl.get(image.url) ?? image)
  return existing[0]?.kind === 'upload' ? [...uploads, ...linked] : [...linked, ...uploads]
}

/** Records contain full URLs of uploads; a client that sends one back means the existing image. */
const fresh = (urls: string[], known: Image[]): NewImage[] =>
  [...new Set(urls)]
    .filter(
      url => !known.some(image => image.url === url || (image.kind === 'upload' && url.endsWith(image.url))),
    )
    .map(url => ({ kind: 'url', url }))

export const tooManyImages = (images: unknown[]): Issue[] =>
  images.length > LIMITS.images_per_listing
    ? [issue('images', 'too_many_images', { max: LIMITS.images_per_listing, wanted: images.length })]
    : []

export function listImages(db: Sql, listingId: string): Promise<Image[]> {
  return db
    .selectFrom('listing_images')
    .select(['id', 'kind', 'url', 'thumb', 'alt'])
    .where('listing_id', '=', listingId)
    .orderBy('position')
    .execute()
}

export const isSameImages = (existing: Image[], wanted: (Image | NewImage)[]): boolean =>
  existing.length === wanted.length &&
  existing.every(({ url, alt }, i) => url === wanted[i]?.url && alt === (wanted[i]?.alt ?? null))

/** Stores the list; false if unchanged. Linked images are their own thumbnails. */
export async function saveImages(tx: Tx, listingId: string, existing: Image[], wanted: (Image | NewImage)[]) {
  if (isSameImages(existing, wanted)) return false
  await tx.deleteFrom('listing_images').where('listing_id', '=', listingId).execute()
  if (wanted.length > 0) {
    const rows = wanted.map((image, position) => ({
      thumb: image.url,
      ...image,
      listing_id: listingId,
      position,
    }))
    await tx.insertInto('listing_images').values(rows).execute()
  }
  return true
}
