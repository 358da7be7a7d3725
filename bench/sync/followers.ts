import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Sent by the benchmark: where to follow from, then, when the changes are over, the proof to reach. */
export type Order =
  | { start: { url: string; keys: string[]; followers: number } }
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
  cursor: string
  more: boolean
}

/** Fifty copies of a large market: ids are shared, and of each listing a copy keeps one word. */
const numbers = new Map<string, number>()
const numberOf = (id: string) => {
  const known = numbers.get(id) ?? numbers.size
  numbers.set(id, known)
  return known
}

class Copy {
  readonly words: BigUint64Array
  cursor: string | undefined
  hash = 0n
  arrived: [number, string][] = []

  constructor(words: BigUint64Array) {
    this.words = words
  }

  apply({ content, cursor }: Page): void {
    const at = String(process.hrtime.bigint())
    for (const { op, id, version, listing } of content) {
      const i = numberOf(id)
      const word = op === 'put' ? wordOf(id, version) : 0n
      this.hash ^= (this.words[i] as bigint) ^ word
      this.words[i] = word
      const mark = /^bench (\d+)$/.exec(listing?.description ?? '')
      if (mark) this.arrived.push([Number(mark[1]), at])
    }
    this.cursor = cursor
  }
}

// As light as a client can be: what it costs is taken from the server's share of the machine.
const agent = new Agent({ keepAlive: true })

function read(url: string, key: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const ask = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, answer => {
      const parts: Buffer[] = []
      answer.on('data', part => parts.push(part)).on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString() }),
      )
    })
    ask.on('error', reject).end()
  })
}

async function page(url: string, key: string, cursor: string | undefined, wait: number): Promise<Page> {
  const query = new URLSearchParams({ limit: '1000', wait: String(wait), ...(cursor && { cursor }) })
  for (;;) {
    const answer = await read(`${url}/api/v1/changes?${query}`, key).catch(() => undefined)
    if (answer?.status === 200) return JSON.parse(answer.body) as Page
    if (answer && answer.status >= 400 && answer.status < 500)
      throw new Error(`${answer.status} ${answer.body}`)
    await sleep(20)
  }
}

let requests = 0

async function load(url: string, key: string): Promise<Copy> {
  const copy = new Copy(new BigUint64Array(2_000_000))
  for (let more = true; more; requests++) {
    const next = await page(url, key, copy.cursor, 0)
    copy.apply(next)
    more = next.more
  }
  return copy
}

/** By key: agents see their own listings in any status, so each has its own. */
let targets: Record<string, string> | undefined

async function follow(copy: Copy, url: string, key: string): Promise<void> {
  while (!targets || copy.hash !== BigInt(`0x${targets[key]}`)) {
    copy.apply(await page(url, key, copy.cursor, targets ? 1 : 10))
    if (copy.arrived.length > 0) send({ arrived: copy.arrived.splice(0) })
  }
}

process.on('message', async (order: Order) => {
  if ('reach' in order) {
    targets = order.reach
    return
  }
  const { url, keys, followers } = order.start
  const started = performance.now()
  const firsts: { key: string; copy: Copy }[] = []
  for (const key of keys) firsts.push({ key, copy: await load(url, key) })
  const ms = (performance.now() - started) / keys.length
  send({ loaded: { listings: numbers.size, requests: requests / keys.length, ms } })
  const copies = Array.from({ length: followers }, (_, i) => {
    const { key, copy } = firsts[i % firsts.length] as (typeof firsts)[number]
    const { words, cursor, hash } = copy
    return { key, copy: Object.assign(new Copy(words.slice()), { cursor, hash }) }
  })
  await Promise.all(copies.map(({ key, copy }) => follow(copy, url, key)))
  send({ equal: copies.length })
  process.disconnect()
})
