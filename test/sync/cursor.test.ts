import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { sealedBox } from '../../src/lib/sealed-box.ts'
import { isPast } from '../../src/search/feed/history.ts'
import { covers, parseSnapshot } from '../../src/search/feed/snapshot.ts'
import { bindingOf, decode, encode, type Progress } from '../../src/sync/rules.ts'
import { sharedKey } from '../../src/webhooks/secrets.ts'
import { PUBLIC_URL, type TestAgent, useExchange } from '../support/exchange.ts'
import { Follower } from '../support/follower.ts'

const exchange = useExchange()
let agent: TestAgent
let other: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
  other = await exchange.agent()
  for (let i = 0; i < 5; i++) await exchange.published(agent)
})

const ask = (query: string, key = agent.key) => exchange.get(`/changes?${query}`, key)
const cursorOf = async (query = ''): Promise<string> => (await ask(`limit=2&${query}`)).body.cursor

// As the product seals them.
const boxOf = async () => sealedBox(await sharedKey(exchange.db, undefined), 'lonja cursors')
const binding = () => bindingOf({ viewer: agent.id, scope: 'all', filters: {} }, PUBLIC_URL)
const opened = async (cursor: string) => (await boxOf()).open(Buffer.from(cursor, 'base64url'), binding())
async function cursorWith(change: (progress: Progress) => Progress): Promise<string> {
  const progress = decode(await opened(await cursorOf()))
  return (await boxOf()).seal(encode(change(progress)), binding()).toString('base64url')
}

async function expectGone(query: string, key?: string) {
  const { status, body } = await ask(query, key)
  expect([status, body.error]).toEqual([410, 'gone'])
  expect(body.message).toContain('without a cursor')
}

describe('a cursor', () => {
  it('serves any key of the same agent', async () => {
    const key = await exchange.key(agent.email, 'read')
    expect((await ask(`cursor=${await cursorOf()}`, key)).status).toBe(200)
  })

  it('does not care how a filter is written, nor about limit and wait', async () => {
    const cursor = await cursorOf('type=house&type=land&state=CDMX&min_bedrooms=0')
    const query = 'state=Ciudad%20de%20M%C3%A9xico&type=land&type=house&limit=9&wait=0.01&scope=all'
    expect((await ask(`cursor=${cursor}&${query}`)).status).toBe(200)
  })

  it('says nothing: neither transactions nor ids can be read from it, and no two are alike', async () => {
    const [one, two] = [await cursorOf(), await cursorOf()]
    expect(one).not.toBe(two)
    expect(one).toMatch(/^[\w-]{80,400}$/)
    const bytes = Buffer.from(one, 'base64url')
    const { history, round } = decode(await opened(one))
    for (const told of [history, JSON.stringify(round?.after.id), String(round?.until.next)])
      expect(bytes.includes(told)).toBe(false)
  })
})

describe('410', () => {
  it.each([
    ['scope', 'scope=own'],
    ['a filter more', 'state=Jalisco'],
  ])('for another %s', async (_what, query) => {
    const cursor = await cursorOf()
    await expectGone(`cursor=${cursor}&${query}`)
    const narrower = await cursorOf(query)
    await expectGone(`cursor=${narrower}`)
  })

  it('for another agent', async () => expectGone(`cursor=${await cursorOf()}`, other.key))

  it.each([
    ['nonsense', () => 'nonsense'],
    ['one cut short', (cursor: string) => cursor.slice(0, -4)],
    ['one with a letter changed', (cursor: string) => (cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1)],
    ['one of a search', () => 'WyJhYmMiLDAsMCwxLDEsMiwzLDRd'],
    ['a very long one', () => 'A'.repeat(8000)],
    ['one with signs', () => '%00%ff%22'],
  ])('for %s', async (_what, spoil) => expectGone(`cursor=${spoil(await cursorOf())}`))
})

const untilOf = ({ round }: Progress) => {
  if (!round) throw new Error('not in a round')
  return round.until
}

describe('a database that was restored', () => {
  it('to before the cursor, answers 410', async () => {
    const ahead = await cursorWith(progress => {
      const { next, open } = untilOf(progress)
      return { history: progress.history, since: { next: next + 1000, open } }
    })
    await expectGone(`cursor=${ahead}`)
    const behind = await cursorWith(({ history }) => ({ history, since: { next: 700, open: [] } }))
    expect((await ask(`cursor=${behind}`)).status).toBe(200)
  })

  it('to before the history the cursor knows, answers 410', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000'
    await expectGone(`cursor=${await cursorWith(progress => ({ ...progress, history: unknown }))}`)
  })

  // The rows that PostgreSQL's next start, or a restored backup, would leave.
  const begin = (server: string) =>
    exchange.pool.query(
      `insert into feed_histories (server, run) select ${server}, gen_random_uuid() from feed_histories order by id desc limit 1`,
    )
  it('and has given out other transactions since, answers 410 to what saw the old ones, 200 to what is older', async () => {
    const older = await cursorOf()
    const future = await cursorWith(progress => {
      const { next, open } = untilOf(progress)
      return { history: progress.history, since: { next: next + 500, open } }
    })
    await begin('server')
    await exchange.pool.query(
      `do $$ begin for i in 1..600 loop perform pg_current_xact_id(); commit; end loop; end $$`,
    )
    expect((await ask(`cursor=${older}`)).status).toBe(200)
    await expectGone(`cursor=${future}`)
  })

  it('into another server, answers 410 to every cursor of the old one', async () => {
    const cursor = await cursorOf()
    await begin(`'elsewhere'`)
    await expectGone(`cursor=${cursor}`)
    const follower = new Follower(path => exchange.get(path, agent.key))
    await follower.follow()
    expect((await ask(`cursor=${follower.cursor}`)).status).toBe(200)
  })

  it('while a follower waits, answers 410 as well', async () => {
    const follower = new Follower(path => exchange.get(path, agent.key))
    await follower.follow()
    const asked = ask(`cursor=${follower.cursor}&wait=30`)
    await sleep(300)
    await begin(`'a third one'`)
    await exchange.published(agent)
    expect((await asked).status).toBe(410)
  })
})

it('with hundreds of open transactions is short enough, and sees less rather than more', () => {
  const open = Array.from({ length: 300 }, (_, i) => 1000 + i * 2)
  const decoded = decode(encode({ history: 'h', since: { next: 5000, open } }))
  expect(decoded.since).toEqual({ next: 1200, open: open.slice(0, 100) })
})

describe('after a crash of PostgreSQL, which gives numbers out again that were not yet on disk', () => {
  const histories = [
    { id: 1, token: 'before', server: 'same', xid: 10 },
    { id: 2, token: 'since', server: 'same', xid: 1000 },
  ]
  const isValid = (snapshot: string) =>
    isPast(histories, { history: 'before', snapshot: parseSnapshot(snapshot) })

  it('a cursor stays valid if those were of transactions still open, although the database is behind it', () => {
    const cursor = '998:1003:998,1000,1001,1002'
    expect(isValid(cursor)).toBe(true)
    expect(covers(parseSnapshot('1001:1001:'), parseSnapshot(cursor))).toBe(true)
    expect(isValid('999:1000:999')).toBe(true)
    expect(isValid('1000:1000:')).toBe(true)
  })

  it('a cursor is gone if one of them had ended: it would miss the change that gets its number', () => {
    expect(isValid('1000:1002:1000')).toBe(false)
    expect(isValid('1001:1001:')).toBe(false)
    expect(isValid('1000:1004:1000,1001,1003')).toBe(false)
  })
})
