import { randomBytes } from 'node:crypto'
import { type Field, oneOf, optional, type Patch, text } from '../lib/fields.ts'
import type { Lang } from '../lib/i18n.ts'

export const MAX_COLLECTIONS = 100
export const MAX_LISTINGS = 50

export const collectionFields = {
  title: { ...text({ min: 1, max: 120 }), nullable: false } as Field<string>,
  message: optional(text({ max: 1_000 })),
  lang: oneOf(['es', 'en'] as const),
}
export type CollectionPatch = Patch<typeof collectionFields>

/** 128 random bits: cannot be guessed. */
export const newToken = (): string => randomBytes(16).toString('base64url')

export const isToken = (text: string): boolean => /^[\w-]{20,64}$/.test(text)

export const sharedPath = ({ token, lang }: { token: string; lang: Lang }): string =>
  `${lang === 'en' ? '/en' : ''}/c/${token}`

export const sourceOf = (collectionId: string): `collection:${string}` => `collection:${collectionId}`

/** Moves one id up or down; unchanged at the ends. */
export function moved(ids: readonly string[], id: string, step: -1 | 1): string[] {
  const from = ids.indexOf(id)
  const to = from + step
  if (from === -1 || to < 0 || to >= ids.length) return [...ids]
  const rest = ids.filter(one => one !== id)
  return [...rest.slice(0, to), id, ...rest.slice(to)]
}
