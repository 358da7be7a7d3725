import type { Currency } from '../../lib/money.ts'
import { kindAt, unitOfAreaAt } from './areas.ts'
import { cents, cueAfter, cueAt, isUpper, OPENS, unitAt } from './bounds.ts'
import { type Found, longest } from './reading.ts'
import { numberAt, type Token, tokensOf, wordsAt } from './tokens.ts'
import { PERIOD_PHRASES } from './vocabulary.ts'

const PESOS = /^(pesos|peso|mxn|mn)$/
const DOLLARS = /^(dolares|dolar|usd|dlls|dls|dll|dollars|us)$/
const RENT = /^(renta|rentas|rento|rent|alquiler|rental)$/
/** Smaller numbers mean something else. */
const SMALLEST_PRICE = { MXN: 1_000, USD: 100 }
const SMALLEST_BY_DAYS = 10
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
  if (wordsAt(tokens, at, at + 3) === 'half a million')
    return { to: at + 3, amount: 500_000, unit: 1_000_000 }
  if (wordsAt(tokens, at, at + 2) === 'a million') return { to: at + 2, amount: 1_000_000, unit: 1_000_000 }
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
  amount >= (isByDays ? SMALLEST_BY_DAYS : SMALLEST_PRICE[currency ?? 'MXN']) &&
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
  if (wordsAt(tokens, Math.max(0, at - 2), at) === 'c p') return true
  const word = tokens[at - 2]
  return before?.text === '-' && before.end === tokens[at]?.start && word?.end === before.start
}

/** Not what a home costs: "enganche 200 mil", "mantenimiento de 1,500". */
const FEE = /^(mantenimiento|cuota|cuotas|hoa|enganche|mensualidad|mensualidades|deposito|anticipo|predial)$/
const PER_METER = /^(el|por|x|\/|per|a) /

/** An amount that is no price: a fee, or what a square meter costs. */
function otherAmountAt(tokens: Token[], at: number): Found | undefined {
  const money = moneyAt(tokens, cueAt(tokens, at)?.to ?? at)
  if (!money || (!money.isMarked && money.amount < SMALLEST_PRICE.USD)) return undefined
  const fee = tokens[at - 1]?.text === 'de' ? at - 2 : at - 1
  const isFee = FEE.test(tokens[fee]?.text ?? '') && !/^(sin|no|without)$/.test(tokens[fee - 1]?.text ?? '')
  if (isFee) return { to: periodAt(tokens, money.to)?.to ?? money.to, parameters: [] }
  const by = PER_METER.test(`${tokens[money.to]?.text ?? ''} `) ? money.to + 1 : money.to
  // "renta $9,500 metro Portales" is near the subway.
  const isUnit = by > money.to || /^(m2|m²|mts2)$/.test(tokens[by]?.text ?? '')
  const unit = isUnit ? unitOfAreaAt(tokens, by) : undefined
  const isPerMeter = money.isMarked && (money.unit === 1 || by > money.to)
  if (!unit || !isPerMeter) return undefined
  return { to: /^cuadrados?$/.test(tokens[unit.to]?.text ?? '') ? unit.to + 1 : unit.to, parameters: [] }
}

/** "menos de 3 millones", "entre 2 y 3 mdp", "15 mil al mes", "renta 8000", "$8,000", "under 200k usd". */
export function priceAt(tokens: Token[], at: number): Found | undefined {
  const other = otherAmountAt(tokens, at)
  if (other) return other
  const between = rangeAt(tokens, at)
  if (between) return between
  const cue = cueAt(tokens, at)
  const money = moneyAt(tokens, cue?.to ?? at)
  if (!money || (!money.isMarked && isCode(tokens, at))) return undefined
  const period = periodAt(tokens, money.to)
  const isTold = isUpper(cue) || period !== undefined || isRentBefore(tokens, at)
  if (!isPrice(money, isTold, isByDays(period))) return undefined
  const after = cueAfter(tokens, money.to)
  const said = cue ?? after
  const bound = said && !isUpper(said) ? 'min_price' : 'max_price'
  return priced(tokens, { ...money, to: after?.to ?? money.to }, [[bound, money.amount]])
}

/** "entre 2 y 3 millones", "10 a 15 mil", "2-3 mdp": the first takes the unit of the second. */
function rangeAt(tokens: Token[], at: number): Found | undefined {
  const opens = OPENS.test(tokens[at]?.text ?? '')
  const low = moneyAt(tokens, opens ? at + 1 : at)
  const joins = tokens[low?.to ?? -1]?.text ?? ''
  if (!low || !(opens ? /^(y|a|and|to|hasta|-|–)$/ : /^(a|to|-|–|o|or)$/).test(joins)) return undefined
  const high = moneyAt(tokens, low.to + 1)
  // "2 o 3 millones", but not "renta 8000 o 2 recámaras".
  if (!high || (/^(o|or)$/.test(joins) && high.unit === 1)) return undefined
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
