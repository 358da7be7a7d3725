import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { lonja } from '../../src/cli/command-line.ts'
import { fetchRate, findRate, setRate } from '../../src/rates/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { stock } from '../support/inventory.ts'
import { loopbackNetwork, Receiver } from '../support/receiver.ts'
import { signedInAgent } from '../support/visitor.ts'

const exchange = useExchange()
let viewer: TestAgent

beforeAll(async () => {
  viewer = await exchange.agent()
  const owner = await exchange.agent()
  for (const [name, sale_price, sale_currency] of [
    ['cheap', 900_000, 'MXN'],
    ['dollars', 100_000, 'USD'],
    ['exact', 1_835_000, 'MXN'],
    ['dear', 5_000_000, 'MXN'],
  ] as const)
    await stock(exchange, owner, { sale_price, sale_currency, external_id: name })
})
beforeEach(() => sql`delete from exchange_rates`.execute(exchange.db))

const now = new Date()
const today = now.toISOString().slice(0, 10)
const store = (mxn_per_usd: string, day = today) =>
  setRate(exchange.db, { day, mxn_per_usd, source: 'Banco de México, FIX' }, now)
const get = (query: string) => exchange.get(`/properties?${query}`, viewer.key)

async function found(query: string): Promise<string[]> {
  const { status, body } = await get(query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.content.map((one: { source_id: string }) => one.source_id)
}

describe('price_in', () => {
  it('compares both currencies at the stored rate and answers which one', async () => {
    await store('18.35')
    const { body } = await get('price_in=MXN&sort=price_asc')
    expect(body.rate).toEqual({ date: today, mxn_per_usd: 18.35, source: 'Banco de México, FIX' })
    const names = body.content.map((one: { source_id: string }) => one.source_id)
    expect([names[0], names[1], names[2], names[3]].sort()).toEqual(['cheap', 'dear', 'dollars', 'exact'])
    expect([names[0], names[3]]).toEqual(['cheap', 'dear'])
    expect((await found('price_in=USD&sort=price_desc'))[0]).toBe('dear')
  })

  it('is exact at the cent: 100,000 dollars at 18.35 are 1,835,000 pesos, not a cent more or less', async () => {
    await store('18.35')
    const both = ['dollars', 'exact']
    expect((await found('price_in=MXN&min_price=1835000&max_price=1835000')).sort()).toEqual(both)
    expect((await found('price_in=USD&min_price=100000&max_price=100000')).sort()).toEqual(both)
    expect(await found('price_in=MXN&min_price=1835000.01&max_price=4000000')).toEqual([])
    expect(await found('price_in=USD&min_price=50000&max_price=99999.99')).toEqual([])
  })

  it('without it nothing is converted and no rate is answered', async () => {
    await store('18.35')
    expect(await found('max_price=500000')).toEqual(['dollars'])
    expect((await get('')).body.rate).toBeUndefined()
    expect(await found('price_in=MXN&max_price=500000')).toEqual([])
  })

  it('walks page by page at the rate it began with, even if there is a newer one', async () => {
    await store('18.35', '2026-01-30')
    const walked: string[] = []
    let path = '/properties?price_in=MXN&sort=price_desc&limit=1'
    for (let page = 0; path && page < 9; page++) {
      const { headers, body } = await exchange.get(path, viewer.key)
      expect(body.rate?.mxn_per_usd).toBe(18.35)
      walked.push(body.content[0].source_id)
      path = /<.*\/api\/v1(.*)>/.exec(String(headers.link ?? ''))?.[1] ?? ''
      await store('1.5')
    }
    expect(new Set(walked).size).toBe(4)
    expect([walked[0], walked[3]]).toEqual(['dear', 'cheap'])
  })

  it('counts prices of both currencies together in the facet, and applies to clusters', async () => {
    await store('18.35')
    const { facets } = (await get('price_in=MXN&facets=price')).body
    expect(facets.price.values).toEqual([
      { operation: 'sale', currency: 'MXN', min: 500_000, max: 1_000_000, count: 1 },
      { operation: 'sale', currency: 'MXN', min: 1_000_000, max: 2_000_000, count: 2 },
      { operation: 'sale', currency: 'MXN', min: 5_000_000, max: 10_000_000, count: 1 },
    ])
    const { body } = await exchange.get('/properties/clusters?price_in=MXN&max_price=1000000', viewer.key)
    expect([body.rate.mxn_per_usd, body.total + body.without_point]).toEqual([18.35, 1])
  })

  it.each([
    ['price_in=MXN', 'price_in', 'no_rate'],
    ['price_in=MXN&rate_date=2020-01-01', 'price_in', 'no_rate'],
    ['price_in=EUR', 'price_in', 'unknown_value'],
    ['price_in=MXN&rate_date=yesterday', 'rate_date', 'not_a_day'],
    ['price_in=MXN&rate_date=2026-02-30', 'rate_date', 'not_a_day'],
    ['rate_date=2026-01-30', 'rate_date', 'requires'],
  ])('is rejected without a rate or with a wrong value: %s', async (query, field, code) => {
    if (query.includes('2020')) await store('18.35', '2020-01-02')
    const { status, body } = await get(query)
    expect([status, body.details]).toMatchObject([422, [{ field, code }]])
  })
})

describe('a rate', () => {
  it('is entered by the operator on the desk, on record, and by nobody else', async () => {
    const { agent, visitor } = await signedInAgent(exchange, { name: 'Olga Operadora' })
    expect((await visitor.open('/portal/operator/rates')).status).toBe(404)
    await setOperator(exchange.db, agent.email, true)
    await visitor.open('/portal/operator/rates')
    const form = { day: '2026-01-30', mxn_per_usd: '17.1234', source: 'Banco de México' }
    for (const wrong of [
      { mxn_per_usd: '17,1' },
      { mxn_per_usd: '0' },
      { day: '2999-01-01' },
      { source: '' },
    ]) {
      expect((await visitor.submit('/portal/operator/rates', { ...form, ...wrong })).status).toBe(422)
    }
    await visitor.submit('/portal/operator/rates', form)
    expect(await findRate(exchange.db, undefined)).toMatchObject({ day: '2026-01-30', mxnPerUsd: 17.1234 })
    const entry = await exchange.db
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(entry).toMatchObject({ action: 'rate.set', operator_id: agent.id, note: 'Banco de México' })
  })

  it('is set and listed at the command line', async () => {
    const run = async (...line: string[]) => {
      const said: string[] = []
      const url = exchange.pool.options.connectionString as string
      const code = await lonja(line, {
        settings: () => ({ DATABASE_URL: url }),
        print: text => said.push(text),
        remark: () => {},
      })
      return { code, said: said.join('\n') }
    }
    const set = await run('rate', 'set', '17.5', '--source', 'FIX', '--date', '2026-01-30', '--json')
    expect(JSON.parse(set.said)).toEqual({ date: '2026-01-30', mxn_per_usd: 17.5, source: 'FIX' })
    expect(JSON.parse((await run('rate', 'list', '--json')).said)).toHaveLength(1)
    expect(await run('rate', 'set', 'many', '--source', 'FIX')).toEqual({ code: 1, said: '' })
  })
})

describe('the daily reading of EXCHANGE_RATE_URL', () => {
  const receiver = new Receiver()
  beforeAll(() => receiver.listen())
  afterAll(() => receiver.close())
  const reach = {
    network: loopbackNetwork(),
    policy: { allowPrivate: false, publicUrl: 'https://lonja.example' },
  }
  const serve = (body: string, code = 200) => {
    receiver.answer = (_request, response) => void response.writeHead(code).end(body)
    return fetchRate(exchange.db, reach, receiver.url('/rate'))
  }

  it('takes our own format and a series of the Banco de México', async () => {
    await serve('{"date": "2026-01-30", "mxn_per_usd": 17.1}')
    expect(await findRate(exchange.db, undefined)).toMatchObject({ day: '2026-01-30', mxnPerUsd: 17.1 })
    const datos = [
      { fecha: '30/01/2026', dato: '17.2' },
      { fecha: '31/01/2026', dato: '17.3456' },
    ]
    await serve(JSON.stringify({ bmx: { series: [{ idSerie: 'SF43718', datos }] } }))
    expect(await findRate(exchange.db, undefined)).toMatchObject({ day: '2026-01-31', mxnPerUsd: 17.3456 })
  })

  it.each([
    ['null'],
    ['<html>'],
    ['{}'],
    ['{"date": "2026-01-30", "mxn_per_usd": "17.1"}'],
    ['{"date": "2026-01-30", "mxn_per_usd": 0}'],
    ['{"date": "2026-13-30", "mxn_per_usd": 17.1}'],
    ['{"bmx": {"series": [{"datos": [{"fecha": "30/01/2026", "dato": "N/E"}]}]}}'],
    ['{"bmx": {"series": 3}}'],
    ['{"date": "2026-01-30", "mxn_per_usd": 17.1}', 500],
    ['x'.repeat(1_100_000)],
  ])('stores nothing of %s', async (body, code = 200) => {
    await expect(serve(body, code)).rejects.toThrow()
    expect(await findRate(exchange.db, undefined)).toBeUndefined()
  })
})
