import { createHash } from 'node:crypto'
import type { Criteria, Place } from './criteria.ts'
import type { Uuid } from './engine/ids.ts'

type Told = [question: string, featured: 0 | 1, score: number, rank: number | null, ...Uuid]

export function cursorOf(criteria: Criteria, { isAhead, score, rank, id }: Place): string {
  const told: Told = [
    questionOf(criteria),
    isAhead ? 1 : 0,
    score,
    Number.isFinite(rank) ? rank : null,
    ...id,
  ]
  return Buffer.from(JSON.stringify(told)).toString('base64url')
}

/** Undefined for what is none of ours, or of a search for something else. */
export function readCursor(criteria: Criteria, text: string): Place | undefined {
  const told = parsed(text)
  if (!isTold(told) || told[0] !== questionOf(criteria)) return undefined
  const [, featured, score, rank, ...id] = told
  return { isAhead: featured === 1, score, rank: rank ?? Number.POSITIVE_INFINITY, id }
}

/** A place means something only among the same listings in the same order. */
function questionOf({ page: _page, limit: _limit, after: _after, ...asked }: Criteria): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, 12)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

function isTold(told: unknown): told is Told {
  if (!Array.isArray(told) || told.length !== 8) return false
  const [question, featured, score, rank, ...id] = told
  const isWord = (word: unknown) =>
    Number.isInteger(word) && (word as number) >= 0 && (word as number) < 2 ** 32
  return (
    typeof question === 'string' &&
    (featured === 0 || featured === 1) &&
    isWord(score) &&
    (rank === null || typeof rank === 'number') &&
    id.every(isWord)
  )
}
