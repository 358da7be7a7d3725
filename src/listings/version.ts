import { createHash } from 'node:crypto'

/**
 * Converts between a row's version and its record's. Records contain URLs under `PUBLIC_URL`: when that changes, every
 * record changes, so its version must change too.
 */
export function versionUnder(publicUrl: string, version: string): string {
  return hex64(BigInt(`0x${version}`) ^ addressWord(publicUrl))
}

const known = new Map<string, bigint>()

/** 64 bits of the URL; constant per process. */
export function addressWord(publicUrl: string): bigint {
  const word = known.get(publicUrl) ?? createHash('sha256').update(publicUrl).digest().readBigUInt64BE()
  known.set(publicUrl, word)
  return word
}

const hex64 = (word: bigint): string => word.toString(16).padStart(16, '0')

export const isVersion = (text: string): boolean => /^[0-9a-f]{16}$/.test(text)

/** A strong validator: the record's version in quotes. */
export const etagOf = (record: { version: string }): string => `"${record.version}"`
