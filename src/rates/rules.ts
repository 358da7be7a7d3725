import { type Field, number, type Range } from '../lib/fields.ts'

/** Pesos for one dollar on a day. */
export interface Rate {
  /** As 2026-01-31. */
  day: string
  mxnPerUsd: number
  /** Who said so. */
  source: string
}

const RANGE: Range = { min: 1, max: 1000, decimals: 6 }
export const rateField = number(RANGE)

/** A day of the calendar, as 2026-01-31. */
export const dayField: Field<string> = {
  schema: { type: 'string', format: 'date' },
  read: (value, fail) => (isDay(String(value)) ? String(value) : void fail('not_a_day')),
}

function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/**
 * What the address of `EXCHANGE_RATE_URL` answers: `{"date": "2026-01-31", "mxn_per_usd": 17.1234}`, or a series of
 * the Banco de México, of which the last value counts. Undefined if it is anything else.
 */
export function readFetched(text: string): Pick<Rate, 'day' | 'mxnPerUsd'> | undefined {
  const sent = parsed(text)
  const latest = sent?.bmx?.series?.[0]?.datos?.at?.(-1)
  const day = latest ? String(latest.fecha).replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1') : sent?.date
  const mxnPerUsd = latest ? Number(latest.dato) : sent?.mxn_per_usd
  const isRate =
    typeof day === 'string' &&
    isDay(day) &&
    typeof mxnPerUsd === 'number' &&
    mxnPerUsd >= RANGE.min &&
    mxnPerUsd <= RANGE.max
  return isRate ? { day, mxnPerUsd } : undefined
}

interface Sent {
  date?: unknown
  mxn_per_usd?: unknown
  bmx?: { series?: { datos?: { fecha?: unknown; dato?: unknown }[] }[] }
}

function parsed(text: string): Sent | undefined {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}
