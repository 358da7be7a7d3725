import type { Snapshot } from '../search/feed/snapshot.ts'
import { numbersOf, readNumbers } from '../sync/rules.ts'

export const LIMIT = { default: 100, max: 1000 }

/** A snapshot and when it was taken. */
export interface Mark {
  snapshot: Snapshot
  /** In milliseconds: only for how long events are kept. */
  at: number
}

/** How far a reader has come: as in sync/rules.ts, in rounds from one snapshot to another. */
export interface Progress {
  history: string
  /** All that the reader has; undefined until the first round has ended. */
  since: Mark | undefined
  /** In the middle of a round: what the reader will have at its end, and the last event it got. */
  round?: { until: Mark; after: number } | undefined
}

/** A cursor serves any key of its agent. */
export const bindingOf = (agentId: string, publicUrl: string) =>
  JSON.stringify(['events', publicUrl, agentId])

/** Whether something the reader has not seen may have been deleted by now. */
export function isTooOld({ since, round }: Progress, keptMs: number, now: number): boolean {
  const mark = since ?? round?.until
  return mark === undefined || mark.at + keptMs < now
}

/** As a cursor holds it. */
type Encoded = [history: string, since: number[] | null, until: number[] | null, after: number]

export function encode({ history, since, round }: Progress): Buffer {
  const encoded: Encoded = [
    history,
    since ? numbersOfMark(since) : null,
    round ? numbersOfMark(round.until) : null,
    round?.after ?? 0,
  ]
  return Buffer.from(JSON.stringify(encoded))
}

export function decode(bytes: Buffer): Progress {
  const [history, since, until, after] = JSON.parse(bytes.toString()) as Encoded
  return {
    history,
    since: since ? markOf(since) : undefined,
    round: until ? { until: markOf(until), after } : undefined,
  }
}

const numbersOfMark = ({ at, snapshot }: Mark): number[] => [at, ...numbersOf(snapshot)]
const markOf = ([at = 0, ...numbers]: number[]): Mark => ({ at, snapshot: readNumbers(numbers) })
