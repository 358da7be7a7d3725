import { createHash } from 'node:crypto'
import { expectedTags } from '../http/etags.ts'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'

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

/** A strong validator: the record's version in quotes. */
export const etagOf = (record: { version: string }): string => `"${record.version}"`

/** The same of a row. */
export const etagUnder = (publicUrl: string, row: { version: string }): string =>
  etagOf({ version: versionUnder(publicUrl, row.version) })

/** Throws if the caller does not accept to change the row in this version; undefined stands for a row that is not there. */
export type Precondition = (version: string | undefined) => void

const changedMeanwhile = (etag?: string) =>
  new Problem('precondition_failed', {
    issues: [issue('', 'changed_meanwhile')],
    ...(etag === undefined ? {} : { etag }),
  })

/** The row must be as it was when its form was drawn. */
export const unchangedSince =
  (version: string): Precondition =>
  current => {
    if (current !== version) throw changedMeanwhile()
  }

/** The condition of an If-Match header, which names versions of records. */
export function preconditionOf(ifMatch: string | undefined, publicUrl: string): Precondition | undefined {
  if (ifMatch === undefined) return undefined
  const accepted = expectedTags(ifMatch)
  return current => {
    if (current === undefined) throw changedMeanwhile()
    const version = versionUnder(publicUrl, current)
    if (accepted && !accepted.includes(version)) throw changedMeanwhile(etagOf({ version }))
  }
}
