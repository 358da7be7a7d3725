import type { Reading } from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import type { ListingStatus } from '../lookups/catalog.ts'
import { LISTING_FIELDS, type ListingFields, type ListingPatch } from './fields.ts'
import {
  addedImages,
  type Image,
  isSameImages,
  type NewImage,
  replacedImages,
  tooManyImages,
} from './images.ts'
import { applyPatch, publishIssues } from './rules.ts'

type Current = ListingFields & { status: ListingStatus }

/** What becomes of a listing, before anything is written. */
export interface Plan {
  fields: ListingFields
  /** Those that differ from now. */
  changed: Partial<ListingFields>
  images: (Image | NewImage)[]
  imagesChanged: boolean
  issues: Issue[]
}

/** `existing` are the images the listing has; they matter only if some were sent. */
export function planOf(current: Current | undefined, sent: Reading<ListingPatch>, existing: Image[]): Plan {
  const { value: patch, issues: readIssues } = sent
  const { fields, issues } = applyPatch(current, patch, current?.status ?? 'draft')
  const images = imagesOf(current, patch.images, existing)
  return {
    fields,
    changed: current ? changedFields(current, fields) : fields,
    images,
    imagesChanged: !isSameImages(existing, images),
    issues: [...readIssues, ...issues, ...tooManyImages(images)],
  }
}

function imagesOf(current: Current | undefined, urls: string[] | null | undefined, existing: Image[]) {
  if (urls === undefined) return existing
  return current ? replacedImages(existing, urls ?? []) : addedImages([], urls ?? [])
}

function changedFields(current: ListingFields, fields: ListingFields): Partial<ListingFields> {
  const isSame = (a: unknown, b: unknown) =>
    a === b || (Array.isArray(a) && JSON.stringify(a) === JSON.stringify(b))
  const names = LISTING_FIELDS.filter(name => !isSame(current[name], fields[name]))
  return Object.fromEntries(names.map(name => [name, fields[name]]))
}

interface Named extends Current {
  imported: boolean
  images: Omit<Image, 'kind'>[]
}

/**
 * What `putItem` would answer, by the same rules and without the database: for a first look at thousands of rows. Only
 * what happens meanwhile can make a difference.
 */
export function foresee(
  current: Named | undefined,
  sent: Reading<ListingPatch>,
  status: ListingStatus | undefined,
): { result: 'created' | 'changed' | 'unchanged' } | { result: 'refused'; issues: Issue[] } {
  if (current?.imported) return { result: 'refused', issues: [issue('external_id', 'taken')] }
  const existing = (current?.images ?? []).map(image => ({
    ...image,
    // Stored as paths.
    kind: image.url.startsWith('/') ? ('upload' as const) : ('url' as const),
  }))
  const { fields, changed, imagesChanged, issues } = planOf(current, sent, existing)
  const moves = status !== undefined && status !== (current?.status ?? 'draft')
  const refused = issues.length === 0 && moves && status === 'published' ? publishIssues(fields) : issues
  if (refused.length > 0) return { result: 'refused', issues: refused }
  if (!current) return { result: 'created' }
  return { result: moves || imagesChanged || Object.keys(changed).length > 0 ? 'changed' : 'unchanged' }
}
