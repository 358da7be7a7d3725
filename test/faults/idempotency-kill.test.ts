import { fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { beforeAll, expect, it, vi } from 'vitest'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

const KEY = { 'idempotency-key': 'order-66' }

it('kill -9 between the commit and the answer: sent again, the request is answered and not repeated', async () => {
  const path = new URL('api-worker.ts', import.meta.url)
  const worker = fork(path, [String(exchange.pool.options.connectionString)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(worker, 'exit')
  const [port] = await once(worker, 'message')
  const lost = fetch(`http://127.0.0.1:${port}/api/v1/properties`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json', ...KEY },
    body: JSON.stringify(HOUSE),
  })
  await expect(lost).rejects.toThrow()
  expect(await ended).toEqual([null, 'SIGKILL'])
  const [only, ...others] = (await exchange.get('/my/properties', agent.key)).body.content
  expect(others).toEqual([])

  for (let i = 0; i < 2; i++) {
    const again = await exchange.post('/properties', agent.key, HOUSE, { headers: KEY })
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
    expect(again.body).toEqual(only)
  }
  expect((await exchange.get('/my/properties', agent.key)).body.content).toEqual([only])
}, 120_000)

it('a batch that is cut off goes on where it ended when it is sent again', async () => {
  const caller = await exchange.agent()
  const third = await exchange.listing(caller, { external_id: 'N-2' })
  const items = [0, 1, 2, 3].map(i => ({
    external_id: `N-${i}`,
    set: { ...HOUSE, bedrooms: i + 1 },
    status: 'published',
  }))
  const send = () => exchange.post('/my/properties/batch', caller.key, { items }, { headers: KEY })
  const countKept = async () =>
    (await exchange.db.selectFrom('kept_answers').select('part').where('agent_id', '=', caller.id).execute())
      .length

  await exchange.db.transaction().execute(async tx => {
    await sql`select 1 from listings where id = ${third.id} for update`.execute(tx)
    const cutOff = send()
    await vi.waitFor(async () => expect(await countKept()).toBe(2), 10_000)
    const busy = await send()
    expect([busy.status, busy.body.error]).toEqual([409, 'conflict'])
    const { rows } = await exchange.pool.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objsubid = 1
       and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()`,
    )
    expect(rows).toHaveLength(1)
    expect((await cutOff).status).toBe(503)
  })
  const again = await send()
  expect(again.headers['idempotent-replayed']).toBeUndefined()
  const results = again.body.content.map(({ result }: { result: string }) => result)
  expect(results).toEqual(['created', 'created', 'changed', 'created'])
  const replay = await send()
  expect([replay.body, replay.headers['idempotent-replayed']]).toEqual([again.body, 'true'])
  expect(await countKept()).toBe(1)
  for (const { id } of again.body.content) expect(await exchange.events(id)).toHaveLength(1)
})
