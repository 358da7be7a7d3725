import { foldText } from '../../lib/text.ts'
import { canonicalState, STATES } from '../../lookups/states.ts'
import { aliasNames, aliasOf } from '../places/aliases.ts'
import { readName } from '../places/place.ts'
import type { KnownPlace } from './known-places.ts'
import { Spelling } from './typos.ts'
import { AMENITY_PHRASES, OPERATION_PHRASES, TYPE_PHRASES } from './vocabulary.ts'

/**
 * The places of public listings, and candidates for typo correction. Built from the index and valid until the market's
 * places change; places that only hidden listings have are not included.
 */
export class Gazetteer {
  readonly places: readonly KnownPlace[]
  readonly #byName = new Map<string, KnownPlace>()
  /** The first words of longer names, as they are written, of the largest kind. */
  readonly #beginnings = new Map<string, Pick<KnownPlace, 'name' | 'kind'>>()
  /** The names of the places in each. */
  readonly #inside = new Map<string, string[]>()
  readonly #spelling = new Spelling()

  private constructor(places: readonly KnownPlace[]) {
    this.places = places
  }

  /** Larger kinds of places come first. Yields now and then: a large market has many names. */
  static *of(places: readonly KnownPlace[]): Generator<void, Gazetteer> {
    const gazetteer = new Gazetteer(places)
    gazetteer.#learnVocabulary()
    for (const [i, place] of places.entries()) {
      if (i % 500 === 0) yield
      gazetteer.#learnPlace(place)
    }
    return gazetteer
  }

  placeNamed(folded: string): string | undefined {
    if (aliasOf(folded)) return aliasOf(folded)?.states?.[0] ?? titled(folded)
    const state = folded.length > 3 ? canonicalState(folded) : undefined
    if (state) return state
    const { names } = readName(folded)
    const known = names.map(name => this.#byName.get(name)).find(place => place !== undefined)
    // Without these words, the name may be that of a state.
    const isCityOf = folded.startsWith('ciudad de ') && known?.folded !== folded
    return known && (isCityOf ? `Ciudad de ${known.name}` : known.name)
  }

  sizeOf(place: string): number {
    const folded = foldText(place)
    // Every city has one; it is also a municipality of Tabasco.
    if (/^(centro|el centro|downtown)$/.test(folded)) return SIZES.neighborhood
    if (aliasOf(folded)?.states || canonicalState(folded)) return SIZES.state
    const { kind = 'city' } = this.#byName.get(folded) ?? this.#beginnings.get(folded) ?? {}
    return SIZES[kind]
  }

  isWithin(inner: string, outer: string): boolean {
    const names = namesOf(inner)
    const inside = namesOf(outer).flatMap(name => this.#inside.get(name) ?? [])
    return inside.some(folded => names.some(name => folded.startsWith(name)))
  }

  placeStarting(folded: string): string | undefined {
    return this.#beginnings.get(folded)?.name
  }

  correct(folded: string, atLeast: number): string | undefined {
    return this.#spelling.correct(folded, atLeast)
  }

  /** The larger kind of place wins a name: Guadalupe is a city before it is another city's neighborhood. */
  #learnPlace(place: KnownPlace): void {
    const { name, folded, kind, within, count } = place
    if (within !== null) this.#learnWithin(folded, foldText(within))
    // Typed without it: "Gustavo A. Madero".
    const typed = folded.replaceAll('.', '')
    for (const key of [folded, typed]) if (!this.#byName.has(key)) this.#byName.set(key, place)
    const words = name.trim().split(/\s+/)
    const beginnings = beginningsOf(typed)
    const isByWord = words.length === beginnings.length + 1
    for (const [i, beginning] of beginnings.entries()) {
      const written = isByWord ? words.slice(0, i + 1).join(' ') : titled(beginning)
      if (!this.#beginnings.has(beginning)) this.#beginnings.set(beginning, { name: written, kind })
    }
    this.#learn(folded, count)
  }

  #learnWithin(folded: string, outer: string): void {
    const inside = this.#inside.get(outer)
    if (inside) inside.push(folded)
    else this.#inside.set(outer, [folded])
  }

  #learnVocabulary(): void {
    for (const { name } of STATES) this.#learn(foldText(name), 1)
    for (const name of aliasNames()) this.#learn(name, 1)
    for (const phrases of [TYPE_PHRASES, OPERATION_PHRASES, AMENITY_PHRASES]) {
      for (const phrase of phrases.keys()) this.#learn(phrase, 10)
    }
  }

  #learn(phrase: string, count: number): void {
    for (const word of phrase.split(' ')) if (word.length > 3) this.#spelling.add(word, count)
  }
}

const namesOf = (place: string): readonly string[] => {
  const folded = foldText(place)
  return [folded, ...(aliasOf(folded)?.names ?? [])]
}

const beginningsOf = (folded: string): string[] =>
  [...folded.matchAll(/ /g)].map(({ index }) => folded.slice(0, index))

const SIZES = { neighborhood: 0, city: 1, municipality: 2, state: 3 }

const SMALL_WORDS = new Set(['de', 'del', 'la', 'las', 'los', 'el', 'y'])

/** Aliases that capital letters alone do not bring back. */
const ACCENTED = new Map(
  ['Juárez', 'Obregón', 'Península de Yucatán', 'San Cristóbal', 'Tuxtla Gutiérrez'].map(name => [
    foldText(name),
    name,
  ]),
)

export const titled = (folded: string): string =>
  ACCENTED.get(folded) ??
  folded
    .split(' ')
    .map((word, i) => (i > 0 && SMALL_WORDS.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ')
