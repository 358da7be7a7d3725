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

// Numbers as people write them (3,000,000 · 1'250,000 · 2.5), money and area signs, ranges, the x of 10x20, then words.
const TOKEN = /\d[\d,'’.]*\d|\d|[$%/+–-]|m²|(?<=\d\s?)[x×](?=\s?\d)|\p{L}[\p{L}\p{M}\p{N}]*|\p{N}+/gu

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

const COUNT_OF = new Map<string, number>(
  Object.entries({
    ...{
      un: 1,
      una: 1,
      uno: 1,
      one: 1,
      single: 1,
      dos: 2,
      two: 2,
      par: 2,
      tres: 3,
      three: 3,
      cuatro: 4,
      four: 4,
    },
    ...{
      cinco: 5,
      five: 5,
      seis: 6,
      six: 6,
      siete: 7,
      seven: 7,
      ocho: 8,
      eight: 8,
      nueve: 9,
      nine: 9,
      diez: 10,
      ten: 10,
    },
    ...{
      once: 11,
      doce: 12,
      twelve: 12,
      trece: 13,
      catorce: 14,
      quince: 15,
      fifteen: 15,
      dieciseis: 16,
      dieciocho: 18,
    },
    ...{
      veinte: 20,
      twenty: 20,
      veinticinco: 25,
      treinta: 30,
      thirty: 30,
      cuarenta: 40,
      forty: 40,
      cincuenta: 50,
    },
    ...{
      fifty: 50,
      sesenta: 60,
      setenta: 70,
      ochenta: 80,
      noventa: 90,
      cien: 100,
      ciento: 100,
      doscientos: 200,
    },
    ...{
      trescientos: 300,
      cuatrocientos: 400,
      quinientos: 500,
      seiscientos: 600,
      setecientos: 700,
      ochocientos: 800,
    },
    ...{ novecientos: 900 },
  }),
)

/** In digits or in words. */
export const countOf = (token: Token | undefined): number | undefined =>
  token && (token.number ?? COUNT_OF.get(token.text))
