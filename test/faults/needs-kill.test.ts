import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { until } from '../support/receiver.ts'
import { Victim } from '../support/victim.ts'

const exchange = useExchange()
const workers = new Set<Victim>()
let lister: TestAgent
let smtp: SMTPServer
/** Every message as it arrived, before its worker was told so. */
let messages: { id: string; body: string; slugs: string[] }[] = []
/** What happens between the arrival of a message and the answer. */
let onArrival: () => Promise<void> = async () => {}

beforeAll(async () => {
  lister = await exchange.agent()
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        messages.push(messageOf(Buffer.concat(chunks).toString()))
        onArrival().then(() => done())
      })
    },
  })
  smtp.on('error', () => {})
  await new Promise<void>(done => void smtp.listen(0, '127.0.0.1', done))
}, 60_000)
afterAll(() => new Promise<void>(done => smtp.close(() => done())))

afterEach(async () => {
  await Promise.all([...workers].map(kill))
  await exchange.pool.query('delete from graphile_worker._private_jobs')
  await exchange.pool.query(`update needs set closed_at = now()`)
  messages = []
  onArrival = async () => {}
})

/** The plain text, without the breaks of its encoding and without what differs between two copies. */
function messageOf(raw: string) {
  const text = raw.replace(/=\r?\n/g, '').replace(/\r\n/g, '\n')
  const boundary = /boundary="([^"]+)"/.exec(text)?.[1] ?? '-'
  const body = text.slice(text.indexOf('\n\n')).replaceAll(boundary, '')
  const slugs = [
    ...new Set([...body.matchAll(/\/portal\/market\/([\w-]+)/g)].map(found => found[1] as string)),
  ]
  return { id: /^Message-ID: (\S+)$/im.exec(text)?.[1] as string, body, slugs }
}

async function startWorker(): Promise<Victim> {
  const { port } = smtp.server.address() as { port: number }
  // What a killed worker held is taken over five minutes later: for the test, at once.
  await exchange.pool.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '10 minutes' where locked_at is not null`,
  )
  const script = new URL('needs-worker.ts', import.meta.url)
  const worker = await Victim.start(script, exchange.pool, [`smtp://127.0.0.1:${port}`])
  workers.add(worker)
  return worker
}

async function kill(worker: Victim): Promise<void> {
  workers.delete(worker)
  await worker.kill()
}

async function needIn(city: string): Promise<void> {
  const seeker = await exchange.agent()
  await exchange.pool.query(
    `insert into needs (agent_id, query, places, notices, until, held_at)
     values ($1, '', array[$2], 'at_once', now() + interval '1 day', now())`,
    [seeker.id, city],
  )
}

const publish = (city: string) => exchange.published(lister, { city })
const jobs = async () =>
  (
    await exchange.pool.query(
      `select task_identifier, attempts, run_at, locked_at, locked_by, last_error, now() from graphile_worker.jobs`,
    )
  ).rows
const waiting = async () =>
  (await exchange.pool.query('select count(*)::int as n from need_matches where announced_at is null'))
    .rows[0].n
const matched = async () =>
  (await exchange.pool.query('select count(*)::int as n from need_matches where is_current')).rows[0].n

/** Until everything is matched, told and done; if not, says what is left. */
async function settled(isMatched: (matches: number) => boolean): Promise<void> {
  const isSettled = async () =>
    isMatched(await matched()) && (await waiting()) === 0 && (await jobs()).length === 0
  await until(isSettled, 60_000).catch(async () => {
    const left = { matched: await matched(), waiting: await waiting(), jobs: await jobs() }
    throw new Error(`after a minute: ${JSON.stringify(left)}`)
  })
}

/** Copies of a mail are the same mail, and every listing is in one mail for each of its needs. */
function checkMails(slugs: string[], needs: number): number {
  const mails = new Map(messages.map(message => [message.id, message]))
  for (const { id, body } of messages) expect(body).toBe(mails.get(id)?.body)
  const named = [...mails.values()].flatMap(mail => mail.slugs).sort()
  expect(named).toEqual(slugs.flatMap(slug => Array.from({ length: needs }, () => slug)).sort())
  return messages.length - mails.size
}

describe('kill -9', () => {
  it('after a mail was accepted and before the worker knew: the copy is the same mail, and what matched since is in another', async () => {
    const worker = await startWorker()
    await needIn('Tepic')
    const killed = new Promise<void>(resolve => {
      onArrival = async () => {
        onArrival = async () => {}
        await kill(worker)
        resolve()
      }
    })
    const first = await publish('Tepic')
    await killed
    const second = await publish('Tepic')
    await startWorker()
    await settled(matches => matches === 2)
    expect(checkMails([first.slug, second.slug], 1)).toBe(1)
  }, 180_000)

  it('repeatedly, with two workers, while listings are published: each match in one mail, none lost', async () => {
    // No more than a mail names.
    const LISTINGS = 20
    for (let i = 0; i < 3; i++) await needIn('Colima')
    onArrival = () => sleep(60 * Math.random())
    let isDone = false
    const killing = (async () => {
      let kills = 0
      while (!isDone) {
        const victims = [await startWorker(), await startWorker()]
        for (const victim of victims) {
          await sleep(100 + 400 * Math.random())
          await kill(victim)
          kills++
        }
      }
      return kills
    })()
    const slugs: string[] = []
    for (let i = 0; i < LISTINGS; i++) {
      slugs.push((await publish('Colima')).slug)
      await sleep(150)
    }
    isDone = true
    expect(await killing).toBeGreaterThanOrEqual(2)
    await startWorker()
    await settled(matches => matches >= 3 * LISTINGS)
    checkMails(slugs, 3)
  }, 180_000)
})
