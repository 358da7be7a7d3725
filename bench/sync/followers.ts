import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Sent by the benchmark: where to follow from; when changes have been measured, to read them; at last, the proof to reach. */
export type Order =
  | { start: { url: string; keys: string[]; followers: number } }
  | 'report'
  | { reach: Record<string, string> }
/** Sent back: the copy is loaded; when each change arrived, in nanoseconds of the machine's clock; the end. */
export type Report =
  | { loaded: { listings: number; requests: number; ms: number } }
  | { arrived: [mark: number, at: string][] }
  | { equal: number }

const send = (report: Report) => process.send?.(report)
const wordOf = (id: string, version: string) =>
  createHash('sha256').update(`${id}:${version}`).digest().readBigUInt64BE()

interface Page {
  content: { op: 'put' | 'remove'; id: string; version: string; listing?: { description: string | null } }[]
}

/** The cursor is within that many of the last bytes. */
const TAIL = 1_000

/** Fifty copies of a large market: ids are shared, and of each listing a copy keeps one word. */
const numbers = new Map<string, number>()
const numberOf = (id: string) => {
  const known = numbers.get(id) ?? numbers.size
  numbers.set(id, known)
  return known
}

interface Arrived {
  at: bigint
  body: Buffer
}

class Copy {
  readonly words: BigUint64Array
  cursor: string | undefined
  hash = 0n
  /** Pages that have arrived and are not applied yet. */
  #pages: Arrived[] = []

  constructor(words: BigUint64Array) {
    this.words = words
  }

  /**
   * Keeps a page for later and moves the cursor: what followers do with their changes is done on their own machines, and here it
   * would be taken from the server's share of this one.
   */
  take(body: Buffer): { more: boolean } {
    const at = process.hrtime.bigint()
    const tail = /"cursor":"([^"]+)","more":(true|false)\}$/.exec(body.subarray(-TAIL).toString('latin1'))
    if (!tail) throw new Error('a page without a cursor at its end')
    this.#pages.push({ at, body })
    this.cursor = tail[1] as string
    return { more: tail[2] === 'true' }
  }

  /** Applies the pages kept and returns which marked changes arrived when. */
  apply(): [mark: number, at: string][] {
    const arrived: [number, string][] = []
    for (const { at, body } of this.#pages.splice(0)) {
      for (const { op, id, version, listing } of (JSON.parse(body.toString()) as Page).content) {
        const i = numberOf(id)
        const word = op === 'put' ? wordOf(id, version) : 0n
        this.hash ^= (this.words[i] as bigint) ^ word
        this.words[i] = word
        const mark = /^bench (\d+)$/.exec(listing?.description ?? '')
        if (mark) arrived.push([Number(mark[1]), String(at)])
      }
    }
    return arrived
  }
}

const agent = new Agent({ keepAlive: true })

function read(url: string, key: string): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const ask = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, answer => {
      const parts: Buffer[] = []
      answer.on('data', part => parts.push(part)).on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts) }))
    })
    ask.on('error', reject).end()
  })
}

async function page(url: string, key: string, cursor: string | undefined, wait: number): Promise<Buffer> {
  const query = new URLSearchParams({ limit: '1000', wait: String(wait), ...(cursor && { cursor }) })
  for (;;) {
    const answer = await read(`${url}/api/v1/changes?${query}`, key).catch(() => undefined)
    if (answer?.status === 200) return answer.body
    if (answer && answer.status >= 400 && answer.status < 500)
      throw new Error(`${answer.status} ${answer.body}`)
    await sleep(20)
  }
}

let requests = 0

async function load(url: string, key: string): Promise<Copy> {
  const copy = new Copy(new BigUint64Array(2_000_000))
  for (let more = true; more; requests++) {
    more = copy.take(await page(url, key, copy.cursor, 0)).more
    copy.apply()
  }
  return copy
}

/** By key: agents see their own listings in any status, so each has its own. */
let targets: Record<string, string> | undefined
let copies: { key: string; copy: Copy }[] = []

async function follow(copy: Copy, url: string, key: string): Promise<void> {
  for (;;) {
    copy.take(await page(url, key, copy.cursor, targets ? 1 : 10))
    if (!targets) continue
    copy.apply()
    if (copy.hash === BigInt(`0x${targets[key]}`)) return
  }
}

async function start({ url, keys, followers }: Extract<Order, { start: unknown }>['start']): Promise<void> {
  const started = performance.now()
  const firsts: { key: string; copy: Copy }[] = []
  for (const key of keys) firsts.push({ key, copy: await load(url, key) })
  const ms = (performance.now() - started) / keys.length
  send({ loaded: { listings: numbers.size, requests: requests / keys.length, ms } })
  copies = Array.from({ length: followers }, (_, i) => {
    const { key, copy } = firsts[i % firsts.length] as (typeof firsts)[number]
    const { words, cursor, hash } = copy
    return { key, copy: Object.assign(new Copy(words.slice()), { cursor, hash }) }
  })
  await Promise.all(copies.map(({ key, copy }) => follow(copy, url, key)))
  send({ equal: copies.length })
  process.disconnect()
}

process.on('disconnect', () => process.exit())
process.on('message', async (order: Order) => {
  if (order === 'report') send({ arrived: copies.flatMap(({ copy }) => copy.apply()) })
  else if ('reach' in order) targets = order.reach
  else await start(order.start)
})
