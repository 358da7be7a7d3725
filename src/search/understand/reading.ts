import { type Token, wordsAt } from './tokens.ts'

/** The facts about public listings that understanding needs. */
export interface Market {
  /** The spelling of a city, municipality, neighborhood or state, by its folded name or a prefix of it. */
  placeNamed(folded: string): string | undefined
  placeStarting(folded: string): string | undefined
  /** States are the largest places, neighborhoods the smallest. */
  sizeOf(place: string): number
  /** Whether a place of that name, however large, is in the other one. */
  isWithin(inner: string, outer: string): boolean
  /** The location of a place: the center of its listings. */
  middleOf(place: string): { lat: number; lng: number; radiusKm: number } | undefined
  /** How many listings contain the word; counts no further than `most`. */
  timesSaid(folded: string, most: number): number
  /** The known word closest to a mistyped one, of those that are at least that common. */
  correct(folded: string, atLeast: number): string | undefined
}

export interface Piece {
  /** As typed. */
  text: string
  parameter: string
  value: string
}

/** The meaning of a run of words, as search parameters; `to` is the token after it. */
export interface Found {
  to: number
  parameters: [name: string, value: string][]
  /** The place they are around. */
  near?: string
  /** A pair of places follows "o": "Mérida, Yucatán o Cancún, Quintana Roo". */
  isPaired?: boolean
}

/** A place and the token after it. */
export interface Place {
  to: number
  value: string
}

/** What has been understood so far, from left to right. */
export interface Reading {
  typed: string
  tokens: Token[]
  market: Market
  pieces: Piece[]
  near?: string
  /** See `Found`. */
  isPaired?: boolean
  rest: Token[]
  /** The named places that were found, by where they start. */
  places: Map<number, Place | undefined>
}

export type Recognizer = (reading: Reading, at: number) => Found | undefined

const LONGEST_PHRASE = 6

/** The longest phrase that starts here and has a value. */
export function longest<T>(tokens: Token[], at: number, meaningOf: (phrase: string) => T | undefined) {
  for (let to = Math.min(tokens.length, at + LONGEST_PHRASE); to > at; to--) {
    const value = meaningOf(wordsAt(tokens, at, to))
    if (value !== undefined) return { to, value }
  }
  return undefined
}

/** What stands between two of which either will do, and how a place says it. */
export const LINKS = new Map([
  ...['o', 'u', 'y', 'e', '/'].map(word => [word, ' o '] as const),
  ...['or', 'and'].map(word => [word, ' or '] as const),
])
