import type { Currency } from '../../lib/money.ts'
import type { Operation } from '../../lookups/catalog.ts'
import { areaAt } from './areas.ts'
import { currencyAt, periodAt, priceAt } from './prices.ts'
import {
  type Found,
  LINKS,
  longest,
  type Market,
  type Piece,
  type Reading,
  type Recognizer,
} from './reading.ts'
import { countAt } from './rooms.ts'
import { endOf, type Token, tokensOf, wordsAt } from './tokens.ts'
import { COUNTRY, nearAt, placeOf, placeRecognizer } from './typed-places.ts'
import {
  AMENITY_PHRASES,
  CHEAP_WORDS,
  COURTESIES,
  DENIED_PHRASES,
  FILLERS,
  NARROWER_TYPES,
  NO_TYPOS,
  OPERATION_PHRASES,
  TYPE_PHRASES,
} from './vocabulary.ts'

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

/** Of a question; the rest of a longer one is not looked at. */
export const MAX_ASKED = 300

/** Translates typed text into search parameters. Pure: the same words and market give the same answer. */
export function understand(typed: string, market: Market): Understood {
  const first = read(typed.slice(0, MAX_ASKED), market)
  const corrections = correctionsOf(first, market)
  if (corrections.length === 0) return understoodFrom(first, [])
  return understoodFrom(read(corrected(first.typed, corrections), market), corrections)
}

function read(typed: string, market: Market): Reading {
  const reading: Reading = { typed, tokens: tokensOf(typed), market, pieces: [], rest: [], places: new Map() }
  for (let at = 0; at < reading.tokens.length; ) at = readOne(reading, at)
  const pieces = withoutPeriodOfSale(reading.pieces)
  reading.pieces = pieces.map(measured(pieces)).concat(implied(pieces))
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
    if (/\d/.test(token.text) || NO_TYPOS.has(token.text)) return []
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
  if (isText(token) && !isLoose(reading, at)) reading.rest.push(token)
  return at + 1
}

const isText = ({ text }: Token) => /[\p{L}\p{N}]/u.test(text) && !FILLERS.has(text)

/** "tengo 2 niños", but not "calle 60": a small number that nothing explains finds listings by chance. */
const isLoose = ({ tokens, rest }: Reading, at: number) => {
  const [before, token] = [tokens[at - 1], tokens[at]]
  const isAddress = tokens
    .slice(0, at)
    .some(({ text }) => /^(calle|av|avenida|entre|lote|manzana)$/.test(text))
  return (token?.number ?? 100) < 100 && !isAddress && (!before || !rest.includes(before))
}

function take(reading: Reading, at: number, { to, parameters, near, isPaired }: Found): void {
  const { typed, tokens, pieces } = reading
  const [first, last] = [tokens[at] as Token, tokens[to - 1] as Token]
  const text = typed.slice(first.start, last.end)
  for (const [parameter, value] of parameters) pieces.push({ text, parameter, value })
  if (NARROWER_TYPES.has(first.text) && to === at + 1) reading.rest.push(first)
  if (near) reading.near = near
  if (isPaired) reading.isPaired = true
}

// ---- recognizers -------------------------------------------------------------------------------------------

const byPhrase =
  (parameter: string, phrases: ReadonlyMap<string, string>): Recognizer =>
  ({ tokens }, at) => {
    const found = longest(tokens, at, phrase => phrases.get(phrase))
    return found && { to: found.to, parameters: [[parameter, found.value]] }
  }

/** "casa o departamento" asks for both; in "casa con terreno" and "bodega con andén y oficina" the second only describes the first. */
const typeAt: Recognizer = (reading, at) => {
  const { tokens, pieces } = reading
  const found = byPhrase('type', TYPE_PHRASES)(reading, at)
  if (!found || !pieces.some(({ parameter }) => parameter === 'type')) return found
  const link = tokens[at - 1]?.text ?? ''
  const isDescribed =
    /^(y|e|and)$/.test(link) && tokens.slice(0, at).some(({ text }) => /^(con|with)$/.test(text))
  return LINKS.has(link) && !isDescribed ? found : undefined
}

const operationAt = byPhrase('operation', OPERATION_PHRASES)

const amenityAt = byPhrase('features', AMENITY_PHRASES)

/** In "terraza privada" it says whose the terrace is, not where. */
const ownAt: Recognizer = ({ typed, tokens, pieces }, at) => {
  const [before, last] = [tokens[at - 1], pieces.at(-1)]
  if (!before || !/^privad[oa]s?$/.test(tokens[at]?.text ?? '')) return undefined
  const isAmenity =
    last?.parameter === 'features' && last.text.endsWith(typed.slice(before.start, before.end))
  return isAmenity ? { to: at + 1, parameters: [] } : undefined
}

const PARKING = /^(estacionamiento|parking)$/
const ANY_PARKING =
  /^((lugar|lugares|cajon|cajones)( de estacionamiento)?|estacionamiento|parking|cochera|cocheras|garage|garaje)$/

/** "con estacionamiento": with a number it is counted. */
const parkingAt: Recognizer = ({ tokens }, at) =>
  PARKING.test(tokens[at]?.text ?? '') ? { to: at + 1, parameters: [['min_parking', '1']] } : undefined

const DENIED_VERB =
  /^(quiero|quisiera|tenga|tengan|hay|haya|sea|este|acepta|acepte|aceptan|acepten|admite|admiten|permite|permiten|permitan)$/
/** What is not needed may be there, and who has no dog may live with others. */
const NEEDED =
  /^(necesito|necesitamos|requiero|importa|importan|es necesario|hace falta|tengo|tenemos|need|have)$/
const DENIAL = /^(sin|no|ni|without|not|non|s \/|don t|dont)$/

/** "sin alberca ni elevador", "no amueblado", "que no tenga alberca", "without pool or garden"; "con o sin alberca" asks for nothing. */
const deniedAt: Recognizer = (reading, at) => {
  const { tokens } = reading
  const whole = byPhrase('exclude_features', DENIED_PHRASES)(reading, at)
  if (whole) return whole
  let next = endOf(tokens, at, DENIAL, 2)
  if (!next) return undefined
  if (tokens[next]?.text === 'se') next++
  const needed = endOf(tokens, next, NEEDED, 2)
  if (needed) next = needed
  else if (DENIED_VERB.test(tokens[next]?.text ?? '')) next++
  const found = deniedFrom(reading, next)
  const isEither = /^(con o|with or)$/.test(wordsAt(tokens, at - 2, at))
  return found && (isEither || needed) ? { ...found, parameters: [] } : found
}

/** Parking, or amenities with "ni", "o" or "y" between them. */
function deniedFrom(reading: Reading, at: number): Found | undefined {
  const { tokens } = reading
  const parking = endOf(tokens, at, ANY_PARKING, 3)
  const amenity = byPhrase('exclude_features', AMENITY_PHRASES)(reading, at)
  if (parking && (amenity?.to ?? 0) <= parking) return { to: parking, parameters: [['max_parking', '0']] }
  const isNext = /^(o|or|ni|nor|y|and)$/.test(tokens[amenity?.to ?? -1]?.text ?? '')
  const more = amenity && isNext ? deniedFrom(reading, amenity.to + 1) : undefined
  return amenity && more ? { to: more.to, parameters: [...amenity.parameters, ...more.parameters] } : amenity
}

/** "no departamentos", "que no sea condominio", "cdmx excepto tlalpan": there is no filter for it, and it must not be asked for. */
const unwantedAt =
  (others: readonly Recognizer[]): Recognizer =>
  (reading, at) => {
    const { tokens } = reading
    const cue = endOf(tokens, at, UNWANTED, 3)
    if (!cue) return undefined
    const from = /^(la|el|los|las|the|de)$/.test(tokens[cue]?.text ?? '') ? cue + 1 : cue
    // As the first of its kind: a second type would need "o" before it.
    const found = others
      .map(recognize => recognize({ ...reading, pieces: [] }, from))
      .find(one => one !== undefined)
    return found && { to: found.to, parameters: [] }
  }
const UNWANTED =
  /^((excepto|except|salvo|menos|no|ni|not|no sea|no este|no sean|no esten|no quiero|no busco)( en| in)?|fuera de|outside of)$/

/** "a 500 metros de la playa", "a 10 minutos del centro". */
const isDistance = (tokens: Token[], at: number) =>
  tokens[at - 1]?.text === 'a' &&
  tokens[at]?.number !== undefined &&
  /^(m|mts|metros|km|kms|cuadras|minutos|min|pasos)$/.test(tokens[at + 1]?.text ?? '') &&
  /^del?$/.test(tokens[at + 2]?.text ?? '')

/** What people say before and after, how long they stay, how far it may be, and the country, which all listings are in. */
const saidAt: Recognizer = ({ tokens }, at) => {
  const found = longest(tokens, at, phrase => (COURTESIES.has(phrase) ? phrase : undefined))
  // "a lot of 500 m2" is land.
  if (found && tokens[found.to]?.number === undefined) return { to: found.to, parameters: [] }
  const isStay =
    tokens[at]?.number !== undefined && /^(mes|meses|month|months)$/.test(tokens[at + 1]?.text ?? '')
  if (isStay || isDistance(tokens, at)) return { to: at + 2, parameters: [] }
  const isStreet = /^(av|avenida|calle|calz|calzada)$/.test(tokens[at - 1]?.text ?? '')
  return tokens[at]?.text === COUNTRY && !isStreet ? { to: at + 1, parameters: [] } : undefined
}

const cheapAt: Recognizer = ({ tokens }, at) =>
  CHEAP_WORDS.has(tokens[at]?.text ?? '') ? { to: at + 1, parameters: [['sort', 'price_asc']] } : undefined

/** Without an amount, "al día" and "anual" are said of other things: "predial al día". */
const periodSaidAt: Recognizer = ({ tokens, pieces }, at) => {
  const found = periodAt(tokens, at)
  if (!found) return undefined
  const isAfterRent = pieces.at(-1)?.value === 'rental' && OPERATION_PHRASES.has(tokens[at - 1]?.text ?? '')
  const next = tokens[found.to]?.text ?? ''
  if (isAfterRent || OPERATION_PHRASES.get(next) === 'rental') return found
  // "por semana santa", "por mes de julio"
  return /^(por|x|per)$/.test(tokens[at]?.text ?? '') && !/^(santa|de)$/.test(next) ? found : undefined
}

const roomsAt: Recognizer = ({ tokens }, at) => countAt(tokens, at)

const OTHERS: Recognizer[] = [
  roomsAt,
  ({ tokens }, at) => areaAt(tokens, at),
  ({ tokens }, at) => priceAt(tokens, at),
  ({ tokens }, at) => currencyAt(tokens, at),
  periodSaidAt,
  operationAt,
  typeAt,
  ownAt,
  amenityAt,
  deniedAt,
  parkingAt,
  saidAt,
  cheapAt,
  nearAt,
]
const placeAt = placeRecognizer(OTHERS)
const RECOGNIZERS = [...OTHERS, placeAt, unwantedAt([typeAt, operationAt, roomsAt, placeAt])]

// ---- context between pieces --------------------------------------------------------------------------------

const OPEN_LAND = new Set(['land', 'ranch'])

/** Land has no built area: a size given for it is the lot's, and so is a second size of "120 m2 construidos en 200 m2". */
const measured = (pieces: Piece[]) => {
  const types = pieces.filter(({ parameter }) => parameter === 'type')
  const isLand = types.length > 0 && types.every(({ value }) => OPEN_LAND.has(value))
  const saysBuilt = ({ text }: Piece) => /constru|built|cubiert/i.test(text)
  const hasBuilt = pieces.some(piece => piece.parameter === 'min_construction' && saysBuilt(piece))
  const isSecond = (piece: Piece) => hasBuilt && piece.parameter === 'min_construction' && !saysBuilt(piece)
  return (piece: Piece): Piece =>
    isLand || isSecond(piece)
      ? { ...piece, parameter: piece.parameter.replace('_construction', '_lot') }
      : piece
}

/** Who names such an amount does not mean a monthly rent, or not a sale; between them it may be either. */
const SALE_FROM = { MXN: 200_000, USD: 20_000 }
const RENT_UP_TO = { MXN: 80_000, USD: 5_000 }

/** A sale has no period: in "en venta, 1,500 al mes de mantenimiento" it is of something else. */
function withoutPeriodOfSale(pieces: Piece[]): Piece[] {
  const periods = new Set(
    pieces.flatMap(({ parameter, text }) => (parameter === 'rent_period' ? [text] : [])),
  )
  const isSale = pieces.some(({ parameter, value }) => parameter === 'operation' && value === 'sale')
  const isOfPeriod = ({ parameter, text }: Piece) =>
    /^(rent_period|operation)$/.test(parameter) && periods.has(text)
  return isSale ? pieces.filter(piece => !isOfPeriod(piece)) : pieces
}

/** The operation that a price tells, and of a rent that it is by the month. */
function implied(pieces: Piece[]): Piece[] {
  const price = pieces.find(({ parameter }) => parameter === 'max_price' || parameter === 'min_price')
  if (!price) return []
  const said = (name: string) =>
    pieces.filter(({ parameter }) => parameter === name).map(({ value }) => value)
  const currency = said('currency').includes('USD') ? 'USD' : 'MXN'
  const isLand = said('type').length > 0 && said('type').every(type => OPEN_LAND.has(type))
  const likely = operationsOf(Number(price.value), currency).filter(value => value === 'sale' || !isLand)
  const operations = said('operation').length > 0 ? said('operation') : likely
  const isRent = operations.every(value => value === 'rental') && operations.length > 0
  const told = [
    ...(said('operation').length > 0 ? [] : operations.map(value => ({ parameter: 'operation', value }))),
    ...(isRent && said('rent_period').length === 0 ? [{ parameter: 'rent_period', value: 'monthly' }] : []),
  ]
  return told.map(one => ({ text: price.text, ...one }))
}

const operationsOf = (amount: number, currency: Currency): Operation[] =>
  amount >= SALE_FROM[currency] ? ['sale'] : amount <= RENT_UP_TO[currency] ? ['rental'] : []

// ---- merging the pieces ------------------------------------------------------------------------------------

const REPEATABLE = new Set(['type', 'features', 'exclude_features'])

/** Both operations are any, and so are two periods; of any other parameter that cannot be repeated the first value wins. */
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
  for (const name of ['operation', 'rent_period']) {
    const values = new Set(pieces.flatMap(({ parameter, value }) => (parameter === name ? [value] : [])))
    if (values.size > 1) parameters.delete(name)
  }
  // "amueblada o sin amueblar"
  for (const amenity of parameters.getAll('exclude_features')) {
    if (!parameters.has('features', amenity)) continue
    for (const name of ['features', 'exclude_features']) parameters.delete(name, amenity)
  }
  return parameters
}
