import { beforeAll, describe, expect, it } from 'vitest'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'
import { quoteOf } from '../support/issues.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

const { sale_price: _price, ...UNPRICED } = HOUSE
const create = (prices: Record<string, unknown>) =>
  exchange.post('/properties', agent.key, { ...UNPRICED, ...prices })
const put = (id: string, prices: Record<string, unknown>) =>
  exchange.put(`/properties/${id}`, agent.key, prices)

const sale = (amount: number, currency: string, formatted_amount: string) => ({
  type: 'sale',
  amount,
  currency,
  formatted_amount,
})
const rental = (amount: number, currency: string, formatted_amount: string, period = 'monthly') => ({
  type: 'rental',
  amount,
  currency,
  formatted_amount,
  period,
})

const ACCEPTED: [price: unknown, amount: number, currency: string, formatted: string][] = [
  [1250000, 1250000, 'MXN', '$1,250,000 MXN'],
  [85000.5, 85000.5, 'MXN', '$85,000.50 MXN'],
  [0.01, 0.01, 'MXN', '$0.01 MXN'],
  [999_999_999_999.99, 999_999_999_999.99, 'MXN', '$999,999,999,999.99 MXN'],
  ['1,250,000.50', 1250000.5, 'MXN', '$1,250,000.50 MXN'],
  ['1250000', 1250000, 'MXN', '$1,250,000 MXN'],
  ['1250000.5', 1250000.5, 'MXN', '$1,250,000.50 MXN'],
  ['  $999  ', 999, 'MXN', '$999 MXN'],
  ['$ 4,500,000', 4500000, 'MXN', '$4,500,000 MXN'],
  ['MX$100', 100, 'MXN', '$100 MXN'],
  ['MXN 100', 100, 'MXN', '$100 MXN'],
  ['MXN $100', 100, 'MXN', '$100 MXN'],
  ['100 mxn', 100, 'MXN', '$100 MXN'],
  ['US$1,000', 1000, 'USD', '$1,000 USD'],
  ['USD1000', 1000, 'USD', '$1,000 USD'],
  ['$1,000.00 USD', 1000, 'USD', '$1,000 USD'],
  ['1,000 US$', 1000, 'USD', '$1,000 USD'],
  ['1,000 MX$', 1000, 'MXN', '$1,000 MXN'],
  ['1,000 $', 1000, 'MXN', '$1,000 MXN'],
  ['USD 1,000 USD', 1000, 'USD', '$1,000 USD'],
  ["1'250,000", 1250000, 'MXN', '$1,250,000 MXN'],
  ['$12’500,000.50 M.N.', 12500000.5, 'MXN', '$12,500,000.50 MXN'],
  ["1,250'000,000 pesos", 1250000000, 'MXN', '$1,250,000,000 MXN'],
  ['$1,250,000 M.N.', 1250000, 'MXN', '$1,250,000 MXN'],
  ['1,250,000 m.n', 1250000, 'MXN', '$1,250,000 MXN'],
  ['$1,250,000.00 pesos M.N.', 1250000, 'MXN', '$1,250,000 MXN'],
  ['MN 500', 500, 'MXN', '$500 MXN'],
  ['85,000 dlls', 85000, 'USD', '$85,000 USD'],
  ['85,000 Dlls.', 85000, 'USD', '$85,000 USD'],
  ['$85000 dls', 85000, 'USD', '$85,000 USD'],
  ['85,000 dólares', 85000, 'USD', '$85,000 USD'],
  ['85,000 DOLARES', 85000, 'USD', '$85,000 USD'],
]

const RANGE = 'must be greater than 0 and at most 999999999999.99'
const SHAPE = 'must be a number or text like "1,250,000.50"'
const REFUSED: [price: unknown, what: string][] = [
  ['$1.250.000', SHAPE],
  ['1.250.000,50', SHAPE],
  ['1,5', SHAPE],
  ['1,25,000', SHAPE],
  ['1250,000', SHAPE],
  [',250', SHAPE],
  ['1,250,', SHAPE],
  ['1 250 000', SHAPE],
  ['1\u00a0250\u00a0000', SHAPE],
  ['1.25M', SHAPE],
  ['1.250', SHAPE],
  ['1,250.500', SHAPE],
  ['1e6', SHAPE],
  ['0x10', SHAPE],
  ['Infinity', SHAPE],
  ['NaN', SHAPE],
  ['   ', SHAPE],
  ["1'250", SHAPE],
  ["1'250,00", SHAPE],
  ["1'250,000,000", SHAPE],
  ["1'250'000", SHAPE],
  ['1.250.000 M.N.', SHAPE],
  ['85 mil dlls', SHAPE],
  ['85,000 dlls M.N.', SHAPE],
  ['M.N. 85,000 dlls', SHAPE],
  ['85,000 d', SHAPE],
  ['85,000 m', SHAPE],
  ['$', SHAPE],
  ['.5', SHAPE],
  ['5.', SHAPE],
  ['-5', SHAPE],
  ['+5', SHAPE],
  ['100 EUR', SHAPE],
  ['USD 100 MXN', SHAPE],
  ['１００', SHAPE],
  ['100\u0000', SHAPE],
  ['a consultar', SHAPE],
  [true, SHAPE],
  [[100], SHAPE],
  [{ amount: 100 }, SHAPE],
  [0, RANGE],
  ['0.00', RANGE],
  [-1, RANGE],
  [1_000_000_000_000, RANGE],
  ['1,000,000,000,000', RANGE],
  ['9'.repeat(400), RANGE],
  [100.005, 'must have at most 2 decimals'],
  [0.1 + 0.2, 'must have at most 2 decimals'],
]
const shown = (value: unknown) => JSON.stringify(value).slice(0, 40)

describe('a price that is accepted', () => {
  it.each(ACCEPTED)('%j on create is %d %s, shown as %s', async (price, amount, currency, formatted) => {
    const { status, body } = await create({ sale_price: price, rent_price: price })
    expect(status).toBe(201)
    expect(body.operations).toEqual([sale(amount, currency, formatted), rental(amount, currency, formatted)])
  })

  it('is the same on PUT', async () => {
    const { id } = await exchange.listing(agent)
    for (const [price, amount, currency, formatted] of ACCEPTED) {
      const { status, body } = await put(id, { sale_price: price, sale_currency: currency })
      expect([status, body.operations]).toEqual([200, [sale(amount, currency, formatted)]])
    }
  })
})

describe('an empty price', () => {
  it('is none: it clears the price, and is not enough for a new listing', async () => {
    const { id } = await exchange.listing(agent, { rent_price: 20_000 })
    const { status, body } = await put(id, { rent_price: '' })
    expect([status, body.operations.length]).toEqual([200, 1])
    expect((await create({ sale_price: '', rent_price: '' })).body.errors).toEqual([
      'sale_price or rent_price is required',
    ])
  })
})

describe('a price that is refused', () => {
  it.each(REFUSED.map(([price, what]) => [shown(price), price, what] as const))(
    '%s on create',
    async (_shown, price, what) => {
      const { status, body } = await create({ sale_price: price, rent_price: price })
      expect(status).toBe(422)
      expect(body.errors).toEqual([
        `sale_price ${what}${quoteOf(price)}`,
        `rent_price ${what}${quoteOf(price)}`,
      ])
    },
  )

  it('is refused on PUT too, and the price stays', async () => {
    const { id, operations } = await exchange.listing(agent)
    for (const [price, what] of REFUSED) {
      const { status, body } = await put(id, { sale_price: price })
      expect([status, body.errors]).toEqual([422, [`sale_price ${what}${quoteOf(price)}`]])
    }
    expect((await exchange.get(`/properties/${id}`, agent.key)).body.operations).toEqual(operations)
  })

  it('is one beyond every number, which JSON can write', async () => {
    const raw = JSON.stringify({ ...UNPRICED, sale_price: 77 }).replace('77', '1e400')
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await exchange.call('POST', '/properties', { key: agent.key, raw, headers })
    expect([status, body.errors]).toEqual([422, [`sale_price ${RANGE} (sent: Infinity)`]])
  })

  it.each([
    [{ sale_price: '100 USD', sale_currency: 'MXN' }, 'sale_price is in USD but sale_currency is MXN'],
    [{ rent_price: 'MX$100', rent_currency: 'USD' }, 'rent_price is in MXN but rent_currency is USD'],
    [{ sale_price: 1, sale_currency: 'EUR' }, 'sale_currency must be one of: MXN, USD (sent: "EUR")'],
    [{ sale_price: 1, sale_currency: 'usd' }, 'sale_currency must be one of: MXN, USD (sent: "usd")'],
    [{ rent_price: 1, rent_currency: 5 }, 'rent_currency must be one of: MXN, USD (sent: 5)'],
    [
      { rent_price: 1, rent_period: 'hourly' },
      'rent_period must be one of: monthly, weekly, daily, yearly (sent: "hourly")',
    ],
    [{ sale_price: 1, rent_currency: 'USD' }, 'rent_currency needs a rent_price'],
    [{ rent_price: 1, sale_currency: 'USD' }, 'sale_currency needs a sale_price'],
    [{ sale_price: 1, rent_period: 'weekly' }, 'rent_period needs a rent_price'],
    [{ sale_price: null }, 'sale_price or rent_price is required'],
    [{}, 'sale_price or rent_price is required'],
  ])('%j on create', async (prices, error) => {
    const { status, body } = await create(prices)
    expect([status, body.errors]).toEqual([422, [error]])
  })
})

describe('currency and period', () => {
  it('are MXN and monthly when not said', async () => {
    const { body } = await create({ rent_price: 18_000 })
    expect(body.operations).toEqual([rental(18_000, 'MXN', '$18,000 MXN')])
    expect(body.rent_period).toBe('monthly')
  })

  it.each(['monthly', 'weekly', 'daily', 'yearly'])('a rent can be %s', async rent_period => {
    const { body } = await create({ rent_price: 500, rent_currency: 'USD', rent_period })
    expect(body.operations).toEqual([rental(500, 'USD', '$500 USD', rent_period)])
  })

  it('a sale comes before a rental, each in its own currency', async () => {
    const { body } = await create({ rent_price: 900, rent_currency: 'USD', sale_price: 3_000_000 })
    expect(body.operations).toEqual([
      sale(3_000_000, 'MXN', '$3,000,000 MXN'),
      rental(900, 'USD', '$900 USD'),
    ])
  })

  it('stay as they are when only the amount changes', async () => {
    const { body } = await create({ rent_price: 900, rent_currency: 'USD', rent_period: 'weekly' })
    expect((await put(body.id, { rent_price: 950 })).body.operations).toEqual([
      rental(950, 'USD', '$950 USD', 'weekly'),
    ])
  })

  it('can change without the amount while there is a price', async () => {
    const { body } = await create({ sale_price: 900, rent_price: 10 })
    const changed = await put(body.id, { sale_currency: 'USD', rent_period: 'daily' })
    expect(changed.body.operations).toEqual([
      sale(900, 'USD', '$900 USD'),
      rental(10, 'MXN', '$10 MXN', 'daily'),
    ])
  })

  it('follow the text of a new price that names its currency', async () => {
    const { body } = await create({ sale_price: 900 })
    expect((await put(body.id, { sale_price: 'US$950' })).body.operations[0].currency).toBe('USD')
  })

  it('a cleared period is monthly again', async () => {
    const { body } = await create({ rent_price: 10, rent_period: 'daily' })
    expect((await put(body.id, { rent_period: null })).body.rent_period).toBe('monthly')
  })

  it.each([
    [{ rent_currency: 'USD' }, 'rent_currency needs a rent_price'],
    [{ rent_period: 'daily' }, 'rent_period needs a rent_price'],
    [{ sale_price: null, sale_currency: 'USD' }, 'sale_currency needs a sale_price'],
    [{ sale_price: '5 USD', sale_currency: 'MXN' }, 'sale_price is in USD but sale_currency is MXN'],
    [{ sale_currency: null }, 'sale_currency cannot be null while there is a sale_price'],
  ])('PUT %j is refused on a listing for sale', async (prices, error) => {
    const { id } = await exchange.listing(agent)
    const { status, body } = await put(id, prices)
    expect([status, body.errors]).toEqual([422, [error]])
  })
})

describe('removing a price', () => {
  it('removes its operation, currency and period; a new one starts afresh', async () => {
    const { body } = await create({ sale_price: 5, rent_price: '7 USD', rent_period: 'daily' })
    const removed = await put(body.id, { rent_price: null })
    expect(removed.body.operations).toEqual([sale(5, 'MXN', '$5 MXN')])
    expect(removed.body.rent_period).toBeNull()
    expect((await put(body.id, { rent_price: 8 })).body.operations[1]).toEqual(rental(8, 'MXN', '$8 MXN'))
  })

  it('can exchange a sale for a rental, also while published', async () => {
    const { id } = await exchange.published(agent)
    const { status, body } = await put(id, { sale_price: null, rent_price: 10 })
    expect([status, body.operations]).toEqual([200, [rental(10, 'MXN', '$10 MXN')]])
  })

  it.each(['draft', 'withdrawn'])('leaves a %s listing without operations', async status => {
    const { id } = await exchange.listing(agent)
    await exchange.setStatus(id, status)
    const answer = await put(id, { sale_price: null })
    expect([answer.status, answer.body.operations]).toEqual([200, []])
  })

  it('is refused for the last price of a published listing', async () => {
    const { id } = await exchange.published(agent)
    const { status, body } = await put(id, { sale_price: null })
    expect([status, body.errors]).toEqual([
      422,
      ['sale_price or rent_price is required while the listing is published'],
    ])
    expect((await exchange.get(`/properties/${id}`, agent.key)).body.operations).toHaveLength(1)
  })
})
