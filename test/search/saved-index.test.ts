import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Engine } from '../../src/search/engine/engine.ts'
import type { Piece, Pieces } from '../../src/search/engine/pieces.ts'
import { Unusable } from '../../src/search/feed/blocks.ts'
import { Feed } from '../../src/search/feed/feed.ts'
import { SavedIndex } from '../../src/search/feed/saved-index.ts'
import { areFewNew, openReader } from '../../src/search/feed/store.ts'
import { useExchange } from '../support/exchange.ts'
import { contentOf } from '../support/index-content.ts'
import { edit, insertSome, marketAgents, someEdit, someListing } from '../support/random-market.ts'

const exchange = useExchange()
/** So low that slots are retired, swept and reused in a small market. */
const LIMITS = { few: 2, retired: 5, slice: 40 }
const folder = mkdtempSync(join(tmpdir(), 'lonja-index-'))
const file = join(folder, 'index')
let agents: { id: string }[]
let ids: string[]
let opened: Feed[] = []

beforeAll(async () => {
  agents = await marketAgents(exchange.db)
  ids = await insertSome(exchange.db, agents, fc.sample(someListing, 120))
})
afterEach(async () => {
  await Promise.all(opened.map(feed => feed.close()))
  opened = []
})
afterAll(() => rmSync(folder, { recursive: true }))

const urlOf = () => exchange.pool.options.connectionString as string

/** A feed that is ready, and what it wrote to its log. */
async function follow(saving?: { saves: boolean } | undefined) {
  const log: string[] = []
  const logger = pino({ level: 'info' }, { write: line => void log.push(JSON.parse(line)) })
  const feed = new Feed({
    url: urlOf(),
    logger,
    limits: LIMITS,
    saving: saving && { folder, minutes: 15, ...saving },
  })
  opened.push(feed)
  await feed.refresh()
  return { engine: feed.engine as Engine, feed, log: log as unknown as { msg: string; reason?: string }[] }
}

const isFromDisk = (log: { msg: string }[]) => log.some(({ msg }) => msg.includes('from the saved index'))
const change = async (edits: Parameters<typeof edit>[3][]) => {
  for (const one of edits) await edit(exchange.db, agents, ids, one)
}
const removalsOf = ({ removals: { ids: removed, order } }: Engine) =>
  [...order.backwards(-Infinity, Infinity)].map(at => removed.text(at))
const lossesOf = ({ losses }: Engine) =>
  [...losses]
    .flatMap(([agent, lost]) => [...lost.values()].map(({ id, xid }) => `${agent} ${id} ${xid}`))
    .sort()
/** What a process saves that starts on an empty folder. */
async function save(): Promise<void> {
  rmSync(file, { force: true })
  const { feed } = await follow({ saves: true })
  await feed.close()
}

function read(pieces: Piece[]): Pieces {
  let at = 0
  return {
    next(Type, spare = 0) {
      const piece = pieces[at++] as Piece
      const copy = new Type(piece.length + spare)
      copy.set(piece as never)
      return copy
    },
  }
}

it('what is saved is the index as it was at the first piece, whatever changes until the last one, without retired slots', async () => {
  const { feed, engine } = await follow()
  await fc.assert(
    fc.asyncProperty(fc.array(someEdit, { minLength: 3, maxLength: 12 }), async edits => {
      const later = edits.slice(2)
      await change(edits.slice(0, 2))
      await feed.refresh()
      const expected = contentOf(engine)
      const pieces: Piece[] = []
      const every = Math.floor((engine.postings.sets.length + 50) / edits.length)
      for (const piece of engine.save()) {
        pieces.push(piece)
        if (pieces.length % every !== 1) continue
        await change(later.splice(0, 1))
        await feed.refresh()
      }
      const loaded = new Engine(LIMITS)
      for (const _step of loaded.load(read(pieces)));
      expect(contentOf(loaded)).toEqual(expected)
      const found = loaded.postings.sets.flatMap(set => [...(set?.slots() ?? [])])
      expect(found.filter(slot => !loaded.live.has(slot))).toEqual([])
      expect(loaded.orders.newest.size).toBe(loaded.live.count())
    }),
    { numRuns: 8, endOnFailure: true },
  )
})

it('a process that starts from the disk holds what one that reads every listing does, and goes on so', async () => {
  await save()
  await fc.assert(
    fc.asyncProperty(fc.array(someEdit, { minLength: 1, maxLength: 15 }), async edits => {
      await change(edits)
      const restored = await follow({ saves: true })
      expect(isFromDisk(restored.log)).toBe(true)
      await change(edits)
      await restored.feed.refresh()
      // It is saved when it stops, and the next one starts from it.
      restored.engine.revision += 1_000
      const fresh = await follow()
      expect(contentOf(restored.engine)).toEqual(contentOf(fresh.engine))
      expect(removalsOf(restored.engine)).toEqual(removalsOf(fresh.engine))
      expect(lossesOf(restored.engine)).toEqual(lossesOf(fresh.engine))
      await Promise.all([restored.feed.close(), fresh.feed.close()])
    }),
    { numRuns: 6, endOnFailure: true },
  )
})

it('is saved when it was first read and, after many changes, when the process stops; nothing else remains', async () => {
  rmSync(file, { force: true })
  const first = await follow({ saves: true })
  await expect.poll(() => readdirSync(folder)).toEqual(['index'])
  const before = readFileSync(file)
  await first.feed.close()
  expect(readFileSync(file).equals(before)).toBe(true)
  const second = await follow({ saves: true })
  await exchange.pool.query('update listings set floors = 3')
  await second.feed.refresh()
  second.engine.revision += 1_000
  await second.feed.close()
  expect(readFileSync(file).equals(before)).toBe(false)
  expect(readdirSync(folder)).toEqual(['index'])
  expect(isFromDisk((await follow({ saves: false })).log)).toBe(true)
})

describe('what cannot be used is not used: every listing is read, and the log says why', () => {
  const reads = async (reason: RegExp) => {
    const { engine, log, feed } = await follow({ saves: false })
    expect(isFromDisk(log)).toBe(false)
    expect(log.find(({ msg }) => msg === 'the saved search index is not used')?.reason).toMatch(reason)
    const fresh = await follow()
    expect(contentOf(engine)).toEqual(contentOf(fresh.engine))
    await Promise.all([feed.close(), fresh.feed.close()])
  }
  let whole: Buffer
  const rewrite = (bytes: Buffer) => writeFileSync(file, bytes)
  const flipped = (at: number) => {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] as number) ^ (1 << randomInt(8))
    return bytes
  }
  beforeAll(async () => {
    await save()
    whole = readFileSync(file)
  })
  afterEach(() => {
    rmSync(file, { force: true, recursive: true })
    rewrite(whole)
  })

  it('an incomplete one', async () => {
    rewrite(whole.subarray(0, whole.length - 1))
    await reads(/incomplete/)
    rewrite(Buffer.alloc(0))
    await reads(/incomplete/)
  })

  it('a damaged one', async () => {
    rewrite(flipped(Math.floor(whole.length / 2)))
    await reads(/damaged/)
  })

  it('one that is cut or damaged at any point', async () => {
    expect(isFromDisk((await follow({ saves: false })).log)).toBe(true)
    const { tables } = readHead()
    for (let i = 0; i < 200; i++) {
      rewrite(i % 2 ? whole.subarray(0, randomInt(whole.length)) : flipped(randomInt(whole.length)))
      const saved = new SavedIndex({ folder, minutes: 15, saves: false }, pino({ level: 'silent' }))
      expect(() => {
        const found = saved.open(tables)
        if (!found) throw new Unusable('not opened')
        for (const _step of new Engine(LIMITS).load(found.pieces));
        found.close()
      }).toThrow(Unusable)
    }
  })

  it('a folder, or anything else in its place', async () => {
    rmSync(file)
    mkdirSync(file)
    await reads(/EISDIR/)
    rmSync(file, { recursive: true })
    rewrite(Buffer.from('{"not": "an index"}'))
    await reads(/incomplete|damaged/)
  })

  it('one of another version of the code', async () => {
    rewrite(withHead(head => ({ ...head, code: 'older' })))
    await reads(/another version/)
  })

  it('one of other tables, or of tables that were rewritten', async () => {
    rewrite(withHead(head => ({ ...head, tables: head.tables.replace(/^\d+/, '1') })))
    await reads(/another database/)
    rewrite(whole)
    await exchange.pool.query('vacuum full listings')
    await reads(/another database, or the tables were rewritten/)
    await save()
    whole = readFileSync(file)
  })

  it('one of another history: another server, or a state that the database no longer has', async () => {
    rewrite(withHead(head => ({ ...head, position: { ...head.position, history: 'of another server' } })))
    await reads(/another history/)
    rewrite(whole)
    await exchange.pool.query(
      `insert into feed_histories (server, run, change_xid)
       select server, 'after a restore', '3' from feed_histories order by id desc limit 1`,
    )
    await reads(/another history/)
    await exchange.pool.query(`delete from feed_histories where run = 'after a restore'`)
  })

  it('one that too much has changed since', async () => {
    const client = openReader(urlOf(), 'a test')
    await client.connect()
    const { next } = readHead().position.snapshot
    const { rows } = await client.query('update listings set floors = 4 returning id')
    expect(await areFewNew(client, { next, open: [] }, rows.length)).toBe(true)
    expect(await areFewNew(client, { next, open: [] }, rows.length - 1)).toBe(false)
    await client.end()
  })

  const HEAD = 8
  function readHead() {
    const length = whole.readUInt32LE(HEAD)
    return JSON.parse(whole.toString('utf8', HEAD + 4, HEAD + 4 + length))
  }
  /** The same index with another head, in a file as this code writes it. */
  function withHead(alter: (head: ReturnType<typeof readHead>) => object): Buffer {
    const length = whole.readUInt32LE(HEAD)
    const text = Buffer.from(JSON.stringify(alter(readHead())))
    const size = Buffer.alloc(4)
    size.writeUInt32LE(text.length)
    const rest = whole.subarray(HEAD + 4 + length)
    const block = Buffer.concat([whole.subarray(0, HEAD), size, text, rest])
    block.writeUInt32LE(block.length - HEAD, 0)
    block.writeUInt32LE(crc32(block.subarray(HEAD)), 4)
    return block
  }
})
