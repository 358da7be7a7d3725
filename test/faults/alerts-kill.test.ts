import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { useExchange } from '../support/exchange.ts'
import { Victim } from '../support/victim.ts'

const exchange = useExchange()
let mailDir: string
let worker: Victim | undefined

beforeAll(async () => {
  mailDir = await mkdtemp(join(tmpdir(), 'lonja-alerts-'))
})
afterAll(async () => {
  await kill()
  await rm(mailDir, { recursive: true, force: true })
})

async function start(): Promise<void> {
  worker = await Victim.start(new URL('matching-worker.ts', import.meta.url), exchange.pool, [mailDir])
}

/** As after five minutes: what the dead worker had locked is free, and mail that waits is due. */
async function kill(): Promise<void> {
  if (!worker) return
  await worker.kill()
  worker = undefined
  await exchange.pool.query(
    `update graphile_worker._private_jobs set run_at = now(),
       locked_at = case when locked_at is not null then now() - interval '10 minutes' end`,
  )
}

/** Every mail by its id, which is in the message id too, however often it was written: to whom, and which listings it names. */
async function mails(slugs: string[]) {
  const found = new Map<string, { to: string; names: string[] }[]>()
  for (const file of await readdir(mailDir)) {
    if (!file.endsWith('.eml')) continue
    const text = (await readFile(join(mailDir, file), 'utf8')).replace(/=\r?\n/g, '')
    const id = /-(\d+)\.eml$/.exec(file)?.[1] as string
    const to = /^To: (.*)$/im.exec(text)?.[1] as string
    const names = slugs.filter(slug => text.includes(slug)).sort()
    found.set(id, [...(found.get(id) ?? []), { to, names }])
  }
  return found
}

describe('kill -9', () => {
  it('at any moment between a change and its mail: every match is in exactly one mail of its alert', async () => {
    const agent = await exchange.agent()
    const queries = [
      'city=Morelia',
      'operation=sale',
      'type=house&city=morelia',
      'type=house',
      'operation=sale&city=Morelia',
      'operation=sale&type=house',
    ]
    for (const [i, query] of queries.entries()) {
      await exchange.pool.query(
        `insert into alerts (email, lang, query, pace, consent_at, consent_notice, confirmed_at, used_at)
         values ($1, 'es', $2, 'at_once', now(), '2026-11-15', now(), now())`,
        [`visitor-${i}@example.com`, query],
      )
    }
    const slugs: string[] = []
    let kills = 0
    await start()
    for (let round = 0; round < 12; round++) {
      // Twenty in all: a mail names no more, and all may be in one if the machine is slow.
      for (let i = 0; i < (round % 3 === 0 ? 3 : 1); i++) {
        const { slug } = await exchange.published(agent, {
          city: 'Morelia',
          title: `Casa número ${round}-${i}`,
        })
        slugs.push(slug)
      }
      await sleep(round * 25)
      await kill()
      kills++
      await start()
    }
    await vi.waitFor(
      async () => {
        await exchange.pool.query(
          'update graphile_worker._private_jobs set run_at = now() where locked_at is null',
        )
        const { rows } = await exchange.pool.query(
          'select (select count(*)::int from alert_matches where mail is not null) as mailed, (select count(*)::int from graphile_worker._private_jobs) as jobs',
        )
        expect(rows[0]).toEqual({ mailed: slugs.length * queries.length, jobs: 0 })
      },
      { timeout: 60_000, interval: 500 },
    )
    const all = await mails(slugs)
    const times = new Map<string, number>()
    for (const copies of all.values()) {
      const [first] = copies as [{ to: string; names: string[] }]
      for (const copy of copies) expect(copy).toEqual(first)
      for (const name of first.names)
        times.set(`${first.to} ${name}`, (times.get(`${first.to} ${name}`) ?? 0) + 1)
    }
    expect(times.size).toBe(slugs.length * queries.length)
    expect([...times].filter(([, count]) => count !== 1)).toEqual([])
    expect(kills).toBe(12)
  }, 240_000)
})
