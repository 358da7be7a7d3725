import { bounds, cents, cueAt, isUpper, type Numbers, numbersAt, unitAt } from './bounds.ts'
import type { Found } from './reading.ts'
import { endOf, numberAt, type Token, wordsAt } from './tokens.ts'

const LOT = /^(terreno|lote|land|lot)$/
/** Of a part of a home, or across: "jardín de 300 m2", "10 metros de frente". */
const PART_OF_HOME = /^(jardin|terraza|patio|alberca|roof|garden|terrace|balcon|sala|cocina)$/
const SIDE = /^(de|of) (frente|fondo|largo|ancho|altura)$/
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
  [/^(sqft|ft2|sq ft|sq feet|square feet|square foot|pies cuadrados)$/, 0.092903, false],
]

/** "200 m2", "80 a 100 m2", "más de 300 metros de terreno", "2 hectáreas", "media hectárea", "10x20", "250 de construcción". */
export function areaAt(tokens: Token[], at: number): Found | undefined {
  const side = sideAt(tokens, at)
  if (side) return side
  const cue = cueAt(tokens, at)
  const start = cue?.to ?? at
  const size = sidesAt(tokens, start) ?? measuredAt(tokens, start)
  if (!size) return undefined
  let next = size.to
  if (/^(cuadrados|cuadrado|squared)$/.test(tokens[next]?.text ?? '')) next++
  const of = kindAt(tokens, next)
  // "a 500 metros de la playa"
  if (!of && tokens[at - 1]?.text === 'a' && /^del?$/.test(tokens[next]?.text ?? '')) return undefined
  if (of) next = of.to
  // "casa con terreno de 500 metros"
  const isOf = tokens[at - 1]?.text === 'de'
  const before = tokens[isOf ? at - 2 : at - 1]?.text ?? ''
  if (isOf && PART_OF_HOME.test(before)) return { to: next, parameters: [] }
  const isLot = of ? of.isLot : size.isLot || LOT.test(before)
  const name = isLot ? 'lot' : 'construction'
  const { low, high } = size
  if (isUpper(cue)) return { to: next, parameters: bounds(name, undefined, high ?? low) }
  return { to: next, parameters: bounds(name, low, high) }
}

/** "10 m de frente": neither an area nor 10 million. */
function sideAt(tokens: Token[], at: number): Found | undefined {
  const number = numberAt(tokens, at)
  if (!number || !METERS.test(tokens[number.to]?.text ?? '')) return undefined
  const to = endOf(tokens, number.to + 1, SIDE, 2)
  return to ? { to, parameters: [] } : undefined
}

/** "de terreno", "construidos". */
export function kindAt(tokens: Token[], at: number): { to: number; isLot: boolean } | undefined {
  const of = /^(de|of)$/.test(tokens[at]?.text ?? '') ? at + 1 : at
  const word = tokens[of]?.text ?? ''
  return LOT.test(word) || BUILT.test(word) ? { to: of + 1, isLot: LOT.test(word) } : undefined
}

type Size = Numbers & { isLot: boolean }

function measuredAt(tokens: Token[], at: number): Size | undefined {
  const part = fractionAt(tokens, at)
  const numbers = part ?? thousandsAt(tokens, at) ?? numbersAt(tokens, at)
  if (!numbers) return undefined
  const { to, low } = numbers
  const unit = unitOfAreaAt(tokens, to)
  if (!unit) {
    const isTold = low >= SMALLEST_AREA && kindAt(tokens, to)
    return isTold && !part ? { ...numbers, isLot: false } : undefined
  }
  if (part && !unit.isLot) return undefined
  // "3 m" means three million in a price, not an area.
  if (tokens[to]?.text === 'm' && low < 20) return undefined
  const times = (area: number) =>
    Number.isInteger(unit.meters) ? area * unit.meters : Math.round(area * unit.meters)
  // "100 m² a 150 m²"
  const second = numbers.high === undefined && /^(a|to|-|–)$/.test(tokens[unit.to]?.text ?? '')
  const next = second ? numberAt(tokens, unit.to + 1) : undefined
  const nextUnit = next && next.count > low ? unitOfAreaAt(tokens, next.to) : undefined
  const high = next && nextUnit ? next.count : numbers.high
  return {
    to: nextUnit?.to ?? unit.to,
    low: times(low),
    ...(high === undefined ? {} : { high: times(high) }),
    isLot: unit.isLot,
  }
}

export function unitOfAreaAt(tokens: Token[], at: number) {
  for (const [words, meters, isLot] of AREA_UNITS) {
    const to = endOf(tokens, at, words, 2)
    if (to) return { to, meters, isLot }
  }
  return undefined
}

/** "media", "1/2", "3/4", "a quarter". */
function fractionAt(tokens: Token[], at: number): Numbers | undefined {
  if (/^(media|half)$/.test(tokens[at]?.text ?? '')) return { to: at + 1, low: 0.5 }
  if (/^(cuarto|quarter)$/.test(tokens[at]?.text ?? '')) return { to: at + 1, low: 0.25 }
  const [, above, below] = /^([1-3]) \/ ([2-4])$/.exec(wordsAt(tokens, at, at + 3)) ?? []
  return above && below && above < below ? { to: at + 3, low: Number(above) / Number(below) } : undefined
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
