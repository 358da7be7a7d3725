import { beforeAll, describe, expect, it } from 'vitest'
import { loadDemo } from '../../../src/demo/load.ts'
import { useExchange } from '../../support/exchange.ts'
import { mean, measureQuality } from './measure.ts'

const exchange = useExchange()
let measured: Awaited<ReturnType<typeof measureQuality>>

beforeAll(async () => {
  await loadDemo(exchange.db, () => {})
  await exchange.search.refresh()
  measured = await measureQuality(exchange.search)
}, 120_000)

describe('what people type, asked of the demo market', () => {
  it('has at least 200 queries with an answer', () => {
    expect(measured.length).toBeGreaterThanOrEqual(200)
  })

  it('finds something whenever there is an answer', () => {
    expect(measured.filter(({ found }) => found === 0)).toEqual([])
  })

  it('puts right answers on top: nDCG@10 is at least 0.9', () => {
    expect(mean(measured.map(({ ndcg }) => ndcg))).toBeGreaterThanOrEqual(0.9)
  })
})
