import type { Selection } from '../lib/selection.ts'
import type { Coverage } from '../search/criteria.ts'
import type { Spot } from '../search/engine/changes.ts'
import { type Snapshot, snapshotOf } from '../search/feed/snapshot.ts'

export const LIMIT = { default: 500, max: 1000 }
export const WAIT_SECONDS_MAX = 30

/** Whose copy of what. */
export interface Question extends Coverage {
  /** Of each listing; undefined: all. */
  fields?: Selection | undefined
}

/** How far a follower has come. */
export interface Progress {
  /** The latest history that its snapshots saw. */
  history: string
  /** All that the copy has; undefined in a first load. */
  since: Snapshot | undefined
  /** In the middle of a round: what the copy will have at its end, and where the last page ended. */
  round?: { until: Snapshot; after: Spot } | undefined
}

/** A cursor serves only the question it was made for; the order of repeated values does not matter. */
export function bindingOf({ viewer, scope, filters, fields }: Question, publicUrl: string): string {
  const { types, features, ids, ...others } = filters
  const sorted = [types, features, ids].map(values => values && [...values].sort())
  return JSON.stringify([publicUrl, viewer, scope, others, sorted, fields?.names ?? null])
}

// A busy server has this many transactions open at a time; more would make the cursor too long for a URL.
const OPEN_MAX = 100

/** As a cursor holds it. */
type Encoded = [history: string, since: number[] | null, until: number[] | null, after: number[] | null]

export function encode({ history, since, round }: Progress): Buffer {
  const encoded: Encoded = [
    history,
    since ? numbersOf(since) : null,
    round ? numbersOf(round.until) : null,
    round ? [round.after.xid, ...round.after.id] : null,
  ]
  return Buffer.from(JSON.stringify(encoded))
}

export function decode(bytes: Buffer): Progress {
  const [history, since, until, after] = JSON.parse(bytes.toString()) as Encoded
  const [xid = 0, a = 0, b = 0, c = 0, d = 0] = after ?? []
  return {
    history,
    since: since ? readNumbers(since) : undefined,
    round: until ? { until: readNumbers(until), after: { xid, id: [a, b, c, d] } } : undefined,
  }
}

/** With too many open, one that sees less: some changes then come twice. */
export function numbersOf({ next, open }: Snapshot): number[] {
  return [open[OPEN_MAX] ?? next, ...open.slice(0, OPEN_MAX)]
}

export const readNumbers = ([next = 0, ...open]: number[]): Snapshot => snapshotOf(next, open)
