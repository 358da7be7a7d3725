import { describe, expect, it } from 'vitest'
import { useExchange } from '../support/exchange.ts'
import { inquire, leadsOf, market, person, showing, useClock } from '../support/inquiries.ts'
import { Visitor } from '../support/visitor.ts'

const exchange = useExchange({ ...useClock(), serverKey: null })

describe('an installation without a key for identification documents', () => {
  it('offers inquiries but no showings', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    const page = await new Visitor(exchange).open(listingPath)
    expect(page.html).not.toContain('name="kind"')
    expect((await inquire(exchange, listingPath)).path).toContain('?r=info')
    expect(await leadsOf(exchange, agent.id)).toMatchObject([{ kind: 'info' }])
  })

  it('rejects a showing that is requested anyway', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    expect((await inquire(exchange, listingPath, person(showing()))).status).toBe(422)
    expect(await leadsOf(exchange, agent.id)).toEqual([])
  })
})
