import { groupBy } from '../../lib/groups.ts'
import { foldText } from '../../lib/text.ts'
import { canonicalState } from '../../lookups/states.ts'
import { alternativesOf } from '../places/place.ts'
import { type Found, LINKS, longest, type Place, type Reading, type Recognizer } from './reading.ts'
import { endOf, type Token, wordsAt } from './tokens.ts'
import { FILLERS } from './vocabulary.ts'

/** All listings are in it. */
export const COUNTRY = 'mexico'
const NEAR = /^(cerca de|cerca a|cerca del|cercano a|a lado de|junto a|near|close to|next to)$/
const PLACE_CUES = new Set([
  'en',
  'in',
  'col',
  'colonia',
  'fracc',
  'fraccionamiento',
  'barrio',
  'zona',
  'at',
  'por',
])
/** Words that start many place names and are not places themselves. */
const GENERIC = new Set(
  `alta alto arboledas baja bella bello bosque bosques campestre ciudad colina colinas cumbres fuentes gran hacienda jardin jardines
   lago loma lomas los las mar mirador montana monte nueva nuevo parque paseo paseos playa plaza prados privada privadas puerta puerto
   punta real residencial rio rincon san santa santo sierra sol sur torre torres union valle valles villa villas vista vistas zona norte
   industrial comercial agua campo cerro cima club colonial costa country cruz ejidal ejido estado grande grandes hermosa hogar huerta isla
   laguna linda luz moderna moderno noche olivos palmas pinos popular pradera primera reserva sector segunda tierra unidad universidad verde
   viejo`.split(/\s+/),
)

const SHORT: Record<string, string> = {
  sn: 'san',
  sta: 'santa',
  sto: 'santo',
  pto: 'puerto',
  cd: 'ciudad',
  nvo: 'nuevo',
  gral: 'general',
}

/** "sn miguel", "pto escondido". */
const spelledOut = (phrase: string) =>
  phrase
    .split(' ')
    .map(word => SHORT[word] ?? word)
    .join(' ')

const STREET =
  /^(av|ave|avenida|calle|calz|calzada|carretera|autopista|blvd|boulevard|prol|prolongacion|privada|callejon)$/
/** Names of places that mean something else unless "en" or the like comes before them. */
const NOT_ALONE =
  /^(del mar|la laguna|flores|modelo|federal|doctores|navidad|paraiso|paz|ojo de agua|centro comercial|centros comerciales)$/

/** Their second word alone is another place: Puerto Morelos is not in Morelos. */
export const NAME_STARTS = /^(san|sn|santa|sta|santo|sto|puerto|pto|punta)$/

/** As it is typed, or without abbreviations. */
function namedPlace(market: Reading['market'], phrase: string): string | undefined {
  const spelled = spelledOut(phrase)
  return market.placeNamed(phrase) ?? (spelled === phrase ? undefined : market.placeNamed(spelled))
}

function placeFrom({ tokens, market, places }: Reading, at: number): Place | undefined {
  if (!places.has(at)) {
    const place = longest(tokens, at, phrase =>
      // A sign after a name is not part of it: "Zapopan / Tonalá".
      phrase === COUNTRY || /[^\p{L}\p{N}]$/u.test(phrase) ? undefined : namedPlace(market, phrase),
    )
    places.set(at, place)
  }
  return places.get(at)
}

/** A place that starts here: its name, or the words that several names start with. */
function onePlaceAt(reading: Reading, at: number, isAfterOr = false): Place | undefined {
  const { tokens, market, rest } = reading
  const before = tokens[at - 1]
  if (before && rest.includes(before) && NAME_STARTS.test(before.text)) return undefined
  const hasCue = isAfterOr || PLACE_CUES.has(before?.text ?? '')
  const word = tokens[at]?.text ?? ''
  // "cerca del mar" is not the neighborhood "Del Mar", nor "calle Durango" the state.
  if (before?.text === 'cerca' && FILLERS.has(word)) return undefined
  if (STREET.test(before?.text ?? '') || (!hasCue && endOf(tokens, at, NOT_ALONE, 3))) return undefined
  const isGeneric = !hasCue && GENERIC.has(word)
  const whole = placeFrom(reading, at)
  if (whole && !(isGeneric && whole.to === at + 1)) return whole
  if (FILLERS.has(word)) return undefined
  const begun = longest(tokens, at, phrase =>
    FILLERS.has(phrase.slice(phrase.lastIndexOf(' ') + 1))
      ? undefined
      : market.placeStarting(spelledOut(phrase)),
  )
  // In "nuevo polanco" and "agua azul" it is no name either.
  const next = tokens[at + 1]?.text ?? ''
  const isFollowed = /^\p{L}/u.test(next) && !FILLERS.has(next) && !LINKS.has(next)
  const isOnlyWord = isGeneric || (GENERIC.has(word) && isFollowed)
  const isEnough = begun && (begun.to > at + 1 || (word.length > 3 && !isOnlyWord))
  return isEnough ? begun : undefined
}

/** Of a list each place looks at those that follow: with more, a long one would take long. */
const MAX_ALTERNATIVES = 6

/** "Roma", or "Roma, Condesa o Juárez" as one: a listing is in one of them. `others` recognize what is not a place. */
export const placeRecognizer =
  (others: readonly Recognizer[]): Recognizer =>
  (reading, at) => {
    const { tokens, market, pieces } = reading
    const first = onePlaceAt(reading, at)
    if (!first) return undefined
    const sizeOf = (place: Place) => market.sizeOf(place.value)
    const last = pieces.at(-1)
    const sizeBefore = last?.parameter === 'place' ? market.sizeOf(last.value) : undefined
    let { to, value } = first
    const names = [value]
    for (let end = to; names.length < MAX_ALTERNATIVES && tokens.slice(end).some(isLink); ) {
      const { link, next } = linkedAt(reading, end, others)
      // In "Mérida, Yucatán o Cancún, Quintana Roo" the second is not an alternative to the third.
      const isPair = link && next && sizeOf(next) === sizeBefore && sizeOf(next) < sizeOf(first)
      if (isPair) return { to, parameters: [['place', value]], isPaired: true }
      if (!next || !(link || sizeOf(next) === sizeOf(first))) break
      names.push(next.value)
      end = next.to
      if (link) [to, value] = [end, [...new Set(names)].join(link)]
    }
    const isBorough =
      [at - 1, at].some(place => /^(alcaldia|delegacion)$/.test(tokens[place]?.text ?? '')) &&
      market.isWithin(value, CAPITAL[1])
    return { to, parameters: [['place', value], ...(isBorough ? [CAPITAL] : [])] }
  }

/** Its boroughs are named like places elsewhere. */
const CAPITAL: Found['parameters'][number] = ['place', 'Ciudad de México']

const isLink = ({ text }: Token) => LINKS.has(text)
const AFTER_LINK = /^(en|in|the|la|el|los|las|col|colonia)$/

/** The place that follows, and what links it: "o Condesa", "y/o en Condesa", "o la colonia Juárez". */
function linkedAt(reading: Reading, end: number, others: readonly Recognizer[]) {
  const { tokens } = reading
  let at = end
  let link: string | undefined
  for (let token = tokens[at]; token && isLink(token); token = tokens[++at]) link = LINKS.get(token.text)
  // "Polanco o Lomas" and "Polanco, Lomas o Roma", but not "Polanco y parque".
  const isAfterOr = [at - 1, at + 1].some(place => /^(o|u|or)$/.test(tokens[place]?.text ?? ''))
  for (;;) {
    const next = onlyPlaceAt(reading, at, { isAfterOr, others })
    if (next || !link || !AFTER_LINK.test(tokens[at]?.text ?? '')) return { link, next }
    at++
  }
}

interface Following {
  isAfterOr: boolean
  others: readonly Recognizer[]
}

/** In "Tulum o rancho" the second is a type, although neighborhoods start with that word too. */
function onlyPlaceAt(reading: Reading, at: number, { isAfterOr, others }: Following): Place | undefined {
  const place = onePlaceAt(reading, at, isAfterOr)
  const isElse = (to: number) => others.some(recognize => (recognize(reading, at)?.to ?? 0) >= to)
  return place && !isElse(place.to) ? place : undefined
}

/** "cerca de Tulum", "near downtown Mérida", "cerca del centro de Guadalajara". */
export const nearAt: Recognizer = (reading, at) => {
  const { tokens, market, pieces } = reading
  // Only the first counts, and finding a middle is a search.
  if (pieces.some(({ parameter }) => parameter === 'lat')) return undefined
  const cue = [3, 2, 1].find(count => NEAR.test(wordsAt(tokens, at, at + count)))
  if (!cue) return undefined
  const place = endOf(tokens, at + cue, NOT_ALONE, 3) ? undefined : placeFrom(reading, at + cue)
  if (!place) return undefined
  const link = /^(de|del|en|in|of)$/.test(tokens[place.to]?.text ?? '') ? 1 : 0
  const larger = placeFrom(reading, place.to + link)
  // Every city has one.
  if (!larger && CENTER.test(place.value)) return { to: place.to, parameters: [['place', place.value]] }
  // Without listings in that center, near the city: other cities have one of that name too.
  for (const near of larger ? [`${place.value}, ${larger.value}`, larger.value] : [place.value]) {
    const middle = market.middleOf(near)
    if (!middle) continue
    const parameters: Found['parameters'] = [
      ['lat', middle.lat.toFixed(4)],
      ['lng', middle.lng.toFixed(4)],
      ['radius_km', String(middle.radiusKm)],
    ]
    return { to: (larger ?? place).to, parameters, near }
  }
  return undefined
}

/** Several places narrow each other, smallest first; in pairs, those of a size are alternatives. */
export function placeOf({ pieces, market, isPaired }: Reading): string {
  const sizeOf = (place: string) => Math.min(...alternativesOf(place).map(one => market.sizeOf(one)))
  const places = pieces
    .flatMap(({ parameter, value }) => (parameter === 'place' ? [value] : []))
    .filter((value, i, all) => value !== CAPITAL[1] || all.indexOf(value) === i)
    .sort((a, b) => sizeOf(a) - sizeOf(b))
  if (!isPaired && !isBeside(places, sizeOf, market)) return places.reduce(joined, '')
  const bySize = groupBy([...new Set(places)], sizeOf)
  return [...bySize.values()].map(names => names.join(' o ')).join(', ')
}

/** Every city has one. */
const CENTER = /^(centro|el centro|downtown)$/i

/** Each is compared with each. */
const MAX_BESIDE = 12

/** No listing is in two neighborhoods or two cities: "Zapopan, Guadalajara". */
function isBeside(places: readonly string[], sizeOf: (place: string) => number, market: Reading['market']) {
  if (places.length > MAX_BESIDE) return true
  const named = places.filter(place => !CENTER.test(place))
  const isNested = (one: string, other: string) => market.isWithin(one, other) || market.isWithin(other, one)
  return named.some((one, i) =>
    named.slice(i + 1).some(other => one !== other && sizeOf(one) === sizeOf(other) && !isNested(one, other)),
  )
}

/** "Querétaro Qro" is the city in the state of that name. */
const joined = (before: string, value: string) =>
  before === '' || (before === value && !canonicalState(foldText(value))) ? value : `${before}, ${value}`
