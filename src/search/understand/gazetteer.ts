import { foldText } from '../../lib/text.ts'
import { canonicalState, STATES } from '../../lookups/states.ts'
import { aliasNames, aliasOf } from '../places/aliases.ts'
import { readPlace } from '../places/place.ts'
import type { KnownPlace } from './known-places.ts'
import { Spelling } from './typos.ts'
import { AMENITY_PHRASES, OPERATION_PHRASES, TYPE_PHRASES } from './vocabulary.ts'

/**
 * The places of public listings, and candidates for typo correction. Built from the index and valid until the market's
 * places change; places that only hidden listings have are not included.
 */
export class Gazetteer {
  readonly places: readonly KnownPlace[]
  readonly #byName: Map<string, KnownPlace>
  readonly #sorted: string[]
  readonly #spelling = new Spelling()

  constructor(places: readonly KnownPlace[]) {
    this.places = places
    // The larger kind of place wins a name: Guadalupe is a city before it is another city's neighborhood.
    this.#byName = new Map([...this.places].reverse().map(place => [place.folded, place]))
    this.#sorted = [...this.#byName.keys()].sort()
    this.#learnWords()
  }

  placeNamed(folded: string): string | undefined {
    if (aliasOf(folded)) return aliasOf(folded)?.states?.[0] ?? titled(folded)
    const state = folded.length > 3 ? canonicalState(folded) : undefined
    if (state) return state
    const names = readPlace(folded)?.[0]?.names ?? []
    return names.map(name => this.#byName.get(name)?.name).find(name => name !== undefined)
  }

  placeStarting(folded: string): string | undefined {
    const start = `${folded} `
    return this.#sorted[firstAtLeast(this.#sorted, start)]?.startsWith(start) ? titled(folded) : undefined
  }

  correct(folded: string, atLeast: number): string | undefined {
    return this.#spelling.correct(folded, atLeast)
  }

  #learnWords(): void {
    const learn = (phrase: string, count: number) => {
      for (const word of phrase.split(' ')) if (word.length > 3) this.#spelling.add(word, count)
    }
    for (const { folded, count } of this.places) learn(folded, count)
    for (const { name } of STATES) learn(foldText(name), 1)
    for (const name of aliasNames()) learn(name, 1)
    for (const phrases of [TYPE_PHRASES, OPERATION_PHRASES, AMENITY_PHRASES]) {
      for (const phrase of phrases.keys()) learn(phrase, 10)
    }
  }
}

function firstAtLeast(sorted: string[], text: string): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as string) < text) low = middle + 1
    else high = middle
  }
  return low
}

const SMALL_WORDS = new Set(['de', 'del', 'la', 'las', 'los', 'el', 'y'])

export const titled = (folded: string) =>
  folded
    .split(' ')
    .map((word, i) => (i > 0 && SMALL_WORDS.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ')
