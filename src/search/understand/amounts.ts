import type { Currency } from '../../lib/money.ts'
import { countOf, type Token, tokensOf } from './tokens.ts'
import { BATHROOM_WORDS, BEDROOM_WORDS, PARKING_WORDS } from './vocabulary.ts'

/** The meaning of a run of words, as search parameters; `to` is the token after it. */
export interface Found {
  to: number
  parameters: [name: string, value: string][]
}

const AT_MOST =
  /^(menos de|hasta|maximo|max|no mas de|por debajo de|debajo de|abajo de|menor a|menor de|menores a|tope|presupuesto de|presupuesto|under|below|up to|less than|max of|at most|budget)$/
const AT_LEAST =
  /^(desde|minimo|min|a partir de|al menos|por lo menos|mayor a|mayor de|mayores a|from|at least|starting at)$/
const MORE_THAN = /^(mas de|arriba de|por encima de|over|above|more than)$/
const LONGEST_CUE = 3

interface Cue {
  to: number
  bound: 'most' | 'least' | 'more'
}

const wordsAt = (tokens: Token[], from: number, to: number) =>
  tokens
    .slice(from, to)
    .map(token => token.text)
    .join(' ')

function cueAt(tokens: Token[], at: number): Cue | undefined {
  for (let to = Math.min(tokens.length, at + LONGEST_CUE); to > at; to--) {
    const words = wordsAt(tokens, at, to)
    if (AT_MOST.test(words)) return { to, bound: 'most' }
    if (AT_LEAST.test(words)) return { to, bound: 'least' }
    if (MORE_THAN.test(words)) return { to, bound: 'more' }
  }
  return undefined
}

// ---- rooms and parking -------------------------------------------------------------------------------------

const COUNTED: [name: string, words: ReadonlySet<string>][] = [
  ['bedrooms', BEDROOM_WORDS],
  ['bathrooms', BATHROOM_WORDS],
  ['parking', PARKING_WORDS],
]

/** "3 recámaras", "dos baños y medio", "2+ bedrooms", "cochera para 2 autos", "hasta 2 recámaras". */
export function countAt(tokens: Token[], at: number): Found | undefined {
  const cue = cueAt(tokens, at)
  let next = cue?.to ?? at
  if (
    /^(cochera|garage|garaje|estacionamiento)$/.test(tokens[next]?.text ?? '') &&
    tokens[next + 1]?.text === 'para'
  )
    next += 2
  const count = countOf(tokens[next])
  if (count === undefined || count > 50) return undefined
  next++
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
  if (name === 'bathrooms' && /^(y medio|y 1\/2)$/.test(wordsAt(tokens, next, next + 2))) next += 2
  if (/^(o mas|or more)$/.test(wordsAt(tokens, next, next + 2))) next += 2
  const whole = Math.floor(count)
  if (cue?.bound === 'most') return { to: next, parameters: [[`max_${name}`, String(whole)]] }
  const least = cue?.bound === 'more' ? whole + 1 : whole
  return { to: next, parameters: [[`min_${name}`, String(least)]] }
}

// ---- areas -------------------------------------------------------------------------------------------------

const SQUARE_METERS = /^(m2|m²|mts2|mts|mt2|mt|metros|metro|mtrs|sqm|m)$/
const HECTARES = /^(ha|has|hectarea|hectareas|hectares)$/
const LOT = /^(terreno|lote|land|lot)$/
const BUILT = /^(construccion|construidos|construido|built|cubiertos)$/

/** "200 m2", "más de 300 metros de terreno", "2 hectáreas". */
export function areaAt(tokens: Token[], at: number): Found | undefined {
  const cue = cueAt(tokens, at)
  let next = cue?.to ?? at
  const amount = countOf(tokens[next])
  const unit = tokens[next + 1]?.text ?? ''
  const isHectares = HECTARES.test(unit)
  if (amount === undefined || !(isHectares || SQUARE_METERS.test(unit))) return undefined
  // "3 m" means three million in a price, not an area.
  if (unit === 'm' && amount < 20) return undefined
  next += 2
  if (/^(cuadrados|cuadrado|squared)$/.test(tokens[next]?.text ?? '')) next++
  const of = tokens[next]?.text === 'de' || tokens[next]?.text === 'of' ? next + 1 : next
  const isLot = LOT.test(tokens[of]?.text ?? '')
  if (isLot || BUILT.test(tokens[of]?.text ?? '')) next = of + 1
  const bound = cue?.bound === 'most' ? 'max' : 'min'
  const name = isLot || isHectares ? 'lot' : 'construction'
  return { to: next, parameters: [[`${bound}_${name}`, String(isHectares ? amount * 10_000 : amount)]] }
}

// ---- prices ------------------------------------------------------------------------------------------------

const THOUSANDS = /^(mil|miles|k|thousand)$/
const MILLIONS = /^(millon|millones|mdp|mill|mills|mm|m|million|millions)$/
const PESOS = /^(pesos|peso|mxn|mn)$/
const DOLLARS = /^(dolares|dolar|usd|dlls|dls|dll|dollars|us)$/
const MONTHLY = /^(al mes|por mes|mensual|mensuales|mensualmente|\/ mes|a month|per month|monthly|\/ month)$/
/** Smaller numbers mean something else, and a year is a year. */
const SMALLEST_PRICE = 1_000

interface Money {
  to: number
  amount: number
  /** 1, 1,000 or 1,000,000. */
  unit: number
  currency?: Currency
  isMarked: boolean
}

function moneyAt(tokens: Token[], at: number): Money | undefined {
  const hasSign = tokens[at]?.text === '$'
  let next = hasSign ? at + 1 : at
  const amount = countOf(tokens[next])
  if (amount === undefined || (tokens[next]?.number === undefined && !isUnit(tokens[next + 1])))
    return undefined
  next++
  let unit = 1
  if (THOUSANDS.test(tokens[next]?.text ?? '')) [unit, next] = [1_000, next + 1]
  else if (MILLIONS.test(tokens[next]?.text ?? '')) [unit, next] = [1_000_000, next + 1]
  const named = tokens[next]?.text === 'de' ? next + 1 : next
  const name = tokens[named]?.text ?? ''
  const currency = DOLLARS.test(name) ? 'USD' : PESOS.test(name) ? 'MXN' : undefined
  return {
    to: currency ? named + 1 : next,
    amount,
    unit,
    ...(currency ? { currency } : {}),
    isMarked: hasSign || unit > 1 || currency !== undefined,
  }
}

/** "3m", "2.5 mdp", "800 mil", "$1,250,000", as typed into a field for a price; undefined if it is not clearly one. */
export function typedPrice(text: string): { amount: number; currency?: Currency } | undefined {
  const tokens = tokensOf(text)
  const money = moneyAt(tokens, 0)
  if (!money || money.to !== tokens.length) return undefined
  const { amount, unit, currency } = money
  return { amount: Math.round(amount * unit * 100) / 100, ...(currency ? { currency } : {}) }
}

const isUnit = (token: Token | undefined) =>
  token !== undefined && (THOUSANDS.test(token.text) || MILLIONS.test(token.text))

const isPrice = ({ amount, unit, isMarked }: Money) =>
  amount * unit >= SMALLEST_PRICE && (isMarked || amount >= 10_000)

/** "menos de 3 millones", "entre 2 y 3 mdp", "15 mil al mes", "$8,000", "under 200k usd". */
export function priceAt(tokens: Token[], at: number): Found | undefined {
  const between = rangeAt(tokens, at)
  if (between) return between
  const cue = cueAt(tokens, at)
  const money = moneyAt(tokens, cue?.to ?? at)
  if (!money || !isPrice(money)) return undefined
  const bound = cue && cue.bound !== 'most' ? 'min_price' : 'max_price'
  return priced(tokens, money, [[bound, money.amount * money.unit]])
}

/** "entre 2 y 3 millones", "de 10 a 15 mil", "2-3 mdp": the first takes the unit of the second. */
function rangeAt(tokens: Token[], at: number): Found | undefined {
  const opens = /^(entre|de|between|from|desde)$/.test(tokens[at]?.text ?? '')
  const low = moneyAt(tokens, opens ? at + 1 : at)
  const joins = tokens[low?.to ?? -1]?.text ?? ''
  if (!low || !(opens ? /^(y|a|and|to|hasta|-|–)$/ : /^[-–]$/).test(joins)) return undefined
  const high = moneyAt(tokens, low.to + 1)
  if (!high || !isPrice(high)) return undefined
  const unit = low.unit === 1 && low.amount < SMALLEST_PRICE ? high.unit : low.unit
  const [min, max] = [low.amount * unit, high.amount * high.unit]
  if (min > max) return undefined
  return priced(tokens, high, [
    ['min_price', min],
    ['max_price', max],
  ])
}

function priced(tokens: Token[], { to, currency }: Money, bounds: [string, number][]): Found {
  const parameters: Found['parameters'] = bounds.map(([name, value]) => [name, String(value)])
  if (currency) parameters.push(['currency', currency])
  const length = [1, 2].find(count => MONTHLY.test(wordsAt(tokens, to, to + count)))
  if (length) parameters.push(['operation', 'rental'])
  return { to: to + (length ?? 0), parameters }
}
