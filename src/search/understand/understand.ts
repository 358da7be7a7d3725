import { groupBy } from '../../lib/groups.ts'
import { foldText } from '../../lib/text.ts'
import { canonicalState } from '../../lookups/states.ts'
import { alternativesOf } from '../places/place.ts'
import { areaAt, countAt, currencyAt, type Found, priceAt } from './amounts.ts'
import { type Token, tokensOf } from './tokens.ts'
import {
  AMENITY_PHRASES,
  CHEAP_WORDS,
  COURTESIES,
  FILLERS,
  OPERATION_PHRASES,
  TYPE_PHRASES,
} from './vocabulary.ts'

/** The facts about public listings that understanding needs. */
export interface Market {
  /** The spelling of a city, municipality, neighborhood or state, by its folded name or a prefix of it. */
  placeNamed(folded: string): string | undefined
  placeStarting(folded: string): string | undefined
  /** States are the largest places, neighborhoods the smallest. */
  sizeOf(place: string): number
  /** The location of a place: the center of its listings. */
  middleOf(place: string): { lat: number; lng: number; radiusKm: number } | undefined
  /** How many listings contain the word; counts no further than `most`. */
  timesSaid(folded: string, most: number): number
  /** The known word closest to a mistyped one, of those that are at least that common. */
  correct(folded: string, atLeast: number): string | undefined
}

interface Piece {
  /** As typed. */
  text: string
  parameter: string
  value: string
}

export interface Understood {
  /** Search parameters; explicit ones of the same name take precedence. */
  parameters: URLSearchParams
  pieces: Piece[]
  /** The place that the circle is around, as people write it. */
  near: string | undefined
  /** The rest, to be searched for as text. */
  text: string
  corrections: { from: string; to: string }[]
}

const MAX_LENGTH = 300
const LONGEST_PHRASE = 6
const COUNTRY = 'mexico'
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
   industrial comercial`.split(/\s+/),
)

/** Translates typed text into search parameters. Pure: the same words and market give the same answer. */
export function understand(typed: string, market: Market): Understood {
  const first = read(typed.slice(0, MAX_LENGTH), market)
  const corrections = correctionsOf(first, market)
  if (corrections.length === 0) return understoodFrom(first, [])
  return understoodFrom(read(corrected(first.typed, corrections), market), corrections)
}

function read(typed: string, market: Market): Reading {
  const reading: Reading = { typed, tokens: tokensOf(typed), market, pieces: [], rest: [], places: new Map() }
  for (let at = 0; at < reading.tokens.length; ) at = readOne(reading, at)
  reading.pieces = reading.pieces.map(measured(reading.pieces)).concat(operationImplied(reading.pieces))
  return reading
}

function understoodFrom(reading: Reading, corrections: Correction[]): Understood {
  const { typed, pieces, near, rest } = reading
  const parameters = parametersOf(reading)
  return {
    parameters,
    pieces: pieces.filter(({ parameter }) => parameters.has(parameter)),
    near,
    text: rest.map(({ start, end }) => typed.slice(start, end)).join(' '),
    corrections: corrections.map(({ from, to }) => ({ from, to })),
  }
}

interface Correction {
  from: string
  to: string
  token: Token
}

/** A word in more listings than this is meant as it is typed. */
const RARE = 2
/** In so few listings it may be their typo: one for each of these that have the other word. */
const TIMES_MORE = 20

/** A word that no listing contains, or almost none, is a typo if a known one is close enough. Numbers are never changed. */
function correctionsOf({ typed, rest }: Reading, market: Market): Correction[] {
  return rest.flatMap(token => {
    if (/\d/.test(token.text)) return []
    const said = market.timesSaid(token.text, RARE + 1)
    const to = said > RARE ? undefined : market.correct(token.text, said * TIMES_MORE)
    return to === undefined ? [] : [{ from: typed.slice(token.start, token.end), to, token }]
  })
}

function corrected(typed: string, corrections: Correction[]): string {
  return corrections.reduceRight(
    (text, { to, token }) => text.slice(0, token.start) + to + text.slice(token.end),
    typed,
  )
}

interface Reading {
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

type Recognizer = (reading: Reading, at: number) => Found | undefined

/** Applies the recognizer that matches the most tokens at a position; earlier ones win a tie. */
function readOne(reading: Reading, at: number): number {
  const found = RECOGNIZERS.flatMap(recognize => recognize(reading, at) ?? []).reduce<Found | undefined>(
    (best, one) => (best && best.to >= one.to ? best : one),
    undefined,
  )
  if (found) {
    take(reading, at, found)
    return found.to
  }
  const token = reading.tokens[at] as Token
  if (isText(token)) reading.rest.push(token)
  return at + 1
}

const isText = ({ text }: Token) => /[\p{L}\p{N}]/u.test(text) && !FILLERS.has(text)

function take(reading: Reading, at: number, { to, parameters, near, isPaired }: Found): void {
  const { typed, tokens, pieces } = reading
  const [first, last] = [tokens[at] as Token, tokens[to - 1] as Token]
  const text = typed.slice(first.start, last.end)
  for (const [parameter, value] of parameters) pieces.push({ text, parameter, value })
  if (near) reading.near = near
  if (isPaired) reading.isPaired = true
}

// ---- recognizers -------------------------------------------------------------------------------------------

const wordsAt = (tokens: Token[], from: number, to: number) =>
  tokens
    .slice(from, to)
    .map(token => token.text)
    .join(' ')

/** The longest phrase that starts here and has a value. */
function longest<T>(tokens: Token[], at: number, meaningOf: (phrase: string) => T | undefined) {
  for (let to = Math.min(tokens.length, at + LONGEST_PHRASE); to > at; to--) {
    const value = meaningOf(wordsAt(tokens, at, to))
    if (value !== undefined) return { to, value }
  }
  return undefined
}

const byPhrase =
  (parameter: string, phrases: ReadonlyMap<string, string>): Recognizer =>
  ({ tokens }, at) => {
    const found = longest(tokens, at, phrase => phrases.get(phrase))
    return found && { to: found.to, parameters: [[parameter, found.value]] }
  }

/** What stands between two of which either will do, and how a place says it. */
const LINKS = new Map([
  ...['o', 'u', 'y', 'e', '/'].map(word => [word, ' o '] as const),
  ...['or', 'and'].map(word => [word, ' or '] as const),
])

/** "casa o departamento" asks for both; in "casa con terreno" the second only describes the first. */
const typeAt: Recognizer = (reading, at) => {
  const found = byPhrase('type', TYPE_PHRASES)(reading, at)
  const before = reading.pieces.find(({ parameter }) => parameter === 'type')
  if (!found || !before) return found
  return LINKS.has(reading.tokens[at - 1]?.text ?? '') ? found : undefined
}

const operationAt = byPhrase('operation', OPERATION_PHRASES)

const amenityAt = byPhrase('features', AMENITY_PHRASES)

/** "sin alberca ni elevador", "no amueblado", "que no tenga alberca", "without pool"; "con o sin alberca" asks for nothing. */
const deniedAt: Recognizer = (reading, at) => {
  const { tokens } = reading
  if (!/^(sin|no|ni|without|not|non)$/.test(tokens[at]?.text ?? '')) return undefined
  const verb = /^(quiero|quisiera|tenga|tengan|hay|haya|sea|este)$/.test(tokens[at + 1]?.text ?? '') ? 1 : 0
  const found = byPhrase('exclude_features', AMENITY_PHRASES)(reading, at + 1 + verb)
  const isEither = /^(con o|with or)$/.test(wordsAt(tokens, at - 2, at))
  return found && isEither ? { ...found, parameters: [] } : found
}

/** What people say before and after, and the country, which all listings are in. */
const saidAt: Recognizer = ({ tokens }, at) => {
  const found = longest(tokens, at, phrase => (COURTESIES.has(phrase) ? phrase : undefined))
  if (found) return { to: found.to, parameters: [] }
  const isStreet = /^(av|avenida|calle|calz|calzada)$/.test(tokens[at - 1]?.text ?? '')
  return tokens[at]?.text === COUNTRY && !isStreet ? { to: at + 1, parameters: [] } : undefined
}

const cheapAt: Recognizer = ({ tokens }, at) =>
  CHEAP_WORDS.has(tokens[at]?.text ?? '') ? { to: at + 1, parameters: [['sort', 'price_asc']] } : undefined

/** Their second word alone is another place: Puerto Morelos is not in Morelos. */
const NAME_STARTS = /^(san|sn|santa|sta|santo|puerto)$/

interface Place {
  to: number
  value: string
}

function placeFrom({ tokens, market, places }: Reading, at: number): Place | undefined {
  if (!places.has(at)) {
    const place = longest(tokens, at, phrase =>
      // A sign after a name is not part of it: "Zapopan / Tonalá".
      phrase === COUNTRY || /[^\p{L}\p{N}]$/u.test(phrase) ? undefined : market.placeNamed(phrase),
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
  // "cerca del mar" is not the neighborhood "Del Mar".
  if (before?.text === 'cerca' && FILLERS.has(word)) return undefined
  const isGeneric = !hasCue && GENERIC.has(word)
  const whole = placeFrom(reading, at)
  if (whole && !(isGeneric && whole.to === at + 1)) return whole
  if (FILLERS.has(word)) return undefined
  const begun = longest(tokens, at, phrase =>
    FILLERS.has(phrase.slice(phrase.lastIndexOf(' ') + 1)) ? undefined : market.placeStarting(phrase),
  )
  const isEnough = begun && (begun.to > at + 1 || (word.length > 3 && !isGeneric))
  return isEnough ? begun : undefined
}

/** Of a list each place looks at those that follow: with more, a long one would take long. */
const MAX_ALTERNATIVES = 6

/** "Roma", or "Roma, Condesa o Juárez" as one: a listing is in one of them. */
const placeAt: Recognizer = (reading, at) => {
  const { tokens, market, pieces } = reading
  const first = onePlaceAt(reading, at)
  if (!first) return undefined
  const sizeOf = (place: Place) => market.sizeOf(place.value)
  const last = pieces.at(-1)
  const sizeBefore = last?.parameter === 'place' ? market.sizeOf(last.value) : undefined
  let { to, value } = first
  const names = [value]
  for (let end = to; names.length < MAX_ALTERNATIVES && tokens.slice(end).some(isLink); ) {
    const { link, next } = linkedAt(reading, end)
    // In "Mérida, Yucatán o Cancún, Quintana Roo" the second is not an alternative to the third.
    const isPair = link && next && sizeOf(next) === sizeBefore && sizeOf(next) < sizeOf(first)
    if (isPair) return { to, parameters: [['place', value]], isPaired: true }
    if (!next || !(link || sizeOf(next) === sizeOf(first))) break
    names.push(next.value)
    end = next.to
    if (link) [to, value] = [end, [...new Set(names)].join(link)]
  }
  return { to, parameters: [['place', value]] }
}

const isLink = ({ text }: Token) => LINKS.has(text)
const AFTER_LINK = /^(en|in|the|la|el|los|las|col|colonia)$/

/** The place that follows, and what links it: "o Condesa", "y/o en Condesa", "o la colonia Juárez". */
function linkedAt(reading: Reading, end: number) {
  const { tokens } = reading
  let at = end
  let link: string | undefined
  for (let token = tokens[at]; token && isLink(token); token = tokens[++at]) link = LINKS.get(token.text)
  // "Polanco o Lomas", but not "Polanco y parque".
  const isAfterOr = /^(o|u|or)$/.test(tokens[at - 1]?.text ?? '')
  for (;;) {
    const next = onlyPlaceAt(reading, at, isAfterOr)
    if (next || !link || !AFTER_LINK.test(tokens[at]?.text ?? '')) return { link, next }
    at++
  }
}

/** In "Tulum o rancho" the second is a type, although neighborhoods start with that word too. */
function onlyPlaceAt(reading: Reading, at: number, isAfterOr: boolean) {
  const place = onePlaceAt(reading, at, isAfterOr)
  const isElse = (to: number) =>
    RECOGNIZERS.some(recognize => recognize !== placeAt && (recognize(reading, at)?.to ?? 0) >= to)
  return place && !isElse(place.to) ? place : undefined
}

/** "cerca de Tulum", "near downtown Mérida", "cerca del centro de Guadalajara". */
const nearAt: Recognizer = (reading, at) => {
  const { tokens, market, pieces } = reading
  // Only the first counts, and finding a middle is a search.
  if (pieces.some(({ parameter }) => parameter === 'lat')) return undefined
  const cue = [3, 2, 1].find(count => NEAR.test(wordsAt(tokens, at, at + count)))
  if (!cue) return undefined
  const place = placeFrom(reading, at + cue)
  if (!place) return undefined
  const link = /^(de|del|en|in|of)$/.test(tokens[place.to]?.text ?? '') ? 1 : 0
  const larger = placeFrom(reading, place.to + link)
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

const RECOGNIZERS: Recognizer[] = [
  ({ tokens }, at) => countAt(tokens, at),
  ({ tokens }, at) => areaAt(tokens, at),
  ({ tokens }, at) => priceAt(tokens, at),
  ({ tokens }, at) => currencyAt(tokens, at),
  operationAt,
  typeAt,
  amenityAt,
  deniedAt,
  saidAt,
  cheapAt,
  nearAt,
  placeAt,
]

// ---- context between pieces --------------------------------------------------------------------------------

const OPEN_LAND = new Set(['land', 'ranch'])

/** Land has no built area: a size given for it is the lot's. */
const measured = (pieces: Piece[]) => {
  const types = pieces.filter(({ parameter }) => parameter === 'type')
  const isLand = types.length > 0 && types.every(({ value }) => OPEN_LAND.has(value))
  return (piece: Piece): Piece =>
    isLand ? { ...piece, parameter: piece.parameter.replace('_construction', '_lot') } : piece
}

/** Monthly rents are never above this, and sale prices never below that. */
const SALE_FROM = 500_000
const RENT_UP_TO = 80_000

function operationImplied(pieces: Piece[]): Piece[] {
  const price = pieces.find(({ parameter }) => parameter === 'max_price' || parameter === 'min_price')
  const isNamed = pieces.some(({ parameter, value }) => parameter === 'operation' || value === 'USD')
  if (!price || isNamed) return []
  const amount = Number(price.value)
  if (amount >= SALE_FROM) return [{ text: price.text, parameter: 'operation', value: 'sale' }]
  return amount <= RENT_UP_TO ? [{ text: price.text, parameter: 'operation', value: 'rental' }] : []
}

// ---- merging the pieces ------------------------------------------------------------------------------------

const REPEATABLE = new Set(['type', 'features', 'exclude_features'])

/** Both operations are any; of any other parameter that cannot be repeated the first value wins. */
function parametersOf(reading: Reading): URLSearchParams {
  const { pieces } = reading
  const parameters = new URLSearchParams()
  const place = placeOf(reading)
  for (const { parameter, value } of pieces) {
    if (parameter === 'place') parameters.set('place', place)
    else if (REPEATABLE.has(parameter)) {
      if (!parameters.has(parameter, value)) parameters.append(parameter, value)
    } else if (!parameters.has(parameter)) parameters.set(parameter, value)
  }
  const isAny =
    new Set(pieces.flatMap(piece => (piece.parameter === 'operation' ? piece.value : []))).size > 1
  if (isAny) parameters.delete('operation')
  // "amueblada o sin amueblar"
  for (const amenity of parameters.getAll('exclude_features')) {
    if (!parameters.has('features', amenity)) continue
    for (const name of ['features', 'exclude_features']) parameters.delete(name, amenity)
  }
  return parameters
}

/** Several places narrow each other, smallest first; in pairs, those of a size are alternatives. */
function placeOf({ pieces, market, isPaired }: Reading): string {
  const sizeOf = (place: string) => Math.min(...alternativesOf(place).map(one => market.sizeOf(one)))
  const places = pieces
    .flatMap(({ parameter, value }) => (parameter === 'place' ? [value] : []))
    .sort((a, b) => sizeOf(a) - sizeOf(b))
  if (!isPaired) return places.reduce(joined, '')
  const bySize = groupBy([...new Set(places)], sizeOf)
  return [...bySize.values()].map(names => names.join(' o ')).join(', ')
}

/** "Querétaro Qro" is the city in the state of that name. */
const joined = (before: string, value: string) =>
  before === '' || (before === value && !canonicalState(foldText(value))) ? value : `${before}, ${value}`
