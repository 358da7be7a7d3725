import { unitOfAreaAt } from './areas.ts'
import { bounds, cueAfter, cueAt, type Numbers, numbersAt } from './bounds.ts'
import type { Found } from './reading.ts'
import { type Token, wordsAt } from './tokens.ts'
import { BATHROOM_WORDS, BEDROOM_WORDS, FLOOR_WORDS, PARKING_WORDS } from './vocabulary.ts'

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
  const isElse = /^(etapa|calle|paseo|lote|manzana|mz|lt|no|num|numero)$/.test(tokens[at - 1]?.text ?? '')
  if (
    isElse ||
    (after && (unitOfAreaAt(tokens, at + 3) || COUNTED.some(([, words]) => words.has(after.text))))
  )
    return undefined
  const floor = ({ number = 0 }: Token) => Math.floor(number)
  return {
    to: at + 3,
    parameters: [
      ...bounds('bedrooms', floor(bedrooms), undefined),
      ...bounds('bathrooms', floor(bathrooms), undefined),
    ],
  }
}

/** "2/3 recámaras". */
function eitherAt(tokens: Token[], at: number): Numbers | undefined {
  const [low, slash, high] = tokens.slice(at, at + 3)
  if (slash?.text !== '/' || low?.number === undefined || high?.number === undefined) return undefined
  return low.number > 1 && low.number < high.number
    ? { to: at + 3, low: low.number, high: high.number }
    : undefined
}

/** "3 recámaras", "dos baños y medio", "2 a 3 recámaras", "2+ bedrooms", "cochera para 2 autos", "hasta 2 recámaras", "3/2". */
export function countAt(tokens: Token[], at: number): Found | undefined {
  const rooms = roomsAt(tokens, at)
  if (rooms) return rooms
  const cue = cueAt(tokens, at)
  let next = cue?.to ?? at
  const isParking = /^(cochera|garage|garaje|estacionamiento|parking) (para|for)$/.test(
    wordsAt(tokens, next, next + 2),
  )
  if (isParking) next += 2
  const numbers = eitherAt(tokens, next) ?? numbersAt(tokens, next)
  if (!numbers || numbers.low > MOST_COUNTED) return undefined
  next = numbers.to
  if (wordsAt(tokens, next, next + 3) === '1 / 2') next += 3
  if (tokens[next]?.text === '+') next++
  if (/^(o mas|or more)$/.test(wordsAt(tokens, next, next + 2))) next += 2
  if (/^(y medio|and a half)$/.test(wordsAt(tokens, next, next + 2))) next += 2
  if (wordsAt(tokens, next, next + 3) === 'and a half') next += 3
  const word = tokens[next]
  const [named] = COUNTED.find(([, words]) => words.has(word?.text ?? '')) ?? []
  // "3r 2b", but not "calle 10 b".
  const isLetter = word?.text.length === 1 && word.start !== tokens[next - 1]?.end
  const name = named && !isLetter ? named : isParking ? 'parking' : undefined
  if (!name) return undefined
  if (named) next++
  if (
    name === 'parking' &&
    /^de (estacionamiento|cochera|garage|garaje)$/.test(wordsAt(tokens, next, next + 2))
  )
    next += 2
  if (name === 'bathrooms' && wordsAt(tokens, next, next + 2) === 'y medio') next += 2
  if (name === 'bathrooms' && wordsAt(tokens, next, next + 4) === 'y 1 / 2') next += 4
  const after = cueAfter(tokens, next)
  if (after) next = after.to
  const bound = cue?.bound ?? after?.bound
  const [low, high] = [Math.floor(numbers.low), numbers.high && Math.floor(numbers.high)]
  if (bound === 'less') return { to: next, parameters: bounds(name, undefined, Math.max(0, low - 1)) }
  if (bound === 'most') return { to: next, parameters: bounds(name, undefined, high ?? low) }
  // A house of two floors is not one of three.
  if (name === 'floors' && !bound) return { to: next, parameters: bounds(name, low, high ?? low) }
  return { to: next, parameters: bounds(name, bound === 'more' ? low + 1 : low, high) }
}
