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

// Numbers as people write them (3 000 000 · 3,000,000 · 1'250,000 · 2.5 · .5), money and area signs, ranges, the x of 10x20, then words.
const TOKEN =
  /\d{1,3}(?: \d{3}){2,}(?!\d)|\d[\d,'’.]*\d|\d|(?<=^|\s)\.\d+|[$%/+–-]|m²|(?<=\d\s?)[xX×](?=\s?\d)|\p{L}[\p{L}\p{M}\p{N}]*|\p{N}+/gu

export function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].flatMap(match => {
    const start = match.index
    const [written] = match
    const folded = foldText(written)
    if (folded === '') return []
    const token = { text: folded, start, end: start + written.length }
    return /^\.?\d/.test(folded) ? [{ ...token, number: numberOf(folded) }] : [token]
  })
}

/** 1,250,000 and 1.250.000 group thousands; a single point or comma before one or two digits is a decimal. */
function numberOf(written: string): number {
  const plain = written.replace(/['’ ]/g, '')
  const groups = plain.split(/[.,]/)
  const isGrouped = groups.length > 1 && groups.slice(1).every(group => group.length === 3)
  return Number(isGrouped ? groups.join('') : plain.replace(/,/g, '.').replace(/\.(?=.*\.)/g, ''))
}

const WORDS_BY_COUNT = `1 un una uno one single, 2 dos two par, 3 tres three, 4 cuatro four, 5 cinco five, 6 seis six, 7 siete seven,
  8 ocho eight, 9 nueve nine, 10 diez ten, 11 once, 12 doce twelve, 13 trece, 14 catorce, 15 quince fifteen, 16 dieciseis, 18 dieciocho,
  20 veinte twenty, 25 veinticinco, 30 treinta thirty, 40 cuarenta forty, 50 cincuenta fifty, 60 sesenta, 70 setenta, 80 ochenta,
  90 noventa, 100 cien ciento, 200 doscientos, 300 trescientos, 400 cuatrocientos, 500 quinientos, 600 seiscientos, 700 setecientos,
  800 ochocientos, 900 novecientos`
const COUNT_OF = new Map(
  WORDS_BY_COUNT.split(',').flatMap(line => {
    const [count, ...words] = line.trim().split(/\s+/)
    return words.map(word => [word, Number(count)] as const)
  }),
)

/** In digits or in words: "15", "quince", "ciento cincuenta", "cuarenta y cinco". */
export function numberAt(tokens: readonly Token[], at: number): { to: number; count: number } | undefined {
  const first = tokens[at]
  if (first?.number !== undefined) return { to: at + 1, count: first.number }
  let count = COUNT_OF.get(first?.text ?? '')
  if (count === undefined) return undefined
  for (let to = at + 1; ; ) {
    const next = tokens[to]?.text === 'y' ? to + 1 : to
    const more = COUNT_OF.get(tokens[next]?.text ?? '')
    // Hundreds go on with less than a hundred, tens with less than ten.
    const room = count % 100 === 0 ? 100 : count >= 20 && count % 10 === 0 ? 10 : 0
    if (more === undefined || more >= room) return { to, count }
    ;[count, to] = [count + more, next + 1]
  }
}

/** Folded, with single spaces between them. */
export const wordsAt = (tokens: readonly Token[], from: number, to: number): string =>
  tokens
    .slice(from, to)
    .map(token => token.text)
    .join(' ')

/** Where the longest of the phrases that start here ends; undefined if there is none. */
export function endOf(
  tokens: readonly Token[],
  at: number,
  phrases: RegExp,
  longest: number,
): number | undefined {
  for (let to = Math.min(tokens.length, at + longest); to > at; to--)
    if (phrases.test(wordsAt(tokens, at, to))) return to
  return undefined
}
