import { canonicalState } from '../../lookups/states.ts'
import type { Filters } from '../criteria.ts'
import { aliasOf } from '../places/aliases.ts'
import { readPlace } from '../places/place.ts'
import { AMENITY_PHRASES, NARROWER_TYPES, OPERATION_PHRASES, TYPE_PHRASES } from '../understand/vocabulary.ts'

/** What a typed word stands for besides its text. */
export interface Meant {
  meaning?: Filters
  isNoise: boolean
}

const LONGEST_PHRASE = 6
/** Words that introduce a place or a wish and that few listings say. */
const NOISE = new Set(
  `col colonia colonias fracc fraccionamiento fraccionamientos inmueble inmuebles propiedad propiedades busco buscando buscamos
   quiero necesito`.split(/\s+/),
)
const DENIAL = /^(sin|no|without)$/

/** For each of the folded words, the meaning of the longest phrase it is part of: "nave industrial", "pet friendly", "nl". */
export function meaningsOf(words: readonly string[]): Meant[] {
  const meant: Meant[] = []
  while (meant.length < words.length) {
    const at = meant.length
    const phrase = DENIAL.test(words[at - 1] ?? '') ? undefined : phraseAt(words, at)
    if (phrase) for (; meant.length < phrase.to; ) meant.push({ meaning: phrase.meaning, isNoise: false })
    else meant.push({ isNoise: NOISE.has(words[at] as string) })
  }
  return meant
}

function phraseAt(words: readonly string[], at: number): { to: number; meaning: Filters } | undefined {
  for (let to = Math.min(words.length, at + LONGEST_PHRASE); to > at; to--) {
    const meaning = meaningOf(words.slice(at, to).join(' '))
    if (meaning) return { to, meaning }
  }
  return undefined
}

function meaningOf(phrase: string): Filters | undefined {
  const type = NARROWER_TYPES.has(phrase) ? undefined : TYPE_PHRASES.get(phrase)
  if (type) return { types: [type] }
  const operation = OPERATION_PHRASES.get(phrase)
  if (operation) return { operation }
  const amenity = AMENITY_PHRASES.get(phrase)
  if (amenity) return { features: [amenity] }
  // "col" abbreviates Colima, but people mean a colonia.
  const isPlace = aliasOf(phrase) || (canonicalState(phrase) && !NOISE.has(phrase))
  const place = isPlace ? readPlace(phrase) : undefined
  return place && { place }
}
