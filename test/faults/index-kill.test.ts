import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import pino from 'pino'
import { afterAll, expect, it } from 'vitest'
import { Feed } from '../../src/search/feed/feed.ts'
import { useExchange } from '../support/exchange.ts'
import { contentOf } from '../support/index-content.ts'
import { insertSome, marketAgents, someListing } from '../support/random-market.ts'

const exchange = useExchange()
const folder = mkdtempSync(join(tmpdir(), 'lonja-index-'))
const urlOf = () => exchange.pool.options.connectionString as string
const KILLS = 3

afterAll(() => rmSync(folder, { recursive: true }))

async function contentOfNew(saving?: { folder: string; minutes: number; saves: boolean }) {
  const log: string[] = []
  const logger = pino({ level: 'info' }, { write: line => void log.push(line) })
  const feed = new Feed({ url: urlOf(), logger, saving, addressWord: [0, 0] })
  await feed.refresh()
  const content = feed.engine && contentOf(feed.engine)
  await feed.close()
  return { content, log: log.join('') }
}

/** Files that were begun and not finished. */
const unfinished = () => readdirSync(folder).filter(name => name !== 'index').length

it(`the saved index is whole whenever the process that saves it is killed (${KILLS} times while it writes)`, async () => {
  const agents = await marketAgents(exchange.db)
  for (let kills = 0; kills < KILLS; ) {
    await insertSome(exchange.db, agents, fc.sample(someListing, 200))
    const before = unfinished()
    const worker = fork(new URL('index-worker.ts', import.meta.url), [urlOf(), folder], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const ended = once(worker, 'exit')
    await Promise.race([once(worker, 'message'), ended])
    await sleep(Math.random() * 50)
    while (unfinished() === before && worker.exitCode === null) await sleep(1)
    worker.kill('SIGKILL')
    expect(await ended).toEqual([null, 'SIGKILL'])
    // The kill may come a moment too late, between two saves: the index must be whole then too.
    if (unfinished() > before) kills++
    const restored = await contentOfNew({ folder, minutes: 15, saves: false })
    expect(restored.log).toContain('from the saved index')
    expect(restored.content).toEqual((await contentOfNew()).content)
  }
})
