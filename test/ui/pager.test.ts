import { describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { pageFrom, pageHref, pageOf, rangeOf } from '../../src/ui/pager.tsx'
import { HOUSE, useExchange } from '../support/exchange.ts'
import { signedInAgent } from '../support/visitor.ts'

describe('the page number', () => {
  const of = (text: string) => pageOf({ query: new URLSearchParams(text) })

  it.each([
    ['page=1', 1],
    ['page=37', 37],
    ['page=999999', 999_999],
  ])('is parsed from %s', (text, page) => expect(of(text)).toBe(page))

  it.each([
    '',
    'page=',
    'page=0',
    'page=-3',
    'page=1.5',
    'page=1e3',
    'page=0x10',
    'page=+2',
    'page= 2',
    'page=Infinity',
    'page=9999999',
  ])('is 1 for anything else: %s', text => expect(of(text)).toBe(1))
})

it('has one URL for the first page, and keeps the filters on the others', () => {
  const hrefOf = pageHref('/list', { q: 'a & b', status: undefined, kind: '' })
  expect([hrefOf(1), hrefOf(2)]).toEqual(['/list?q=a+%26+b', '/list?q=a+%26+b&page=2'])
  expect(pageHref('/list')(1)).toBe('/list')
})

it('detects another page with one extra row', () => {
  expect(rangeOf(3, 2)).toEqual({ limit: 3, offset: 4 })
  expect(pageFrom(['a', 'b', 'c'], 3, 2)).toEqual({ rows: ['a', 'b'], page: 3, hasMore: true })
  expect(pageFrom(['a', 'b'], 3, 2)).toEqual({ rows: ['a', 'b'], page: 3, hasMore: false })
})

describe('pagination', () => {
  const exchange = useExchange()
  const link = (html: string, rel: string) =>
    new RegExp(`rel="${rel}" href="([^"]+)"`).exec(html)?.[1]?.replaceAll('&amp;', '&')

  it('of the operator’s listings keeps the search text and status', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await setOperator(exchange.db, agent.email, true)
    for (let i = 0; i < 27; i++) await exchange.post('/properties', agent.key, HOUSE)
    await exchange.published(agent)
    const q = HOUSE.title.slice(0, 4)
    await visitor.open(`/portal/operator/listings?q=${encodeURIComponent(q)}&status=draft`)
    const next = link(visitor.html, 'next') as string
    expect(Object.fromEntries(new URL(next, 'http://x').searchParams)).toEqual({
      q,
      status: 'draft',
      page: '2',
    })
    await visitor.open(next)
    expect(visitor.html.match(/>Borrador<\/span>/g)).toHaveLength(2)
    expect(link(visitor.html, 'prev')).toBe(`/portal/operator/listings?q=${q}&status=draft`)
    expect(link(visitor.html, 'next')).toBeUndefined()
  })

  it('of an agent’s own listings shows the position in the total', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    for (let i = 0; i < 25; i++) await exchange.post('/properties', agent.key, HOUSE)
    await visitor.open('/portal/listings?status=draft&page=2')
    expect(visitor.html).toMatch(/aria-current="page" aria-label="Página 2"/)
    expect(link(visitor.html, 'prev')).toBe('/portal/listings?status=draft')
    expect(link(visitor.html, 'next')).toBeUndefined()
  })
})
