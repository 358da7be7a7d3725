import { createHash } from 'node:crypto'
import type { Criteria, Place } from './criteria.ts'
import type { Uuid } from './engine/ids.ts'

/** More than understanding reads. */
const MOST_BEDROOMS = 50

type CursorParts = [
  question: string,
  featured: 0 | 1,
  score: number,
  rank: number | null,
  ...Uuid,
  /** Has no parameter of its own. */
  likedBedrooms: number | null,
]

export function cursorOf(criteria: Criteria, { isAhead, score, rank, id }: Place): string {
  const parts: CursorParts = [
    questionOf(criteria),
    isAhead ? 1 : 0,
    score,
    Number.isFinite(rank) ? rank : null,
    ...id,
    criteria.likedBedrooms ?? null,
  ]
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** The search from there on; undefined if the cursor is invalid or belongs to a different search. */
export function readCursor(criteria: Criteria, text: string): Criteria | undefined {
  const parts = parsed(text)
  if (!isCursor(parts)) return undefined
  const [question, featured, score, rank, a, b, c, d, liked] = parts
  const asked = liked === null ? criteria : { ...criteria, likedBedrooms: liked }
  if (question !== questionOf(asked)) return undefined
  const id: Uuid = [a, b, c, d]
  return { ...asked, after: { isAhead: featured === 1, score, rank: rank ?? Number.POSITIVE_INFINITY, id } }
}

/** A place is meaningful only among the same listings in the same order. */
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

function isCursor(parts: unknown): parts is CursorParts {
  if (!Array.isArray(parts) || parts.length !== 9) return false
  const [question, featured, score, rank, ...words] = parts
  const liked = words.pop()
  const isWord = (word: unknown) =>
    Number.isInteger(word) && (word as number) >= 0 && (word as number) < 2 ** 32
  return (
    typeof question === 'string' &&
    (featured === 0 || featured === 1) &&
    isWord(score) &&
    // JSON has no infinity, but "1e999" reads as one.
    (rank === null || Number.isFinite(rank)) &&
    words.every(isWord) &&
    (liked === null || (isWord(liked) && liked <= MOST_BEDROOMS))
  )
}
