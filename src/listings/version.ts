import { createHash } from 'node:crypto'

/**
 * The version of a record from the version of its row, and back. Addresses in a record begin with the installation's
 * own: under another `PUBLIC_URL` every record is another one, and must not share its version with what it was before.
 */
export function versionUnder(publicUrl: string, version: string): string {
  return hex64(BigInt(`0x${version}`) ^ addressWord(publicUrl))
}

const known = new Map<string, bigint>()

/** 64 bits of the address; a process has one address. */
export function addressWord(publicUrl: string): bigint {
  const word = known.get(publicUrl) ?? createHash('sha256').update(publicUrl).digest().readBigUInt64BE()
  known.set(publicUrl, word)
  return word
}

const hex64 = (word: bigint): string => word.toString(16).padStart(16, '0')

export const isVersion = (text: string): boolean => /^[0-9a-f]{16}$/.test(text)

/** A strong validator: the record's version in quotes. */
export const etagOf = (record: { version: string }): string => `"${record.version}"`
