import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { confirmImport, findOwn, undoImport } from '../../src/imports/service.ts'
import { useExchange } from '../support/exchange.ts'
import { check } from '../support/imports.ts'
import { messySheet, sheetOf } from '../support/messy.ts'
import { csv } from '../support/spreadsheets.ts'

const exchange = useExchange()

async function startWorker(id: string): Promise<ChildProcess> {
  const path = new URL('imports-worker.ts', import.meta.url)
  const url = String(exchange.pool.options.connectionString)
  const worker = fork(path, [url, id], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await once(worker, 'message')
  return worker
}

/** Two workers at a time, both killed somewhere in the middle, until one of them gets to the end. */
async function withKills(id: string, isOver: () => Promise<boolean>): Promise<number> {
  let kills = 0
  while (!(await isOver())) {
    const workers = [await startWorker(id), await startWorker(id)]
    await sleep(200 + Math.random() * 600)
    for (const worker of workers) {
      if (worker.exitCode !== null) continue
      worker.kill('SIGKILL')
      await once(worker, 'exit')
      kills++
    }
  }
  return kills
}

it('kill -9 during a run and an undo costs no row and writes none twice: the next worker continues there', async () => {
  const agent = await exchange.agent()
  await exchange.published(agent, { external_id: 'INV-00002' })
  const messy = messySheet(500)
  const { id, counts } = await check(exchange, agent, csv(sheetOf(messy)))
  expect(counts).toEqual({ created: messy.listings - 1, changed: 1, refused: messy.refused.size })
  await confirmImport(exchange.db, agent.id, id, { publishes: true, unpublishes: true })
  const phase = async () => (await findOwn(exchange.db, agent.id, id)).phase
  const kills = await withKills(id, async () => (await phase()) === 'done')
  expect(kills).toBeGreaterThan(2)

  expect((await findOwn(exchange.db, agent.id, id)).counts).toEqual(counts)
  const { rows } = await exchange.pool.query(
    `select count(*)::int as listings, count(distinct external_id)::int as names, count(*) filter (where status = 'published')::int as published,
       (select count(*)::int from listing_changes c join listings l on l.id = c.listing_id where l.agent_id = $1 and c.action = 'create') as created,
       (select count(*)::int from outbox where agent_id = $1 and event = 'listing.published') as events
     from listings where agent_id = $1`,
    [agent.id],
  )
  const all = messy.listings
  expect(rows).toEqual([{ listings: all, names: all, published: all, created: all, events: all }])

  await undoImport(exchange.db, agent.id, id, new Date())
  await withKills(id, async () => (await phase()) === 'undone')
  const left = await exchange.get('/my/properties', agent.key)
  expect(left.body.content).toMatchObject([
    { source_id: 'INV-00002', status: 'published', title: 'Casa con jardín en Providencia' },
  ])
  expect((await findOwn(exchange.db, agent.id, id)).counts).toEqual({ ...counts, undone: all })
}, 300_000)
