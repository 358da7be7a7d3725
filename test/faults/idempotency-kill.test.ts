import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'

interface Worker {
  process: ChildProcess
  url: string
}

const exchange = useExchange()
let agent: TestAgent
let dying: Worker
let slow: Worker

async function startWorker(...args: string[]): Promise<Worker> {
  const path = new URL('api-worker.ts', import.meta.url)
  const process = fork(path, [String(exchange.pool.options.connectionString), ...args], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [port] = await once(process, 'message')
  return { process, url: `http://127.0.0.1:${port}/api/v1` }
}

async function kill({ process }: Worker): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  process.kill('SIGKILL')
  await once(process, 'exit')
}

beforeAll(async () => {
  agent = await exchange.agent()
  ;[dying, slow] = await Promise.all([startWorker('dies'), startWorker()])
})
afterAll(() => Promise.all([kill(dying), kill(slow)]))

const KEY = { 'idempotency-key': 'order 66'.replace(' ', '-') }
const post = ({ url }: Worker, path: string, body: unknown) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json', ...KEY },
    body: JSON.stringify(body),
  })

const countListings = async () =>
  Number((await exchange.get('/my/properties', agent.key)).headers['x-total-count'])

it('kill -9 between the commit and the answer: sent again, the request is answered and not repeated', async () => {
  await expect(post(dying, '/properties', HOUSE)).rejects.toThrow()
  const [, signal] = dying.process.signalCode ? [null, 'SIGKILL'] : await once(dying.process, 'exit')
  expect(signal).toBe('SIGKILL')
  expect(await countListings()).toBe(1)

  const again = await exchange.post('/properties', agent.key, HOUSE, { headers: KEY })
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([201, 'true'])
  expect((await exchange.get(`/properties/${again.body.id}`, agent.key)).body).toEqual(again.body)
  const other = await post(slow, '/properties', HOUSE)
  expect([other.status, await other.json()]).toEqual([201, again.body])
  expect(await countListings()).toBe(1)
})

it('kill -9 in the middle of a batch: sent again, it goes on where it ended', async () => {
  const caller = await exchange.agent()
  agent = caller
  const third = await exchange.listing(caller, { external_id: 'N-2' })
  const items = [0, 1, 2, 3].map(i => ({
    external_id: `N-${i}`,
    set: { ...HOUSE, bedrooms: i + 1 },
    status: 'published',
  }))
  const countKept = async () =>
    (await exchange.db.selectFrom('kept_answers').select('part').where('agent_id', '=', caller.id).execute())
      .length

  await exchange.db.transaction().execute(async tx => {
    await sql`select 1 from listings where id = ${third.id} for update`.execute(tx)
    const cutOff = expect(post(slow, '/my/properties/batch', { items })).rejects.toThrow()
    await vi.waitFor(async () => expect(await countKept()).toBe(2), 10_000)
    const busy = await exchange.post('/my/properties/batch', caller.key, { items }, { headers: KEY })
    expect([busy.status, busy.body.error]).toEqual([409, 'conflict'])
    await kill(slow)
    await cutOff
  })
  const again = await vi.waitFor(async () => {
    const answer = await exchange.post('/my/properties/batch', caller.key, { items }, { headers: KEY })
    expect(answer.status).toBe(200)
    return answer
  }, 10_000)
  const results = again.body.content.map(({ result }: { result: string }) => result)
  expect(results).toEqual(['created', 'created', 'changed', 'created'])
  expect(again.headers['idempotent-replayed']).toBeUndefined()
  const replay = await exchange.post('/my/properties/batch', caller.key, { items }, { headers: KEY })
  expect([replay.body, replay.headers['idempotent-replayed']]).toEqual([again.body, 'true'])
  expect(await countKept()).toBe(1)
  for (const { id } of again.body.content) expect(await exchange.events(id)).toHaveLength(1)
})
