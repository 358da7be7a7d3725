import type { Currency } from '../../lib/money.ts'
import { type Found, longest } from './reading.ts'
import { numberAt, type Token, tokensOf, wordsAt } from './tokens.ts'
import { BATHROOM_WORDS, BEDROOM_WORDS, FLOOR_WORDS, PARKING_WORDS, PERIOD_PHRASES } from './vocabulary.ts'

const AT_MOST = /^(hasta|maximo|max|tope|presupuesto de|presupuesto|up to|max of|at most|budget)$/
const LESS_THAN =
  /^(menos de|por debajo de|debajo de|abajo de|menor a|menor de|menores a|under|below|less than)$/
const AT_LEAST =
  /^(desde|minimo|min|a partir de|al menos|por lo menos|mayor a|mayor de|mayores a|from|at least|starting at)$/
const MORE_THAN =
  /^(mas de|arriba de|por encima de|pase de|pasen de|exceda|exceda de|exceda los|rebase|rebase los|supere|supere los|over|above|more than|exceeding)$/
const LONGEST_CUE = 3
const NOT = /^(no|not)$/
/** Between "no" and the words it denies: "que no cueste más de". */
const DENIED_VERB = /^(cueste|cuesten|sea|sean|tenga|tengan)$/

interface Cue {
  to: number
  bound: 'most' | 'less' | 'least' | 'more'
}

const OPPOSITE = { more: 'most', least: 'most', less: 'least', most: 'more' } as const

/** "hasta", "más de", and denied: "no mayor a", "no menos de", "not more than". */
function cueAt(tokens: Token[], at: number): Cue | undefined {
  if (!NOT.test(tokens[at]?.text ?? '')) return plainCueAt(tokens, at)
  const verb = DENIED_VERB.test(tokens[at + 1]?.text ?? '') ? 1 : 0
  const denied = plainCueAt(tokens, at + 1 + verb)
  return denied && { to: denied.to, bound: OPPOSITE[denied.bound] }
}

function plainCueAt(tokens: Token[], at: number): Cue | undefined {
  for (let to = Math.min(tokens.length, at + LONGEST_CUE); to > at; to--) {
    const words = wordsAt(tokens, at, to)
    if (AT_MOST.test(words)) return { to, bound: 'most' }
    if (LESS_THAN.test(words)) return { to, bound: 'less' }
    if (AT_LEAST.test(words)) return { to, bound: 'least' }
    if (MORE_THAN.test(words)) return { to, bound: 'more' }
  }
  return undefined
}

const isUpper = (cue: Cue | undefined) => cue?.bound === 'most' || cue?.bound === 'less'

/** One number, or two that say from where to where. */
interface Numbers {
  to: number
  low: number
  high?: number
}

/** Opens a range that its first number does not: "entre 2 y 3", "de 80 a 100". */
const OPENS = /^(entre|de|between|from|desde)$/
const JOINS = /^(a|to|hasta|o|u|or|y|and|-|–)$/

/** "3", "2 a 3", "1 o 2", "entre 200 y 300", "80-100". */
function numbersAt(tokens: Token[], at: number): Numbers | undefined {
  const opens = OPENS.test(tokens[at]?.text ?? '')
  const first = opens ? at + 1 : at
  const low = numberAt(tokens, first)
  if (!low) return undefined
  const join = tokens[low.to]?.text ?? ''
  const high = JOINS.test(join) ? numberAt(tokens, low.to + 1) : undefined
  // "lote 5 - 200 m2" is not a range.
  const isRange = high && high.count > low.count && !(/^[-–]$/.test(join) && high.count > low.count * 10)
  if (isRange) return { to: high.to, low: low.count, high: high.count }
  return opens ? undefined : { to: low.to, low: low.count }
}

const bounds = (name: string, low: number | undefined, high: number | undefined): Found['parameters'] => [
  ...(low === undefined ? [] : [[`min_${name}`, String(low)] as [string, string]]),
  ...(high === undefined ? [] : [[`max_${name}`, String(high)] as [string, string]]),
]

// ---- rooms and parking -------------------------------------------------------------------------------------

const COUNTED: [name: string, words: ReadonlySet<string>][] = [
  ['bedrooms', BEDROOM_WORDS],
  ['bathrooms', BATHROOM_WORDS],
  ['parking', PARKING_WORDS],
  ['floors', FLOOR_WORDS],
]
const MOST_COUNTED = 50

/** "3/2.5": bedrooms and bathrooms. "1/2" is a half, and a date has two slashes. */
function roomsAt(tokens: Token[], at: number): Found | undefined {
  const [bedrooms, slash, bathrooms, after] = tokens.slice(at, at + 4)
  const isCount = ({ number = 0 }: Token) => number >= 1 && number < 10
  if (slash?.text !== '/' || !bedrooms || !bathrooms || ![bedrooms, bathrooms].every(isCount))
    return undefined
  if (`${bedrooms.text}/${bathrooms.text}` === '1/2' || after?.text === '/') return undefined
  const floor = ({ number = 0 }: Token) => Math.floor(number)
  return {
    to: at + 3,
    parameters: [
      ...bounds('bedrooms', floor(bedrooms), undefined),
      ...bounds('bathrooms', floor(bathrooms), undefined),
    ],
  }
}

/** "3 recámaras", "dos baños y medio", "2 a 3 recámaras", "2+ bedrooms", "cochera para 2 autos", "hasta 2 recámaras", "3/2". */
export function countAt(tokens: Token[], at: number): Found | undefined {
  const rooms = roomsAt(tokens, at)
  if (rooms) return rooms
  const cue = cueAt(tokens, at)
  let next = cue?.to ?? at
  if (
    /^(cochera|garage|garaje|estacionamiento)$/.test(tokens[next]?.text ?? '') &&
    tokens[next + 1]?.text === 'para'
  )
    next += 2
  const numbers = numbersAt(tokens, next)
  if (!numbers || numbers.low > MOST_COUNTED) return undefined
  next = numbers.to
  if (wordsAt(tokens, next, next + 3) === '1 / 2') next += 3
  if (tokens[next]?.text === '+') next++
  if (/^(o mas|or more)$/.test(wordsAt(tokens, next, next + 2))) next += 2
  const [name] = COUNTED.find(([, words]) => words.has(tokens[next]?.text ?? '')) ?? []
  if (!name) return undefined
  next++
  if (
    name === 'parking' &&
    /^de (estacionamiento|cochera|garage|garaje)$/.test(wordsAt(tokens, next, next + 2))
  )
    next += 2
  if (name === 'bathrooms' && wordsAt(tokens, next, next + 2) === 'y medio') next += 2
  if (name === 'bathrooms' && wordsAt(tokens, next, next + 4) === 'y 1 / 2') next += 4
  if (/^(o mas|or more)$/.test(wordsAt(tokens, next, next + 2))) next += 2
  const [low, high] = [Math.floor(numbers.low), numbers.high && Math.floor(numbers.high)]
  if (cue?.bound === 'less') return { to: next, parameters: bounds(name, undefined, Math.max(0, low - 1)) }
  if (cue?.bound === 'most') return { to: next, parameters: bounds(name, undefined, high ?? low) }
  // A house of two floors is not one of three.
  if (name === 'floors' && !cue) return { to: next, parameters: bounds(name, low, high ?? low) }
  return { to: next, parameters: bounds(name, cue?.bound === 'more' ? low + 1 : low, high) }
}

// ---- areas -------------------------------------------------------------------------------------------------

const LOT = /^(terreno|lote|land|lot)$/
const BUILT = /^(construccion|construidos|construido|built|cubiertos)$/
const METERS = /^(m|mt|mts|mtrs|metro|metros)$/
const LAND = /^(terreno|terrenos|lote|lotes|predio|predios|solar|land|lot|plot)$/
/** Of a lot, in meters: "4x4" is a car, and streets have high numbers. */
const [SHORTEST_SIDE, LONGEST_SIDE] = [5, 500]
/** Without a unit, smaller numbers mean something else. */
const SMALLEST_AREA = 20

/** Square meters in each, and whether it is a unit of land. */
const AREA_UNITS: [words: RegExp, meters: number, isLot: boolean][] = [
  [/^(m2|m²|mts2|mts|mt2|mt|metros|metro|mtrs|sqm|m)$/, 1, false],
  [/^(ha|has|hectarea|hectareas|hectare|hectares)$/, 10_000, true],
  [/^(acre|acres)$/, 4046.86, true],
  [/^(sqft|ft2|sq ft|sq feet|square feet|pies cuadrados)$/, 0.092903, false],
]

/** "200 m2", "80 a 100 m2", "más de 300 metros de terreno", "2 hectáreas", "media hectárea", "10x20", "250 de construcción". */
export function areaAt(tokens: Token[], at: number): Found | undefined {
  const cue = cueAt(tokens, at)
  const start = cue?.to ?? at
  const size = sidesAt(tokens, start) ?? measuredAt(tokens, start)
  if (!size) return undefined
  let next = size.to
  if (/^(cuadrados|cuadrado|squared)$/.test(tokens[next]?.text ?? '')) next++
  const of = kindAt(tokens, next)
  if (of) next = of.to
  // "casa con terreno de 500 metros"
  const before = tokens[at - 1]?.text === 'de' ? at - 2 : at - 1
  const isLot = of ? of.isLot : size.isLot || LOT.test(tokens[before]?.text ?? '')
  const name = isLot ? 'lot' : 'construction'
  const { low, high } = size
  if (isUpper(cue)) return { to: next, parameters: bounds(name, undefined, high ?? low) }
  return { to: next, parameters: bounds(name, low, high) }
}

/** "de terreno", "construidos". */
function kindAt(tokens: Token[], at: number): { to: number; isLot: boolean } | undefined {
  const of = /^(de|of)$/.test(tokens[at]?.text ?? '') ? at + 1 : at
  const word = tokens[of]?.text ?? ''
  return LOT.test(word) || BUILT.test(word) ? { to: of + 1, isLot: LOT.test(word) } : undefined
}

type Size = Numbers & { isLot: boolean }

function measuredAt(tokens: Token[], at: number): Size | undefined {
  const half = halfAt(tokens, at)
  const numbers = half ?? thousandsAt(tokens, at) ?? numbersAt(tokens, at)
  if (!numbers) return undefined
  const { to, low, high } = numbers
  const unit = unitOfAreaAt(tokens, to)
  if (!unit) {
    const isTold = low >= SMALLEST_AREA && kindAt(tokens, to)
    return isTold && !half ? { ...numbers, isLot: false } : undefined
  }
  if (half && !unit.isLot) return undefined
  // "3 m" means three million in a price, not an area.
  if (tokens[to]?.text === 'm' && low < 20) return undefined
  const times = (area: number) =>
    Number.isInteger(unit.meters) ? area * unit.meters : Math.round(area * unit.meters)
  return {
    to: unit.to,
    low: times(low),
    ...(high === undefined ? {} : { high: times(high) }),
    isLot: unit.isLot,
  }
}

function unitOfAreaAt(tokens: Token[], at: number) {
  for (const to of [at + 1, at + 2]) {
    const [, meters, isLot] = AREA_UNITS.find(([words]) => words.test(wordsAt(tokens, at, to))) ?? []
    if (meters !== undefined && isLot !== undefined) return { to, meters, isLot }
  }
  return undefined
}

/** "media", "1/2". */
function halfAt(tokens: Token[], at: number): Numbers | undefined {
  if (/^(media|half)$/.test(tokens[at]?.text ?? '')) return { to: at + 1, low: 0.5 }
  return wordsAt(tokens, at, at + 3) === '1 / 2' ? { to: at + 3, low: 0.5 } : undefined
}

/** "5 mil", "mil", if an area follows. */
function thousandsAt(tokens: Token[], at: number): Numbers | undefined {
  const count = tokens[at]?.text === 'mil' ? { to: at, count: 1 } : numberAt(tokens, at)
  if (!count || tokens[count.to]?.text !== 'mil') return undefined
  return { to: count.to + 1, low: count.count * 1_000 }
}

/** A lot of 10 by 20 meters: it says meters, or land before it. "60 x 35" is a corner in Yucatán, "por 5 millones" a price. */
function sidesAt(tokens: Token[], at: number): Size | undefined {
  const isMeters = (place: number) => METERS.test(tokens[place]?.text ?? '')
  const times = isMeters(at + 1) ? at + 2 : at + 1
  const [wide, long] = [tokens[at]?.number, tokens[times + 1]?.number]
  if (wide === undefined || long === undefined) return undefined
  const hasMeters = isMeters(times + 2)
  const isLand = tokens.slice(Math.max(0, at - 3), at).some(({ text }) => LAND.test(text))
  const by = tokens[times]?.text ?? ''
  const isBy = /^[x×]$/.test(by) || (by === 'por' && unitAt(tokens, times + 2) === 1)
  if (!isBy || !(hasMeters || isLand)) return undefined
  if (![wide, long].every(side => side >= SHORTEST_SIDE && side <= LONGEST_SIDE)) return undefined
  return { to: hasMeters ? times + 3 : times + 2, low: cents(wide * long), isLot: true }
}

// ---- prices ------------------------------------------------------------------------------------------------

const THOUSANDS = /^(mil|k|thousand)$/
const MILLIONS = /^(millon|millones|mdp|mill|mills|mm|m|million|millions)$/
const PESOS = /^(pesos|peso|mxn|mn)$/
const DOLLARS = /^(dolares|dolar|usd|dlls|dls|dll|dollars|us)$/
const RENT = /^(renta|rentas|rento|rent|alquiler|rental)$/
/** Smaller numbers mean something else. */
const SMALLEST_PRICE = { MXN: 1_000, USD: 100 }
/** A smaller number needs a sign, a unit, a currency or other words that say it is a price. */
const PLAIN_PRICE = 10_000

interface Money {
  to: number
  amount: number
  /** Of its number: 1, 1,000 or 1,000,000. */
  unit: number
  currency?: Currency
  isMarked: boolean
}

/** In what was typed, products of decimals have no more digits. */
const cents = (amount: number) => Math.round(amount * 100) / 100

function unitAt(tokens: Token[], at: number): number {
  const word = tokens[at]?.text ?? ''
  // "a 5 m de la playa"
  const isMeters = word === 'm' && tokens[at - 2]?.text === 'a' && /^del?$/.test(tokens[at + 1]?.text ?? '')
  return isMeters ? 1 : THOUSANDS.test(word) ? 1_000 : MILLIONS.test(word) ? 1_000_000 : 1
}

const currencyOf = (token: Token | undefined): Currency | undefined =>
  DOLLARS.test(token?.text ?? '') ? 'USD' : PESOS.test(token?.text ?? '') ? 'MXN' : undefined

/** "$8,000", "2.5 mdp", "un millón y medio", "1 millón 200 mil", "300k usd", "usd 500". */
function moneyAt(tokens: Token[], at: number): Money | undefined {
  const before = currencyOf(tokens[at])
  const sign = before ? at + 1 : at
  const hasSign = tokens[sign]?.text === '$'
  const number = numeralAt(tokens, hasSign ? sign + 1 : sign)
  if (!number) return undefined
  const named = tokens[number.to]?.text === 'de' ? number.to + 1 : number.to
  const after = currencyOf(tokens[named])
  const currency = after ?? before
  return {
    ...number,
    to: after ? named + 1 : number.to,
    ...(currency ? { currency } : {}),
    isMarked: hasSign || number.unit > 1 || currency !== undefined,
  }
}

/** A number with its unit; in words only if there is one. */
function numeralAt(tokens: Token[], at: number): Pick<Money, 'to' | 'amount' | 'unit'> | undefined {
  if (/^medio millon$/.test(wordsAt(tokens, at, at + 2)))
    return { to: at + 2, amount: 500_000, unit: 1_000_000 }
  // "millón y medio"
  const numeral = tokens[at]?.text === 'millon' ? { to: at, count: 1 } : numberAt(tokens, at)
  if (!numeral) return undefined
  const { count } = numeral
  let next = numeral.to
  const isHalf = wordsAt(tokens, next, next + 2) === 'y medio' && unitAt(tokens, next + 2) > 1
  if (isHalf) next += 2
  const unit = unitAt(tokens, next)
  if (unit === 1) return tokens[at]?.number === undefined ? undefined : { to: next, amount: count, unit }
  next++
  // Thousands of millions are no price: in "3.250 millones" the point is a decimal.
  const written = tokens[at]?.text ?? ''
  const number = unit === 1_000_000 && /^\d{1,3}\.\d{3}$/.test(written) ? Number(written) : count
  let amount = (number + (isHalf ? 0.5 : 0)) * unit
  if (/^y (medio|media)$/.test(wordsAt(tokens, next, next + 2)))
    [amount, next] = [amount + unit / 2, next + 2]
  const more = restAt(tokens, next, unit)
  return { to: more?.to ?? next, amount: cents(amount + (more?.amount ?? 0)), unit }
}

/** What follows a unit: "1 millón 200 mil", "un millón doscientos", "3 mil 500". */
function restAt(tokens: Token[], at: number, unit: number): { to: number; amount: number } | undefined {
  const rest = numberAt(tokens, at)
  if (!rest || rest.count >= 1_000) return undefined
  if (unit === 1_000_000 && unitAt(tokens, rest.to) === 1_000)
    return { to: rest.to + 1, amount: rest.count * 1_000 }
  const isNext = rest.count >= 100 && unitAt(tokens, rest.to) === 1 && !unitOfAreaAt(tokens, rest.to)
  return isNext && !kindAt(tokens, rest.to) ? { to: rest.to, amount: rest.count * (unit / 1_000) } : undefined
}

const LONGEST_PRICE = 40

/** "3m", "2.5 mdp", "800 mil", "$1,250,000", as typed into a field for a price; undefined if it is not clearly one. */
export function typedPrice(text: string): { amount: number; currency?: Currency } | undefined {
  if (text.length > LONGEST_PRICE) return undefined
  const tokens = tokensOf(text)
  const money = moneyAt(tokens, 0)
  if (!money || money.to !== tokens.length) return undefined
  const { amount, currency } = money
  return { amount, ...(currency ? { currency } : {}) }
}

const isYear = (amount: number) => Number.isInteger(amount) && amount >= 1900 && amount < 2100

/** `isTold`: other words say that it is a price. */
const isPrice = ({ amount, currency, isMarked }: Money, isTold: boolean, isByDays = false) =>
  amount >= SMALLEST_PRICE[isByDays ? 'USD' : (currency ?? 'MXN')] &&
  (isMarked || amount >= PLAIN_PRICE || (isTold && !isYear(amount)))

/** "al mes", "por noche": only rents have a period. */
export function periodAt(tokens: Token[], at: number): Found | undefined {
  const found = longest(tokens, at, phrase => PERIOD_PHRASES.get(phrase))
  return (
    found && {
      to: found.to,
      parameters: [
        ['operation', 'rental'],
        ['rent_period', found.value],
      ],
    }
  )
}

const isByDays = (period: Found | undefined) =>
  period?.parameters.some(([, value]) => /^(daily|weekly)$/.test(value))

const isRentBefore = (tokens: Token[], at: number) => RENT.test(tokens[at - 1]?.text ?? '')

/** "cp 45019", "LON-12345". */
const isCode = (tokens: Token[], at: number) => {
  const before = tokens[at - 1]
  if (/^(cp|codigo|postal|tel|telefono|ref|referencia|clave|id)$/.test(before?.text ?? '')) return true
  const word = tokens[at - 2]
  return before?.text === '-' && before.end === tokens[at]?.start && word?.end === before.start
}

/** "menos de 3 millones", "entre 2 y 3 mdp", "15 mil al mes", "renta 8000", "$8,000", "under 200k usd". */
export function priceAt(tokens: Token[], at: number): Found | undefined {
  const between = rangeAt(tokens, at)
  if (between) return between
  const cue = cueAt(tokens, at)
  const money = moneyAt(tokens, cue?.to ?? at)
  if (!money || (!money.isMarked && isCode(tokens, at))) return undefined
  const period = periodAt(tokens, money.to)
  const isTold = isUpper(cue) || period !== undefined || isRentBefore(tokens, at)
  if (!isPrice(money, isTold, isByDays(period))) return undefined
  const bound = cue && !isUpper(cue) ? 'min_price' : 'max_price'
  return priced(tokens, money, [[bound, money.amount]])
}

/** "entre 2 y 3 millones", "10 a 15 mil", "2-3 mdp": the first takes the unit of the second. */
function rangeAt(tokens: Token[], at: number): Found | undefined {
  const opens = OPENS.test(tokens[at]?.text ?? '')
  const low = moneyAt(tokens, opens ? at + 1 : at)
  const joins = tokens[low?.to ?? -1]?.text ?? ''
  if (!low || !(opens ? /^(y|a|and|to|hasta|-|–)$/ : /^(a|to|-|–)$/).test(joins)) return undefined
  const high = moneyAt(tokens, low.to + 1)
  if (!high) return undefined
  const isTold = opens || periodAt(tokens, high.to) !== undefined || isRentBefore(tokens, at)
  const first = low.unit === 1 && low.amount < SMALLEST_PRICE.MXN ? cents(low.amount * high.unit) : low.amount
  // "entre 5 y 3 millones"
  const isTurned = tokens[at]?.text === 'entre' && first > high.amount
  const [min, max] = isTurned ? [high.amount, first] : [first, high.amount]
  const isRange = isPrice({ ...high, amount: min }, isTold) && isPrice(high, isTold) && min <= max
  if (!isRange || (!high.isMarked && isCode(tokens, at))) return undefined
  const currency = high.currency ?? low.currency
  return priced(tokens, { ...high, ...(currency ? { currency } : {}) }, [
    ['min_price', min],
    ['max_price', max],
  ])
}

function priced(tokens: Token[], { to, currency }: Money, limits: [string, number][]): Found {
  const parameters: Found['parameters'] = limits.map(([name, value]) => [name, String(value)])
  if (currency) parameters.push(['currency', currency])
  const period = periodAt(tokens, to)
  return { to: period?.to ?? to, parameters: [...parameters, ...(period?.parameters ?? [])] }
}

/** "en dólares", "pesos": without an amount. */
export function currencyAt(tokens: Token[], at: number): Found | undefined {
  const word = tokens[at]?.text === 'en' || tokens[at]?.text === 'in' ? at + 1 : at
  const currency = tokens[word]?.text === 'us' ? undefined : currencyOf(tokens[word])
  return currency && { to: word + 1, parameters: [['currency', currency]] }
}
