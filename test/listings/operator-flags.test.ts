import { describe, expect, it } from 'vitest'
import { liftSuspension, setFlags, suspendListing } from '../../src/listings/service.ts'
import { useExchange } from '../support/exchange.ts'

const exchange = useExchange()

const stampOf = async (id: string) =>
  (
    await exchange.db
      .selectFrom('listings')
      .select('updated_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).updated_at.getTime()

describe.each(['featured', 'imported'] as const)('the flag %s', flag => {
  it('changes a listing’s updated_at when it changes, and only then', async () => {
    const { id } = await exchange.published(await exchange.agent())
    const before = await stampOf(id)
    await setFlags(exchange.db, id, { [flag]: false })
    expect(await stampOf(id)).toBe(before)
    await setFlags(exchange.db, id, { [flag]: true })
    const changed = await stampOf(id)
    expect(changed).toBeGreaterThan(before)
    await setFlags(exchange.db, id, { [flag]: true })
    expect(await stampOf(id)).toBe(changed)
  })
})

describe('a suspension', () => {
  it('ends as a draft with a new updated_at that the agent can publish again, without an event', async () => {
    const agent = await exchange.agent()
    const { id } = await exchange.published(agent)
    await suspendListing(exchange.db, id)
    const suspended = await stampOf(id)
    expect(await liftSuspension(exchange.db, id)).toMatchObject({ id, status: 'draft' })
    expect(await stampOf(id)).toBeGreaterThan(suspended)
    const told = (await exchange.events(id)).map(({ event }) => event)
    expect(told).toEqual(['listing.published', 'listing.unpublished'])
    expect((await exchange.post(`/properties/${id}/publish`, agent.key)).status).toBe(200)
  })

  it('cannot be lifted if there is none', async () => {
    const { id } = await exchange.published(await exchange.agent())
    const before = await stampOf(id)
    await expect(liftSuspension(exchange.db, id)).rejects.toMatchObject({ kind: 'conflict' })
    expect(await stampOf(id)).toBe(before)
  })
})
