import type { Found } from './reading.ts'
import { endOf, numberAt, type Token, wordsAt } from './tokens.ts'

const AT_MOST = /^(hasta|maximo|max|tope|presupuesto de|presupuesto|up to|max of|at most|budget)$/
const LESS_THAN =
  /^(menos de|por debajo de|debajo de|abajo de|menor a|menor de|menores a|baje de|bajen de|under|below|less than)$/
const AT_LEAST =
  /^(desde|minimo|min|a partir de|al menos|por lo menos|mayor a|mayor de|mayores a|from|at least|starting at)$/
const MORE_THAN =
  /^(mas de|arriba de|por encima de|pase de|pasen de|exceda|exceda de|rebase|supere|over|above|more than|exceeding)$/
const LONGEST_CUE = 4
/** The apostrophe of "don't" is not part of a word. */
const NOT = /^(no|ni|not|nothing|nada|don t|can t|cannot|dont|cant)$/
/** Between "no" and the words it denies: "que no me cueste más de", "don't want to spend more than". */
const DENIED_WORD =
  /^(me|nos|se|quiero|queremos|puedo|podemos|tengo|gastar|pagar|cueste|cuesten|sea|sean|tenga|tengan|want|to|spend|pay|have)$/

export interface Cue {
  to: number
  bound: 'most' | 'less' | 'least' | 'more'
}

const OPPOSITE = { more: 'most', least: 'most', less: 'least', most: 'more' } as const

/** "hasta", "más de", and denied: "no mayor a", "no menos de", "not more than". */
export function cueAt(tokens: Token[], at: number): Cue | undefined {
  const not = endOf(tokens, at, NOT, 2)
  if (!not) return plainCueAt(tokens, at)
  let next = not
  while (DENIED_WORD.test(tokens[next]?.text ?? '')) next++
  const denied = plainCueAt(tokens, next)
  return denied && { to: denied.to, bound: OPPOSITE[denied.bound] }
}

const FOLLOWING: [words: RegExp, bound: Cue['bound']][] = [
  [/^(en adelante|para arriba|o mas|or more|and up|como minimo|minimo|min|por lo menos|al menos)$/, 'least'],
  [/^(o menos|or less|para abajo|como maximo|maximo|max|tope)$/, 'most'],
]

/** What is said after a number: "2 millones en adelante", "25 mil máximo". */
export function cueAfter(tokens: Token[], at: number): Cue | undefined {
  for (const [words, bound] of FOLLOWING) {
    const to = endOf(tokens, at, words, 3)
    // In "2 recámaras, máximo 3 millones" it belongs to what follows.
    if (to && tokens[to]?.number === undefined) return { to, bound }
  }
  return undefined
}

function plainCueAt(tokens: Token[], at: number): Cue | undefined {
  for (let to = Math.min(tokens.length, at + LONGEST_CUE); to > at; to--) {
    const words = wordsAt(tokens, at, to).replace(/ (los|las|the)$/, '')
    if (AT_MOST.test(words)) return { to, bound: 'most' }
    if (LESS_THAN.test(words)) return { to, bound: 'less' }
    if (AT_LEAST.test(words)) return { to, bound: 'least' }
    if (MORE_THAN.test(words)) return { to, bound: 'more' }
  }
  return undefined
}

export const isUpper = (cue: Cue | undefined) => cue?.bound === 'most' || cue?.bound === 'less'

/** One number, or two that say from where to where. */
export interface Numbers {
  to: number
  low: number
  high?: number
}

/** Opens a range that its first number does not: "entre 2 y 3", "de 80 a 100". */
export const OPENS = /^(entre|de|between|from|desde)$/
const JOINS = /^(a|to|hasta|o|u|or|y|and|-|–)$/

/** "3", "2 a 3", "1 o 2", "entre 200 y 300", "80-100". */
export function numbersAt(tokens: Token[], at: number): Numbers | undefined {
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

export const bounds = (
  name: string,
  low: number | undefined,
  high: number | undefined,
): Found['parameters'] => [
  ...(low === undefined ? [] : [[`min_${name}`, String(low)] as [string, string]]),
  ...(high === undefined ? [] : [[`max_${name}`, String(high)] as [string, string]]),
]

// ---- units ------------------------------------------------------------------------------------------------

const THOUSANDS = /^(mil|k|thousand)$/
const MILLIONS = /^(millon|millones|mdp|mill|mills|mm|m|million|millions)$/
/** In what was typed, products of decimals have no more digits. */
export const cents = (amount: number) => Math.round(amount * 100) / 100

export function unitAt(tokens: Token[], at: number): number {
  const word = tokens[at]?.text ?? ''
  // "a 5 m de la playa"
  const isMeters = word === 'm' && tokens[at - 2]?.text === 'a' && /^del?$/.test(tokens[at + 1]?.text ?? '')
  return isMeters ? 1 : THOUSANDS.test(word) ? 1_000 : MILLIONS.test(word) ? 1_000_000 : 1
}
