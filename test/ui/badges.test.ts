import { describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { listingStatuses, STATUSES } from '../../src/lookups/catalog.ts'
import { HOUSE, useExchange } from '../support/exchange.ts'
import { signedInAgent } from '../support/visitor.ts'

const exchange = useExchange()

/** The style of the badge with that text. */
const lookOf = (html: string, words: string) =>
  new RegExp(`<span class="(badge [^"]+)">${words}</span>`).exec(html)?.[1]

describe('a listing’s status', () => {
  it.each(listingStatuses)('%s looks the same to the agent and to the operator', async status => {
    const { es } = STATUSES[status]
    const { agent, visitor } = await signedInAgent(exchange)
    const { body } = await exchange.post('/properties', agent.key, HOUSE)
    await exchange.db.updateTable('listings').set({ status }).where('id', '=', body.id).execute()
    await visitor.open('/portal/listings')
    const toAgent = lookOf(visitor.html, es)
    await setOperator(exchange.db, agent.email, true)
    await visitor.open(`/portal/operator/listings?q=${body.id}`)
    expect(toAgent).toMatch(/^badge badge-sm/)
    expect(lookOf(visitor.html, es)).toBe(toAgent)
  })
})
