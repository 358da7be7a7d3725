import { bounds, cueAt, numbersAt } from './bounds.ts'
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
