import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { composeKey } from '../../src/keys/rules.ts'
import { LiveKeys, revokeKey } from '../../src/keys/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { signedInAgent } from '../support/visitor.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

/** Like a real client: the helpers of other tests clear the key cache first. */
const statusWith = async (key: string) =>
  (await exchange.app.inject({ url: '/api/v1/me', headers: { authorization: `Bearer ${key}` } })).statusCode
const prefixOf = (key: string) => key.slice(4, 12)

/** As if another process did it: this one is not notified. */
async function stopsWithinASecond(key: string, change: () => Promise<unknown>) {
  expect(await statusWith(key)).toBe(200)
  await change()
  await expect.poll(() => statusWith(key), { timeout: 1_000, interval: 20 }).toBe(401)
}

describe('a key that was just used', () => {
  it('stops within a second when another process revokes it', async () => {
    const key = await exchange.key(agent.email)
    await stopsWithinASecond(key, () => revokeKey(exchange.db, prefixOf(key)))
  })

  it('stops within a second when another process revokes the verification, and works again with it', async () => {
    const other = await exchange.agent()
    await stopsWithinASecond(other.key, () => setVerified(exchange.db, other.email, false))
    await setVerified(exchange.db, other.email, true)
    expect(await statusWith(other.key)).toBe(200)
  })

  it('does not authenticate another key with the same prefix', async () => {
    expect(await statusWith(agent.key)).toBe(200)
    const other = agent.key.slice(0, -1) + (agent.key.endsWith('a') ? 'b' : 'a')
    expect(await statusWith(other)).toBe(401)
  })

  it('stops at once when it is revoked in the portal of this process', async () => {
    const { visitor, agent: owner } = await signedInAgent(exchange)
    const key = await exchange.key(owner.email)
    await visitor.open('/portal/keys')
    expect(await statusWith(key)).toBe(200)
    await visitor.submit(`/portal/keys/${prefixOf(key)}/revoke`)
    expect(await statusWith(key)).toBe(401)
  })
})

describe('the key cache', () => {
  it('saves a read for each request', async () => {
    const keys = new LiveKeys(exchange.db)
    const [first, second] = [await keys.find(prefixOf(agent.key)), await keys.find(prefixOf(agent.key))]
    expect(first).toBeDefined()
    expect(second).toBe(first)
  })

  it('reads keys that are asked for together with one query', async () => {
    const keys = new LiveKeys(exchange.db)
    const others = [await exchange.agent(), await exchange.agent()]
    const prefixes = [agent, ...others, agent].map(({ key }) => prefixOf(key))
    const spy = vi.spyOn(exchange.pool, 'connect')
    const found = await Promise.all([...prefixes, 'Unknown8'].map(prefix => keys.find(prefix)))
    expect(spy.mock.calls).toHaveLength(1)
    spy.mockRestore()
    expect(found.map(key => key?.prefix)).toEqual([...prefixes, undefined])
  })

  it('never holds unknown keys: one created later works at once', async () => {
    const keys = new LiveKeys(exchange.db)
    expect(await keys.find('Unknown1')).toBeUndefined()
    await sql`insert into api_keys (agent_id, label, prefix, hash, scopes)
      values (${agent.id}, 'later', 'Unknown1', ${Buffer.alloc(32)}, '{read}')`.execute(exchange.db)
    expect(await keys.find('Unknown1')).toBeDefined()
  })

  it('does not keep a value that changed while it was read', async () => {
    const keys = new LiveKeys(exchange.db)
    const key = await exchange.key(agent.email)
    const reading = keys.find(prefixOf(key))
    keys.forget()
    await reading
    await revokeKey(exchange.db, prefixOf(key))
    expect(await keys.find(prefixOf(key))).toBeUndefined()
  })
})

describe('a rejected key', () => {
  it('costs one read of the database, whether its prefix is known, just used or unknown', async () => {
    const rightAway = (prefix: string) => composeKey(prefix, 'x'.repeat(42))
    const reads = async (key: string) => {
      const spy = vi.spyOn(exchange.pool, 'connect')
      expect(await statusWith(key)).toBe(401)
      const { length } = spy.mock.calls
      spy.mockRestore()
      return length
    }
    expect(await statusWith(agent.key)).toBe(200)
    const known = rightAway(prefixOf(agent.key))
    const counts = [await reads(known), await reads(known), await reads(rightAway('Unknown9'))]
    expect(counts).toEqual([1, 1, 1])
  })
})
