import { foldText } from '../../lib/text.ts'

/** One word, number or sign of the typed text. */
export interface Token {
  /** Folded: no accents, no case. */
  text: string
  /** Its position in the typed text. */
  start: number
  end: number
  /** Its value, if written in digits. */
  number?: number
}

// Numbers as people write them (3,000,000 · 1'250,000 · 2.5), money and area signs, ranges, then words.
const TOKEN = /\d[\d,'’.]*\d|\d|[$%/+–-]|m²|[\p{L}\p{M}]+\d?/gu

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].flatMap(match => {
    const start = match.index
    const [written] = match
    const folded = foldText(written)
    if (folded === '') return []
    const token = { text: folded, start, end: start + written.length }
    return /^\d/.test(folded) ? [{ ...token, number: numberOf(folded) }] : [token]
  })
}

/** 1,250,000 and 1.250.000 group thousands; a single point or comma before one or two digits is a decimal. */
function numberOf(written: string): number {
  const plain = written.replace(/['’]/g, '')
  const groups = plain.split(/[.,]/)
  const isGrouped = groups.length > 1 && groups.slice(1).every(group => group.length === 3)
  return Number(isGrouped ? groups.join('') : plain.replace(/,/g, '.').replace(/\.(?=.*\.)/g, ''))
}

const COUNTS = [
  ['un', 'una', 'uno', 'one', 'single'],
  ['dos', 'two', 'par'],
  ['tres', 'three'],
  ['cuatro', 'four'],
  ['cinco', 'five'],
  ['seis', 'six'],
  ['siete', 'seven'],
  ['ocho', 'eight'],
  ['nueve', 'nine'],
  ['diez', 'ten'],
]
const COUNT_OF = new Map(COUNTS.flatMap((words, i) => words.map(word => [word, i + 1] as const)))

/** In digits or in words. */
export const countOf = (token: Token | undefined): number | undefined =>
  token && (token.number ?? COUNT_OF.get(token.text))
