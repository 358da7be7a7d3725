import type { Sql } from '../db/database.ts'
import { type Fetched, fetchFrom, type Reach } from '../imports/sources/fetch.ts'
import { filled, readAll } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { dayField, type Rate, rateField, readFetched } from './rules.ts'
import { saveRate } from './store.ts'

export { findRate, listRates } from './store.ts'

/** Tomorrow is possible, because of time zones. */
const DAY_MS = 86_400_000

/** Stores what a person entered: the rate as text, in plain notation. */
export async function setRate(
  db: Sql,
  sent: { day: string; mxn_per_usd: string; source: string },
  now: Date,
): Promise<Rate> {
  const isNumber = /^\d{1,4}(\.\d+)?$/.test(sent.mxn_per_usd.trim())
  const isFuture = sent.day > new Date(now.getTime() + DAY_MS).toISOString().slice(0, 10)
  const { day, mxn_per_usd, source } = readAll(
    { day: dayField, mxn_per_usd: rateField, source: filled({ max: 200 }) },
    { ...sent, mxn_per_usd: isNumber ? Number(sent.mxn_per_usd) : sent.mxn_per_usd },
    isFuture ? [issue('day', 'in_the_future')] : [],
  )
  const rate = { day, mxnPerUsd: mxn_per_usd, source }
  await saveRate(db, rate)
  return rate
}

const BOUNDS = { deadlineMs: 20_000, maxBytes: 1_000_000 }

/** Reads today's rate from the address of the setting. Fails if there is none: the job is repeated. */
export async function fetchRate(db: Sql, reach: Reach, address: string): Promise<Rate> {
  const fetched = await fetchFrom(reach, address, { ...BOUNDS, headers: { accept: 'application/json' } })
  try {
    const text = await textOf(fetched)
    const read = fetched.code === 200 ? readFetched(text) : undefined
    if (!read) throw new Error(`the exchange rate could not be read (status ${fetched.code})`)
    const rate = { ...read, source: new URL(address).host }
    await saveRate(db, rate)
    return rate
  } finally {
    fetched.close()
  }
}

async function textOf({ bytes }: Fetched): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
