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
const unfinished = () => readdirSync(folder).length - 1

it(`the saved index is whole whenever the process that saves it is killed (${KILLS} times while it writes)`, async () => {
  const agents = await marketAgents(exchange.db)
  while (unfinished() < KILLS) {
    await insertSome(exchange.db, agents, fc.sample(someListing, 200))
    const worker = fork(new URL('index-worker.ts', import.meta.url), [urlOf(), folder], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    await once(worker, 'message')
    const before = unfinished()
    // The kill itself may come a moment too late, at the end of a save or between two: that counts as a kill, not as one of these.
    do await sleep(Math.random() * 10)
    while (unfinished() === before)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    const restored = await contentOfNew({ folder, minutes: 15, saves: false })
    expect(restored.log).toContain('from the saved index')
    expect(restored.content).toEqual((await contentOfNew()).content)
  }
})
