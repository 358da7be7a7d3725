import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { stock } from '../support/inventory.ts'

const exchange = useExchange()
const TOTAL = 23
let owner: TestAgent
let viewer: TestAgent

beforeAll(async () => {
  owner = await exchange.agent()
  viewer = await exchange.agent()
  for (let i = 0; i < TOTAL; i++) {
    const fields = {
      city: 'Cadena',
      title: i % 4 === 0 ? 'Ónix con ónix' : 'Casa de ónix',
      sale_price: 1000 * (1 + (i % 3)),
    }
    await stock(exchange, owner, fields, { featured: i % 6 === 0 })
  }
})

interface Page {
  ids: string[]
  pagination: { page: number; pages: number; total: number; limit: number }
  next: string | undefined
}

async function read(path: string): Promise<Page> {
  const { status, body, headers } = await exchange.get(path, viewer.key)
  expect(status, JSON.stringify(body)).toBe(200)
  const [, address] = /^<(.+)>; rel="next"$/.exec(String(headers.link ?? '')) ?? []
  const ids = body.content.map((one: { id: string }) => one.id)
  return { ids, pagination: body.pagination, next: address?.slice(address.indexOf('/properties')) }
}

async function follow(first: string, between: (page: Page) => Promise<unknown> = async () => {}) {
  const met: string[] = []
  for (let path: string | undefined = first; path; ) {
    const page: Page = await read(path)
    met.push(...page.ids)
    await between(page)
    path = page.next
  }
  return met
}

const sorts = ['newest', 'price_asc', 'price_desc', 'updated', 'relevance']

describe('200', () => {
  it.each(sorts)('following the links of sort=%s meets what the page numbers meet, and ends', async sort => {
    const query = `/properties?city=cadena&q=onix&sort=${sort}`
    const { ids } = await read(`${query}&limit=100`)
    expect(ids).toHaveLength(TOTAL)
    expect(await follow(`${query}&limit=5`)).toEqual(ids)
  })

  it('tells an absolute address that keeps the filters and has no page number', async () => {
    const { headers } = await exchange.get(
      '/properties?city=cadena&page=2&limit=5&type=other&type=house',
      viewer.key,
    )
    const url = new URL(/^<(.+)>;/.exec(String(headers.link))?.[1] ?? '')
    expect(url.pathname).toBe('/api/v1/properties')
    expect(url.searchParams.getAll('type')).toEqual(['other', 'house'])
    expect(url.searchParams.has('page')).toBe(false)
    expect(url.searchParams.get('cursor')).toMatch(/^[\w-]+$/)
  })

  it('has no link on the last page, nor beyond it, nor where nothing is found', async () => {
    for (const query of ['limit=100', 'limit=5&page=5', 'limit=5&page=9', 'q=nada']) {
      expect((await read(`/properties?city=cadena&${query}`)).next, query).toBeUndefined()
    }
  })

  it('counts the pages of a cursor by where its first listing stands', async () => {
    const first = await read('/properties?city=cadena&limit=5')
    const second = await read(first.next as string)
    expect(second.pagination).toEqual({ page: 2, pages: 5, total: TOTAL, limit: 5 })
  })

  it('may change the page size on the way', async () => {
    const first = await read('/properties?city=cadena&limit=5')
    const { ids } = await read('/properties?city=cadena&limit=100')
    const rest = await read((first.next as string).replace('limit=5', 'limit=100'))
    expect([...first.ids, ...rest.ids]).toEqual(ids)
  })

  it('misses nothing and repeats nothing while listings already read vanish, the last one of a page included', async () => {
    const agent = await exchange.agent()
    for (let i = 0; i < 12; i++) await stock(exchange, agent, { city: 'Deshielo', title: 'Casa que se va' })
    const { ids } = await read('/properties?city=deshielo&limit=100')
    const met = await follow('/properties?city=deshielo&limit=3', page =>
      Promise.all(page.ids.slice(1).map(id => exchange.delete(`/properties/${id}`, agent.key))),
    )
    expect(met).toEqual(ids)
  })
})

describe('422', () => {
  it.each([
    ['no cursor of ours', 'cursor=abc'],
    ['JSON of another shape', `cursor=${Buffer.from('{"a":1}').toString('base64url')}`],
    ['words that are no id', `cursor=${Buffer.from('["x",0,0,1,-1,2,3,4]').toString('base64url')}`],
  ])('refuses %s', async (_what, query) => {
    const { status, body } = await exchange.get(`/properties?${query}`, viewer.key)
    expect(status).toBe(422)
    expect(body.errors).toEqual(['cursor must come from the Link header of the same search'])
  })

  it('refuses a cursor whose rank is no number, even if it reads as one', async () => {
    const { next } = await read('/properties?city=cadena&limit=5')
    const cursor = new URLSearchParams((next as string).split('?')[1]).get('cursor') as string
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    for (const rank of ['1e999', '-1e999', '"1"', 'true']) {
      const forged = JSON.stringify(parts).replace(`,${parts[3]},`, `,${rank},`)
      const text = Buffer.from(forged).toString('base64url')
      const { status } = await exchange.get(`/properties?city=cadena&limit=5&cursor=${text}`, viewer.key)
      expect([rank, status]).toEqual([rank, 422])
    }
  })

  it('refuses a cursor with other filters, another sort or a page number beside it', async () => {
    const { next } = await read('/properties?city=cadena&limit=5')
    const cursor = new URLSearchParams((next as string).split('?')[1]).get('cursor')
    const errorsOf = async (query: string) =>
      (await exchange.get(`/properties?${query}&cursor=${cursor}`, viewer.key)).body.errors
    const foreign = 'cursor must come from the Link header of the same search'
    expect(await errorsOf('city=caden')).toEqual([foreign])
    expect(await errorsOf('city=cadena&sort=updated')).toEqual([foreign])
    expect(await errorsOf('city=cadena&page=2')).toEqual(['page must not be given with cursor'])
  })
})
