import type { Currency } from '../../../src/lib/money.ts'
import { answerAsk, readAsk } from '../../../src/search/ask.ts'
import type { Search } from '../../../src/search/service.ts'
import { amountsIn } from '../../../src/search/typed-prices.ts'
import { gradeOf, type Listing, MXN_PER_USD, ndcg } from './grade.ts'
import { type Judged, judged } from './judged.ts'

interface Measured {
  typed: string
  /** Listings that are a right answer, and how many were found. */
  right: number
  found: number
  ndcg: number
}

/** Every judged query that has an answer in this market, as the public would ask it. */
export async function measureQuality(search: Search, queries = judged): Promise<Measured[]> {
  const market = await everything(search)
  const measured: Measured[] = []
  for (const one of queries) {
    const grades = market.map(listing => gradeOf(listing, one))
    const right = grades.filter(grade => grade > 0).length
    if (right === 0) continue
    const { content, total } = await ask(search, one)
    const answer = content.map(listing => gradeOf(listing, one))
    measured.push({ typed: one.typed, right, found: total, ndcg: ndcg(answer, grades) })
  }
  return measured
}

async function ask(search: Search, { typed }: Judged): Promise<{ content: Listing[]; total: number }> {
  const query = new URLSearchParams({ ask: typed })
  const understood = amountsIn('price_in', await search.understand(typed), query)
  const currency = understood.parameters.get('price_in') as Currency | null
  const asked = readAsk(query, understood, currency ? { priceIn: { currency, mxnPerUsd: MXN_PER_USD } } : {})
  const { body, total } = await answerAsk(search, asked, null)
  return { content: JSON.parse(body.toString()).content, total }
}

async function everything(search: Search): Promise<Listing[]> {
  const listings: Listing[] = []
  for (let page = 1; ; page++) {
    const { body, total } = await search.page({ sort: 'newest', page, limit: 100 }, null)
    listings.push(...JSON.parse(body.toString()).content)
    if (listings.length >= total) return listings
  }
}

export const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
