import { randomInt } from 'node:crypto'
import { foldText } from './text.ts'

const BASE32 = 'abcdefghijkmnpqrstuvwxyz23456789'
const MAX_LENGTH = 80

export function kebab(text: string, fallback: string): string {
  const plain = foldText(text)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH - 7)
    .replace(/^-+|-+$/g, '')
  return plain === '' ? fallback : plain
}

/** Anything else is rejected without a query. */
export const isSlug = (text: string): boolean => /^[a-z0-9-]+$/.test(text)

/** `casa-en-coyoacan-k3x9ab`: readable, and not guessable from the title alone. Never shaped like a UUID. */
export function uniqueSlug(text: string, fallback: string): string {
  const random = Array.from({ length: 6 }, () => BASE32[randomInt(BASE32.length)]).join('')
  return `${kebab(text, fallback)}-${random}`
}
