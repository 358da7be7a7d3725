import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { noStorage } from '../../src/files/storage.ts'
import { startBackground } from '../../src/jobs/background.ts'
import type { Running } from '../../src/jobs/queue.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let background: Running
let agent: TestAgent
let viewer: TestAgent

beforeAll(async () => {
  agent = await exchange.agent({ name: 'Ximena Zorrilla', agency: 'Faro Norte' })
  viewer = await exchange.agent()
  await exchange.published(agent)
  background = await startBackground({
    files: noStorage,
    url: String(exchange.pool.options.connectionString),
    config: readConfig('demo', {}),
    logger: exchange.app.log,
  })
})
afterAll(() => background.stop())

const found = async (q: string) =>
  (await exchange.get(`/properties?q=${encodeURIComponent(q)}`, viewer.key)).body.pagination.total
const becomes = (q: string, total: number) => expect.poll(() => found(q), { timeout: 10_000 }).toBe(total)

describe('q', () => {
  it('finds the listings of an agent by the new name and no more by the old one', async () => {
    expect(await found('zorrilla')).toBe(1)
    const { updated_at: before } = await stamp()
    await exchange.db
      .updateTable('agents')
      .set({ name: 'Ximena Quetzal' })
      .where('id', '=', agent.id)
      .execute()
    await becomes('quetzal', 1)
    await becomes('zorrilla', 0)
    expect((await stamp()).updated_at).toEqual(before)
  })

  it('finds them by the name of an agency while it is active', async () => {
    expect(await found('faro')).toBe(1)
    const change = (fields: { active?: boolean; name?: string }) =>
      exchange.db.updateTable('agencies').set(fields).where('name_fold', '=', 'faro norte').execute()
    await change({ active: false })
    await becomes('faro', 0)
    await change({ active: true, name: 'Brújula' })
    await becomes('brujula', 1)
    await becomes('faro', 0)
  })
})

const stamp = () =>
  exchange.db
    .selectFrom('listings')
    .select('updated_at')
    .where('agent_id', '=', agent.id)
    .executeTakeFirstOrThrow()
