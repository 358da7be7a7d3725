import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { attributes, textOf, visit } from '../support/site.ts'
import { validatorSays } from '../support/validator.ts'

const exchange = useExchange()
let agent: TestAgent
const listings: { id: string; slug: string }[] = []

beforeAll(async () => {
  agent = await exchange.agent()
  for (let i = 0; i < 5; i++) {
    listings.push(
      await exchange.published(agent, { title: `Casa número ${i}`, sale_price: 1_000_000 * (i + 1) }),
    )
  }
})

const shown = (html: string) => attributes(html, 'data-listing')
const ids = (...places: number[]) => places.map(i => listings[i]?.slug).join(',')

describe('a list by ids', () => {
  it('is a page without scripts, in the order of its address, in both languages, that nobody indexes', async () => {
    for (const path of ['/favoritos', '/en/favorites']) {
      const { status, html } = await visit(exchange, `${path}?ids=${ids(3, 1)}&seen=${ids(0)}`)
      expect(status).toBe(200)
      expect(shown(html)).toEqual([3, 1, 0].map(i => listings[i]?.slug))
      expect(html).toContain('content="noindex, follow"')
      expect(html).toContain(`${path}?ids=${ids(3, 1)}"`)
      expect(await validatorSays(html)).toEqual([])
    }
  })

  it('leaves out what is not public, not an id, or repeated, and whatever is too much', async () => {
    const hidden = await exchange.listing(agent)
    const odd = [hidden.slug, listings[1]?.id, randomUUID(), 'x', "' or 1=1", ids(2), ids(2), '', '%00']
    const { status, html } = await visit(exchange, `/favoritos?ids=${encodeURIComponent(odd.join(','))}`)
    expect(status).toBe(200)
    expect(shown(html)).toEqual([listings[2]?.slug])
    const many = Array.from({ length: 200 }, () => `casa-${randomUUID()}`).join(',')
    expect((await visit(exchange, `/favoritos?ids=${many},${ids(1)}`)).html).not.toContain('data-listing')
    expect((await visit(exchange, '/favoritos?ids=%00')).status).toBe(400)
  })

  it('is empty without ids, and says how to fill it', async () => {
    const { html } = await visit(exchange, '/favoritos')
    expect(textOf(html)).toContain('Todavía no hay propiedades aquí')
    expect(await validatorSays(html)).toEqual([])
  })
})

describe('a comparison', () => {
  it('shows up to four side by side, in both languages', async () => {
    for (const path of ['/comparar', '/en/compare']) {
      const query = listings.map(({ slug }) => `id=${slug}`).join('&')
      const { status, html } = await visit(exchange, `${path}?${query}`)
      expect(status).toBe(200)
      expect(html.match(/<th scope="col"/g)).toHaveLength(4)
      expect(textOf(html)).toContain('$4,000,000')
      expect(textOf(html)).not.toContain('Casa número 4')
      expect(await validatorSays(html)).toEqual([])
    }
    expect((await visit(exchange, '/comparar')).status).toBe(200)
  })
})
