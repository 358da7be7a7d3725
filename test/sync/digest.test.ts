import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { Follower, hashOf } from '../support/follower.ts'

const exchange = useExchange()
let owner: TestAgent
let reader: TestAgent
beforeAll(async () => {
  owner = await exchange.agent()
  reader = await exchange.agent()
  for (let i = 0; i < 30; i++) {
    const state = i % 3 ? 'Jalisco' : 'Yucatán'
    await exchange.published(owner, { state, bedrooms: i % 5, title: `Casa número ${i}` })
  }
  for (let i = 0; i < 3; i++) await exchange.listing(owner)
  await exchange.listing(reader)
})

const EMPTY = '0000000000000000'
const digest = async (query = '', agent = reader) => {
  const { status, body } = await exchange.get(`/digest?${query}`, agent.key)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
async function loaded(query = '', agent = reader) {
  const follower = new Follower(path => exchange.get(path, agent.key), query)
  await follower.follow()
  return follower
}
const members = (follower: Follower) =>
  [...follower.copy.values()].map(({ id, version }): [string, string] => [id, version])

describe('the digest', () => {
  it.each(['', 'scope=own', 'state=Jalisco', 'min_bedrooms=3&operation=sale', 'q=casa', 'city=nowhere'])(
    'with «%s» is that of a copy that followed, for its owner and for others',
    async query => {
      for (const agent of [owner, reader]) {
        const follower = await loaded(query, agent)
        const { count, hash } = await digest(query, agent)
        expect({ count, hash }).toEqual(follower.digest())
      }
    },
  )

  it('has 256 buckets by the first two digits of the id, which add up', async () => {
    const follower = await loaded()
    const { buckets, count, hash } = await digest()
    expect(buckets).toHaveLength(256)
    for (const [i, bucket] of buckets.entries()) {
      const prefix = i.toString(16).padStart(2, '0')
      const inside = members(follower).filter(([id]) => id.startsWith(prefix))
      expect(bucket).toEqual({ prefix, count: inside.length, hash: hashOf(inside) })
    }
    expect([count, hash]).toEqual([follower.copy.size, hashOf(members(follower))])
    expect(buckets.filter((bucket: { count: number }) => bucket.count === 0)[0].hash).toBe(EMPTY)
  })

  it.each(['', 'state=Jalisco', 'scope=own'])(
    'of one prefix, with «%s», names ids and versions in order',
    async query => {
      const follower = await loaded(query, owner)
      const [id = ''] = follower.copy.keys()
      for (const prefix of [id.slice(0, 2), id.slice(0, 2).toUpperCase()]) {
        const { body } = await exchange.get(`/digest?prefix=${prefix}&${query}`, owner.key)
        const inside = members(follower).filter(([one]) => one.startsWith(prefix.toLowerCase()))
        expect(body.prefix).toBe(prefix.toLowerCase())
        expect(body.content).toEqual(inside.sort().map(([one, version]) => ({ id: one, version })))
        expect([body.count, body.hash]).toEqual([inside.length, hashOf(inside)])
      }
    },
  )

  it('of nothing is zero', async () => {
    const alone = await exchange.agent()
    const { count, hash, buckets } = await digest('scope=own', alone)
    expect([count, hash]).toEqual([0, EMPTY])
    expect(buckets.every((bucket: { hash: string }) => bucket.hash === EMPTY)).toBe(true)
    expect(await digest('scope=own&prefix=00', alone)).toMatchObject({ count: 0, hash: EMPTY, content: [] })
  })

  it('changes with every change that a record shows, and back with one taken back', async () => {
    const { id } = await exchange.published(owner)
    const follower = await loaded()
    const before = await digest()
    await exchange.post(`/properties/${id}/unpublish`, owner.key)
    expect((await digest()).count).toBe(before.count - 1)
    await exchange.post(`/properties/${id}/publish`, owner.key)
    const after = await digest()
    expect(after.count).toBe(before.count)
    expect(after.hash).not.toBe(before.hash)
    expect(await follower.proof()).not.toEqual(follower.digest())
    await follower.follow()
    expect(await follower.proof()).toEqual(follower.digest())
  })

  it('has a cursor from which to follow', async () => {
    const follower = await loaded('state=Jalisco')
    const { cursor } = await digest('state=Jalisco')
    const { id } = await exchange.published(owner, { state: 'Jalisco' })
    follower.cursor = cursor
    expect((await follower.follow()).map(change => change.id)).toEqual([id])
    expect(await follower.proof()).toEqual(follower.digest())
    const { body } = await exchange.get(`/digest?prefix=${id.slice(0, 2)}`, reader.key)
    expect((await exchange.get(`/changes?cursor=${body.cursor}`, reader.key)).body.content).toEqual([])
  })

  it('says nothing of other agents’ drafts', async () => {
    const { count, hash } = await digest()
    const draft = await exchange.listing(owner)
    await exchange.put(`/properties/${draft.id}`, owner.key, { bedrooms: 4 })
    const after = await digest()
    expect([after.count, after.hash]).toEqual([count, hash])
    const { content } = await digest(`prefix=${draft.id.slice(0, 2)}`)
    expect(content.map(({ id }: { id: string }) => id)).not.toContain(draft.id)
  })
})

it('a copy with a few wrong ones is repaired in 1 + buckets + 1 requests', async () => {
  const follower = await loaded()
  const ids = [...follower.copy.keys()]
  follower.copy.delete(ids[0] as string)
  follower.copy.set(ids[1] as string, { ...follower.copy.get(ids[1] as string), version: EMPTY })
  const stray = '00000000-0000-4000-8000-000000000000'
  follower.copy.set(stray, { id: stray, version: EMPTY })

  let requests = 1
  const { buckets } = await digest()
  const wrong: string[] = []
  for (const { prefix, hash } of buckets) {
    const mine = members(follower).filter(([id]) => id.startsWith(prefix))
    if (hashOf(mine) === hash) continue
    requests++
    const theirs = new Map<string, string>(
      (await digest(`prefix=${prefix}`)).content.map((one: { id: string; version: string }) => [
        one.id,
        one.version,
      ]),
    )
    for (const [id, version] of theirs) if (follower.copy.get(id)?.version !== version) wrong.push(id)
    for (const [id] of mine) if (!theirs.has(id)) follower.copy.delete(id)
  }
  requests++
  const { body } = await exchange.get(`/properties?ids=${wrong.join()}`, reader.key)
  for (const listing of body.content) follower.copy.set(listing.id, listing)
  expect(requests).toBeLessThanOrEqual(5)
  expect(await follower.proof()).toEqual(follower.digest())
})

describe('422', () => {
  it.each([
    'prefix=3',
    'prefix=3fa',
    'prefix=zz',
    'prefix=%00%00',
    'scope=mine',
    'type=castle',
    'prefix=00&prefix=01',
  ])('refuses %s', async query => {
    const { status, body } = await exchange.get(`/digest?${query}`, reader.key)
    expect([status, body.errors.length]).toEqual([422, 1])
  })
})
