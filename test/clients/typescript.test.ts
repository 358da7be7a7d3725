import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type Change,
  InvalidSignature,
  LonjaError,
  LonjaUnreachable,
  MemoryCopy,
  openLonja,
  type Round,
  type Settings,
  verifyWebhook,
} from '../../clients/typescript/src/index.ts'
import { openSecretBox } from '../../src/webhooks/secrets.ts'
import { chooseDelivery, renewSecret } from '../../src/webhooks/service.ts'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'
import { Receiver } from '../support/receiver.ts'
import { dispatch, settled, subscribe } from '../support/webhooks.ts'

vi.setConfig({ testTimeout: 60_000 })

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)
const exchange = useExchange()
const receiver = new Receiver()
let agent: TestAgent
let other: TestAgent
let baseUrl: string

beforeAll(async () => {
  baseUrl = `${await exchange.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1`
  agent = await exchange.agent()
  other = await exchange.agent()
  for (const n of [1, 2, 3, 4, 5]) await exchange.published(other, { title: `Casa número ${n}` })
  await receiver.listen()
})
afterAll(() => receiver.close())

const open = (settings: Partial<Settings> = {}) => openLonja({ baseUrl, key: agent.key, ...settings })

/** The server behind a network that loses, refuses and counts. */
function faulty(...faults: (Response | 'lost' | 'lost answer')[]) {
  const sent: { method: string; key: string | null; at: number }[] = []
  const network: typeof fetch = async (url, init = {}) => {
    sent.push({
      method: init.method ?? 'GET',
      key: new Headers(init.headers).get('idempotency-key'),
      at: performance.now(),
    })
    const fault = faults.shift()
    if (fault instanceof Response) return fault
    if (fault === 'lost') throw new TypeError('fetch failed')
    const answer = await fetch(url, init)
    if (fault === 'lost answer') throw new TypeError('terminated')
    return answer
  }
  return { sent, network }
}
const busy = (seconds: number) =>
  new Response('{"error":"rate_limited","message":"Wait."}', {
    status: 429,
    headers: { 'retry-after': String(seconds) },
  })

/** A genuine delivery of an event. */
async function delivery(options: { standardHeaders?: boolean; rotate?: boolean } = {}) {
  const owner = await exchange.agent()
  const webhook = await subscribe(exchange, owner, receiver.url('/'))
  const { standardHeaders = false, rotate = false } = options
  await chooseDelivery(exchange.db, owner.id, webhook.id, { retries: false, standardHeaders })
  const box = await openSecretBox(exchange.db, undefined)
  const next = rotate
    ? await renewSecret({ db: exchange.db, box }, owner.id, webhook.id, { overlap: true })
    : undefined
  const dispatcher = await dispatch(exchange)
  try {
    await exchange.published(owner)
    await settled(exchange.db)
  } finally {
    await dispatcher.stop()
  }
  const { body, headers } = receiver.received.at(-1) as { body: Buffer; headers: Record<string, string> }
  return { body, headers, secret: webhook.secret, next }
}

describe('the packed client in a fresh project', () => {
  let project: string
  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'lonja client '))
    await run('npm', ['pack', '--pack-destination', project], { cwd: join(ROOT, 'clients/typescript') })
    const [packed = ''] = await readdir(project)
    await writeFile(join(project, 'package.json'), '{ "name": "site", "private": true, "type": "module" }')
    await run('npm', ['install', '--offline', '--no-audit', `./${packed}`], { cwd: project })
    await copyFile(join(import.meta.dirname, 'fresh-project.ts'), join(project, 'main.ts'))
  }, 120_000)
  afterAll(() => rm(project, { recursive: true, force: true }))

  it('is typed, searches, follows a copy with a removal and verifies a webhook', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom']
    const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
    await run(process.execPath, [tsc, ...options, ...types, 'main.ts'], { cwd: project })
    const { body, headers, secret } = await delivery()
    const file = join(project, 'delivery.json')
    await writeFile(file, JSON.stringify({ body: body.toString(), headers, secret }))
    const { stdout } = await run(process.execPath, ['main.js'], {
      cwd: project,
      env: { ...process.env, BASE: baseUrl, KEY: agent.key, OTHER_KEY: other.key, DELIVERY: file },
    })
    const said = JSON.parse(stdout)
    expect(said.titles.filter((title: string) => title.startsWith('Casa número'))).toEqual(
      [5, 4, 3, 2, 1].map(n => `Casa número ${n}`),
    )
    expect([said.withNew - said.first, said.bedrooms, said.withoutIt - said.first]).toEqual([1, 3, 0])
    expect(said.kinds).toEqual([
      'changed',
      'proved',
      'changed',
      'proved',
      'changed',
      'proved',
      'changed',
      'proved',
    ])
    expect(said.refusal).toEqual(['validation', [['title', 'too_short']]])
    expect(said.status).toBe('published')
  })
})

describe('retries', () => {
  it('wait as long as Retry-After asks, and give up if it asks for too long', async () => {
    const { sent, network } = faulty(busy(1))
    await open({ fetch: network }).getMe()
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(1000)
    const long = faulty(busy(1000))
    await expect(open({ fetch: long.network }).getMe()).rejects.toMatchObject({ code: 'rate_limited' })
    expect(long.sent).toHaveLength(1)
  })

  it('create one listing if the answer is lost, with the same Idempotency-Key', async () => {
    const { sent, network } = faulty('lost answer', 'lost')
    const { id } = await open({ fetch: network }).createListing({
      body: { ...HOUSE, title: 'Casa única' } as never,
    })
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
    expect(sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
    const { rows } = await exchange.pool.query(`select id from listings where title = 'Casa única'`)
    expect(rows).toEqual([{ id }])
  })

  it('never repeat a PATCH whose answer is lost', async () => {
    const lead = await open().createLead({ body: { name: 'Ana' } })
    const { sent, network } = faulty('lost answer')
    const change = open({ fetch: network }).updateLead({ id: lead.id, body: { note: 'una vez' } })
    await expect(change).rejects.toBeInstanceOf(LonjaUnreachable)
    expect(sent).toHaveLength(1)
  })

  it('end at once when the caller aborts', async () => {
    const controller = new AbortController()
    const { network } = faulty(busy(60))
    const call = open({ fetch: network }).getMe({}, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 50)
    await expect(call).rejects.toThrow('enough')
  })
})

describe('errors', () => {
  it('carry the code, the issues and the id to quote', async () => {
    const error = await open()
      .searchListings({ min_price: 5, max_price: 1 })
      .catch(one => one)
    expect(error).toBeInstanceOf(LonjaError)
    expect(error).toMatchObject({ status: 422, code: 'validation', issues: [{ field: 'min_price' }] })
    expect(error.requestId).toMatch(/\S/)
    await expect(open({ key: 'svc_no' }).getMe()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('tell a listing that changed meanwhile', async () => {
    const lonja = open()
    const { id, version } = await exchange.listing(agent)
    await lonja.updateListing({ id, body: { bedrooms: 2 } }, { ifMatch: version })
    await expect(
      lonja.updateListing({ id, body: { bedrooms: 3 } }, { ifMatch: version }),
    ).rejects.toMatchObject({
      code: 'precondition_failed',
    })
  })
})

describe('follow', () => {
  const roundsOf = async (copy: MemoryCopy, lonja = open()) => {
    const rounds: Round[] = []
    for await (const round of lonja.follow({ copy, wait: 0, proveEvery: 0 })) rounds.push(round)
    return rounds
  }

  it('repairs a copy that lost, kept and altered listings, and fetches only those', async () => {
    const copy = new MemoryCopy()
    await roundsOf(copy)
    const right = new Map(copy.listings)
    const [lost, altered] = [...right.keys()]
    const cursor = (await copy.cursor()) as string
    const ghost = '00000000-0000-4000-8000-000000000000'
    const listing = right.get(altered as string) as never
    const faults: Change[] = [
      { op: 'remove', id: lost as string, version: '' },
      { op: 'put', id: altered as string, version: '0000000000000000', listing },
      { op: 'put', id: ghost, version: '0000000000000000', listing },
    ]
    await copy.apply(faults, cursor)
    const rounds = await roundsOf(copy)
    expect(rounds.map(({ kind }) => kind)).toEqual(['repaired'])
    expect(rounds[0]).toMatchObject({ changes: { length: 3 } })
    expect(new Map(copy.listings)).toEqual(right)
    expect((await roundsOf(copy)).map(({ kind }) => kind)).toEqual(['proved'])
  })

  it('starts again if the exchange does not know its cursor', async () => {
    const copy = new MemoryCopy()
    await copy.apply([], 'from a database that was restored')
    expect((await roundsOf(copy)).map(({ kind }) => kind)).toEqual(['restarted', 'changed', 'proved'])
  })

  it('waits for changes, delivers them as they come, and ends without an error when told to', async () => {
    const copy = new MemoryCopy()
    const controller = new AbortController()
    const seen: string[] = []
    for await (const round of open().follow({ copy, wait: 10, signal: controller.signal })) {
      if (round.kind === 'proved') void exchange.published(other, { title: 'Casa recién llegada' })
      if (round.kind === 'changed')
        seen.push(...round.changes.flatMap(one => ('listing' in one ? [one.listing.title] : [])))
      if (seen.includes('Casa recién llegada')) controller.abort()
    }
    expect(seen.at(-1)).toBe('Casa recién llegada')
  })
})

describe('verifyWebhook', () => {
  it('accepts a genuine delivery, and neither another body nor another secret', async () => {
    const { body, headers, secret } = await delivery()
    const event = await verifyWebhook({ body, headers, secret: ['whsec_other', secret] })
    expect([event.event, event.data.id]).toEqual(['listing.published', expect.any(String)])
    const forged = body.toString().replace('published', 'withdrawn')
    await expect(verifyWebhook({ body: forged, headers, secret })).rejects.toBeInstanceOf(InvalidSignature)
    await expect(verifyWebhook({ body, headers, secret: 'whsec_other' })).rejects.toBeInstanceOf(
      InvalidSignature,
    )
    await expect(verifyWebhook({ body, headers: {}, secret })).rejects.toBeInstanceOf(InvalidSignature)
  })

  it('accepts both secrets while they overlap', async () => {
    const { body, headers, secret, next } = await delivery({ rotate: true })
    for (const one of [secret, next as string])
      await verifyWebhook({ body, headers: new Headers(headers), secret: one })
  })

  it('checks Standard Webhooks, and refuses what is too old', async () => {
    const { body, headers, secret } = await delivery({ standardHeaders: true })
    await verifyWebhook({ body, headers, secret, standard: true })
    await expect(verifyWebhook({ body, headers, secret, standard: true, tolerance: -1 })).rejects.toThrow(
      'too old',
    )
    const forged = { ...headers, 'webhook-id': 'msg_other' }
    await expect(verifyWebhook({ body, headers: forged, secret, standard: true })).rejects.toBeInstanceOf(
      InvalidSignature,
    )
  })
})
