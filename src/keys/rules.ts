import { hash, randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Field } from '../lib/fields.ts'

export type Scopes = readonly ['read'] | readonly ['read', 'write'] | readonly ['partner']
export const SCOPE_SETS = new Map<string, Scopes>([
  ['read', ['read']],
  ['read,write', ['read', 'write']],
  ['partner', ['partner']],
])

export const scopesOf = (allowed: readonly string[]): Field<Scopes> => ({
  schema: { type: 'string', enum: allowed },
  read(value, fail) {
    const name = String(value).replaceAll(' ', '')
    const scopes = allowed.includes(name) ? SCOPE_SETS.get(name) : undefined
    return scopes ?? void fail('unknown_scopes', { allowed })
  },
})

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const random62 = (length: number) => Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')

// The checksum lets secret scanners and us tell a real key from a typo without the database.
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** `svc_<8>_<48>`: the last six characters are a checksum of the others. */
export function composeKey(prefix: string, random: string): string {
  const body = `svc_${prefix}_${random}`
  return body + checksum(body)
}

export const newKey = (): string => composeKey(random62(8), random62(42))

/** The prefix of a well-formed key with a valid checksum. */
export function prefixOf(key: string): string | undefined {
  const prefix = /^svc_([0-9A-Za-z]{8})_[0-9A-Za-z]{48}$/.exec(key)?.[1]
  return prefix && key.endsWith(checksum(key.slice(0, -6))) ? prefix : undefined
}

// The secret has 250 random bits: a slow hash would cost every request and add no security.
export const hashKey = (key: string): Buffer => hash('sha256', key, 'buffer')

const NO_KEY = Buffer.alloc(32)
/** Takes the same time whether or not the prefix exists. */
export const matches = (hash: Buffer, stored: Buffer | undefined): boolean =>
  timingSafeEqual(hash, stored ?? NO_KEY) && stored !== undefined
