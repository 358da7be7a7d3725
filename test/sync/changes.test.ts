import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { liftSuspension, setFlags, suspendListing } from '../../src/listings/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { type Change, Follower } from '../support/follower.ts'

const exchange = useExchange()
let owner: TestAgent
let reader: TestAgent
beforeAll(async () => {
  owner = await exchange.agent({ agency: 'Faro Norte' })
  reader = await exchange.agent()
})

const followerOf = (agent: TestAgent, query = '') =>
  new Follower(path => exchange.get(path, agent.key), query)
async function loaded(agent: TestAgent, query = ''): Promise<Follower> {
  const follower = followerOf(agent, query)
  await follower.follow()
  return follower
}
const shortly = (changes: Change[]) => changes.map(({ op, id }) => [op, id])
const erase = async (id: string) => {
  await exchange.db.deleteFrom('listing_images').where('listing_id', '=', id).execute()
  await exchange.db.deleteFrom('listing_changes').where('listing_id', '=', id).execute()
  await exchange.db.deleteFrom('listings').where('id', '=', id).execute()
}

describe('the first load', () => {
  it('is everything the key can see, as GET /properties/{id} answers, and nothing else', async () => {
    const shown = await exchange.published(owner, { images: ['https://a.example/1.jpg'] })
    const draft = await exchange.listing(owner)
    const follower = await loaded(reader)
    expect(follower.copy.get(shown.id)).toEqual(
      (await exchange.get(`/properties/${shown.id}`, reader.key)).body,
    )
    expect(follower.ids.has(draft.id)).toBe(false)
    const own = await loaded(owner)
    expect(own.copy.get(draft.id)).toEqual((await exchange.get(`/properties/${draft.id}`, owner.key)).body)
    expect(own.copy.get(draft.id)).toMatchObject({ status: 'draft', idx_opt_out: false })
  })

  it.each([1, 2, 7, 1000])('comes in pages of %i, each listing once, more until the last', async limit => {
    const busy = await exchange.agent()
    for (let i = 0; i < 9; i++) await exchange.listing(busy)
    const follower = followerOf(busy, 'scope=own')
    const sizes: number[] = []
    for (let more = true; more; ) {
      const page = await follower.page({ limit })
      sizes.push(page.content.length)
      more = page.more
      expect(more).toBe(sizes.length < Math.ceil(9 / limit))
    }
    expect(sizes.slice(0, -1).every(size => size === limit)).toBe(true)
    expect([follower.copy.size, sizes.reduce((a, b) => a + b)]).toEqual([9, 9])
  })

  it('and following are the same call: what changes during the load comes again, what goes is removed', async () => {
    const busy = await exchange.agent()
    const ids: string[] = []
    for (let i = 0; i < 6; i++) ids.push((await exchange.published(busy, { bedrooms: 1 })).id)
    const follower = followerOf(reader, `ids=${ids.join()}`)
    const first = await follower.page({ limit: 3 })
    const read = first.content.map(({ id }) => id)
    const unread = ids.filter(id => !read.includes(id))
    await exchange.put(`/properties/${read[0]}`, busy.key, { bedrooms: 2 })
    await exchange.delete(`/properties/${read[1]}`, busy.key)
    await exchange.put(`/properties/${unread[0]}`, busy.key, { bedrooms: 2 })
    await exchange.delete(`/properties/${unread[1]}`, busy.key)
    await follower.follow(2)
    expect([...follower.copy.values()].map(({ id, bedrooms }) => [id, bedrooms]).sort()).toEqual(
      [
        [read[0], 2],
        [read[2], 1],
        [unread[0], 2],
        [unread[2], 1],
      ].sort(),
    )
  })

  it('with the default limit has 500 in a page', async () => {
    const columns = `agent_id, slug, status, title, city, state, city_fold, title_fold, search`
    await exchange.pool.query(
      `insert into listings (${columns}) select $1, gen_random_uuid(), 'published', 'Casa', 'Ameca', 'Jalisco', 'ameca', 'casa', ''
       from generate_series(1, 501)`,
      [owner.id],
    )
    const follower = followerOf(reader, 'city=ameca')
    const page = await follower.page()
    expect([page.content.length, page.more]).toEqual([500, true])
    expect([(await follower.page()).content.length, follower.copy.size]).toEqual([1, 501])
  })
})

describe('another agent’s listing', () => {
  const hidden: [string, (id: string) => Promise<unknown>][] = [
    ['is unpublished', id => exchange.post(`/properties/${id}/unpublish`, owner.key)],
    ['is withdrawn', id => exchange.delete(`/properties/${id}`, owner.key)],
    ['is sold', id => exchange.setStatus(id, 'sold')],
    ['is rented', id => exchange.setStatus(id, 'rented')],
    ['expires', id => exchange.setStatus(id, 'expired')],
    ['is suspended', id => suspendListing(exchange.db, id)],
    ['is opted out', id => exchange.put(`/properties/${id}`, owner.key, { idx_opt_out: true })],
    ['becomes a licensed import', id => setFlags(exchange.db, id, { imported: true })],
    ['is erased', erase],
  ]
  it.each(hidden)('that %s is removed, once, without a reason', async (_what, hide) => {
    const { id } = await exchange.published(owner)
    const follower = await loaded(reader)
    expect(follower.copy.has(id)).toBe(true)
    await hide(id)
    const { content, more } = await follower.page()
    expect(content).toEqual([{ op: 'remove', id, version: expect.stringMatching(/^[0-9a-f]{16}$/) }])
    expect([more, follower.copy.has(id)]).toEqual([false, false])
    expect(await follower.follow()).toEqual([])
  })

  it('comes back when it is published again', async () => {
    const { id } = await exchange.published(owner)
    const follower = await loaded(reader)
    await exchange.delete(`/properties/${id}`, owner.key)
    await follower.follow()
    await exchange.post(`/properties/${id}/publish`, owner.key)
    expect(shortly(await follower.follow())).toEqual([['put', id]])
    await exchange.delete(`/properties/${id}`, owner.key)
    expect(shortly(await follower.follow())).toEqual([['remove', id]])
  })

  it('that was never public is never mentioned, whatever happens to it', async () => {
    const follower = await loaded(reader)
    const { id } = await exchange.listing(owner)
    await exchange.put(`/properties/${id}`, owner.key, { bedrooms: 2 })
    await exchange.delete(`/properties/${id}`, owner.key)
    await suspendListing(exchange.db, id)
    await liftSuspension(exchange.db, id)
    await exchange.put(`/properties/${id}`, owner.key, { idx_opt_out: true })
    await exchange.post(`/properties/${id}/publish`, owner.key)
    expect(await follower.follow()).toEqual([])
    await erase(id)
    expect(await follower.follow()).toEqual([])
    expect((await loaded(reader)).ids.has(id)).toBe(false)
  })

  it('that is hidden is told of no more: edits and erasure of it are nobody’s business', async () => {
    const { id } = await exchange.published(owner)
    const follower = await loaded(reader)
    await exchange.post(`/properties/${id}/unpublish`, owner.key)
    await follower.follow()
    await exchange.put(`/properties/${id}`, owner.key, { bedrooms: 5 })
    await exchange.post(`/properties/${id}/images`, owner.key, { urls: ['https://a.example/9.jpg'] })
    expect(await follower.follow()).toEqual([])
    await erase(id)
    expect(await follower.follow()).toEqual([])
  })

  it('is removed even if it is edited again before the removal was read', async () => {
    const ids: string[] = []
    for (let i = 0; i < 4; i++) ids.push((await exchange.published(owner)).id)
    const follower = await loaded(reader)
    for (const id of ids) await exchange.post(`/properties/${id}/unpublish`, owner.key)
    const read = (await follower.page({ limit: 1 })).content[0]?.id
    for (const id of ids) await exchange.put(`/properties/${id}`, owner.key, { bedrooms: 9 })
    const rest = await follower.follow(1)
    expect([['remove', read], ...shortly(rest)].sort()).toEqual(ids.map(id => ['remove', id]).sort())
    expect(ids.filter(id => follower.copy.has(id))).toEqual([])
  })

  it('goes and comes with the verification of its agent, and with being a test account', async () => {
    const lapsed = await exchange.agent()
    const { id } = await exchange.published(lapsed)
    const draft = await exchange.listing(lapsed)
    const follower = await loaded(reader)
    await setVerified(exchange.db, lapsed.email, false)
    expect(shortly(await follower.follow())).toEqual([['remove', id]])
    await setVerified(exchange.db, lapsed.email, true)
    expect(shortly(await follower.follow())).toEqual([['put', id]])
    await exchange.db.updateTable('agents').set({ is_test: true }).where('id', '=', lapsed.id).execute()
    expect(shortly(await follower.follow())).toEqual([['remove', id]])
    expect(follower.ids.has(draft.id)).toBe(false)
  })

  it.each<[string, () => Promise<unknown>]>([
    [
      'agent',
      () =>
        exchange.db
          .updateTable('agents')
          .set({ name: `Ana ${randomUUID()}` })
          .where('id', '=', owner.id)
          .execute(),
    ],
    [
      'agency',
      () =>
        exchange.db
          .updateTable('agencies')
          .set({ name: `Faro ${randomUUID()}` })
          .where('name', 'like', 'Faro%')
          .execute(),
    ],
  ])('comes with the new name of its %s and another version', async (_who, rename) => {
    const { id } = await exchange.published(owner)
    const follower = await loaded(reader)
    const { version } = follower.copy.get(id)
    await rename()
    await follower.follow()
    expect(follower.copy.get(id).version).not.toBe(version)
    expect(follower.copy.get(id)).toEqual((await exchange.get(`/properties/${id}`, reader.key)).body)
  })
})

describe('the caller’s own listing', () => {
  it.each(['all', 'own'])(
    'with scope=%s is a put in every status, and removed only when it is erased',
    async scope => {
      const agent = await exchange.agent()
      const follower = await loaded(agent, `scope=${scope}`)
      const { id } = await exchange.listing(agent)
      const next = async () =>
        (await follower.follow()).map(({ op, id: of, listing }) => [op, of, listing?.status])
      expect(await next()).toEqual([['put', id, 'draft']])
      for (const [path, status] of [
        ['/publish', 'published'],
        ['/unpublish', 'draft'],
      ]) {
        await exchange.post(`/properties/${id}${path}`, agent.key)
        expect(await next()).toEqual([['put', id, status]])
      }
      await exchange.delete(`/properties/${id}`, agent.key)
      expect(await next()).toEqual([['put', id, 'withdrawn']])
      for (const status of ['sold', 'rented', 'expired', 'suspended', 'published']) {
        await exchange.setStatus(id, status)
        expect(await next()).toEqual([['put', id, status]])
      }
      await erase(id)
      expect(await next()).toEqual([['remove', id, undefined]])
      expect(follower.copy.has(id)).toBe(false)
    },
  )

  it('that becomes a licensed import, which nobody sees, or another agent’s draft is removed', async () => {
    const agent = await exchange.agent()
    const [imported, given] = [await exchange.listing(agent), await exchange.listing(agent)]
    const followers = [await loaded(agent), await loaded(agent, 'scope=own')]
    const heir = await loaded(reader)
    await setFlags(exchange.db, imported.id, { imported: true })
    await exchange.db
      .updateTable('listings')
      .set({ agent_id: reader.id })
      .where('id', '=', given.id)
      .execute()
    for (const follower of followers) {
      expect(shortly(await follower.follow()).sort()).toEqual(
        [imported.id, given.id].map(id => ['remove', id]).sort(),
      )
    }
    expect(shortly(await heir.follow())).toEqual([['put', given.id]])
    await setFlags(exchange.db, imported.id, { imported: false })
    for (const follower of followers) expect(shortly(await follower.follow())).toEqual([['put', imported.id]])
  })

  it('is all that scope=own tells of', async () => {
    const agent = await exchange.agent()
    const mine = await exchange.listing(agent)
    const theirs = await exchange.published(owner)
    const follower = await loaded(agent, 'scope=own')
    expect([...follower.copy.keys()]).toEqual([mine.id])
    await exchange.put(`/properties/${theirs.id}`, owner.key, { bedrooms: 4 })
    await exchange.delete(`/properties/${theirs.id}`, owner.key)
    expect(await follower.follow()).toEqual([])
  })

  it('erased when it was public is removed once', async () => {
    const agent = await exchange.agent()
    const { id } = await exchange.published(agent)
    const hidden = await exchange.published(agent)
    const follower = await loaded(agent)
    await exchange.delete(`/properties/${hidden.id}`, agent.key)
    await erase(id)
    await erase(hidden.id)
    expect(shortly(await follower.follow()).sort()).toEqual(
      [id, hidden.id].map(one => ['remove', one]).sort(),
    )
  })
})

describe('filters', () => {
  it('follow a part: what no longer matches is removed, what now does is put', async () => {
    const { id } = await exchange.published(owner, { state: 'Yucatán', city: 'Mérida' })
    const elsewhere = await exchange.published(owner, { state: 'Jalisco' })
    const follower = await loaded(reader, 'state=Yucat%C3%A1n&operation=sale')
    expect([...follower.copy.keys()]).toEqual([id])
    await exchange.put(`/properties/${id}`, owner.key, { state: 'Campeche', city: 'Campeche' })
    expect(shortly(await follower.follow())).toEqual([['remove', id]])
    await exchange.put(`/properties/${elsewhere.id}`, owner.key, { state: 'Yucatán', city: 'Mérida' })
    expect(shortly(await follower.follow())).toEqual([['put', elsewhere.id]])
    await exchange.delete(`/properties/${elsewhere.id}`, owner.key)
    expect(shortly(await follower.follow())).toEqual([['remove', elsewhere.id]])
  })

  it('of text follow the words of the agent’s name, which change a moment after it', async () => {
    const agent = await exchange.agent({ name: 'Casimira Quetzal' })
    const { id } = await exchange.published(agent)
    const follower = await loaded(reader, 'q=quetzal')
    expect([...follower.copy.keys()]).toEqual([id])
    const search = "setweight(to_tsvector('spanish', 'casa colibrí'), 'D')"
    await exchange.pool.query(`update listings set search = ${search} where id = $1`, [id])
    expect(shortly(await follower.follow())).toEqual([['remove', id]])
  })

  it('that find nothing give an empty copy, and a later match', async () => {
    const follower = await loaded(reader, 'city=nowhere')
    expect(follower.copy.size).toBe(0)
    const { id } = await exchange.published(owner, { city: 'Nowhere' })
    expect(shortly(await follower.follow())).toEqual([['put', id]])
  })

  it('of the search’s own, such as sort and page, do not belong here and change nothing', async () => {
    const follower = await loaded(reader)
    const { status, body } = await follower.ask({ cursor: follower.cursor })
    const again = await exchange.get(
      `/changes?cursor=${follower.cursor}&sort=updated&page=9&updated_since=2030-01-01`,
      reader.key,
    )
    expect([again.status, again.body.content]).toEqual([status, body.content])
  })
})

describe('state, not history', () => {
  it('gives a listing that changed twenty times once, as it is now', async () => {
    const { id } = await exchange.published(owner)
    const follower = await loaded(reader)
    for (let bedrooms = 1; bedrooms <= 20; bedrooms++) {
      await exchange.db.updateTable('listings').set({ bedrooms }).where('id', '=', id).execute()
    }
    const changes = await follower.follow()
    expect(changes.map(({ id: of, listing }) => [of, listing.bedrooms])).toEqual([[id, 20]])
  })

  it('answers an old cursor with all that changed since, any number of times', async () => {
    const { id } = await exchange.published(owner, { bedrooms: 1 })
    const follower = await loaded(reader)
    const old = follower.cursor
    const other = await exchange.published(owner)
    await follower.follow()
    await exchange.put(`/properties/${id}`, owner.key, { bedrooms: 2 })
    await exchange.delete(`/properties/${other.id}`, owner.key)
    await follower.follow()
    const copy = new Map(follower.copy)
    for (let times = 0; times < 3; times++) {
      follower.cursor = old
      expect(shortly(await follower.follow()).sort()).toEqual(
        [
          ['put', id],
          ['remove', other.id],
        ].sort(),
      )
      expect(follower.copy).toEqual(copy)
    }
  })

  it('answers a page that is asked twice twice the same, if nothing changed', async () => {
    const agent = await exchange.agent()
    for (let i = 0; i < 4; i++) await exchange.listing(agent)
    const follower = followerOf(agent, 'scope=own')
    const { cursor } = await follower.page({ limit: 2 })
    const [one, two] = [await follower.ask({ cursor, limit: 2 }), await follower.ask({ cursor, limit: 2 })]
    expect(one.body.content).toHaveLength(2)
    expect(one.body.content).toEqual(two.body.content)
  })
})

describe('nothing is missed', () => {
  it('of transactions that commit in another order than they began, between any two pages', async () => {
    const ids: string[] = []
    for (let i = 0; i < 4; i++) ids.push((await exchange.published(owner, { bedrooms: 1 })).id)
    const follower = await loaded(reader, `ids=${ids.join()}`)
    const late = await Promise.all([exchange.pool.connect(), exchange.pool.connect()])
    const change = `update listings set bedrooms = 2 where id = $1`
    for (const [i, client] of late.entries()) {
      await client.query('begin')
      await client.query(change, [ids[i]])
    }
    for (const id of ids.slice(2)) await exchange.pool.query(change, [id])
    const first = await follower.page({ limit: 1 })
    expect(first.content.map(({ id }) => id)).not.toContain(ids[1])
    await late[1]?.query('commit')
    const second = await follower.page({ limit: 1 })
    await late[0]?.query('commit')
    for (const client of late) client.release()
    const rest = await follower.follow(1)
    const changed = [...first.content, ...second.content, ...rest].map(({ id }) => id)
    expect(changed.sort()).toEqual([...ids].sort())
    expect([...follower.copy.values()].map(({ bedrooms }) => bedrooms)).toEqual([2, 2, 2, 2])
  })

  it('of a transaction that was open for many others, and costs no repetition of these', async () => {
    const { id } = await exchange.published(owner)
    const follower = await loaded(reader)
    const late = await exchange.pool.connect()
    await late.query('begin')
    await late.query(`update listings set status = 'sold' where id = $1`, [id])
    for (let i = 0; i < 5; i++) {
      const { id: other } = await exchange.published(owner)
      expect(shortly(await follower.follow())).toEqual([['put', other]])
    }
    await late.query('commit')
    late.release()
    expect(shortly(await follower.follow())).toEqual([['remove', id]])
  })

  it('of a transaction that was rolled back nothing is told', async () => {
    const { id } = await exchange.published(owner)
    const follower = await loaded(reader)
    const client = await exchange.pool.connect()
    await client.query('begin')
    await client.query(`update listings set status = 'sold' where id = $1`, [id])
    await follower.follow()
    await client.query('rollback')
    client.release()
    expect(await follower.follow()).toEqual([])
    expect(follower.copy.has(id)).toBe(true)
  })
})

describe('401, 403, 422', () => {
  it('needs a key that may read', async () => {
    for (const path of ['/changes', '/digest']) {
      expect((await exchange.get(path)).status).toBe(401)
      expect((await exchange.get(path, await exchange.key(owner.email, 'partner'))).status).toBe(403)
      expect((await exchange.get(path, await exchange.key(owner.email, 'read'))).status).toBe(200)
    }
  })

  it.each([
    'limit=0',
    'limit=1001',
    'limit=1.5',
    'limit=many',
    'limit=1&limit=2',
    'wait=31',
    'wait=-1',
    'wait=soon',
    'scope=everything',
    'scope=ALL',
    'type=castle',
    'min_price=abc',
    'lat=20',
    'ids=1',
    'cursor=a&cursor=b',
  ])('refuses %s', async query => {
    const { status, body } = await exchange.get(`/changes?${query}`, reader.key)
    expect([status, body.error, body.errors[0].split(' ')[0]]).toEqual([
      422,
      'validation',
      expect.stringMatching(/\w/),
    ])
  })

  it('names every problem at once', async () => {
    const { body } = await exchange.get('/changes?limit=0&wait=31&scope=x&type=castle', reader.key)
    expect(body.errors).toHaveLength(4)
  })
})
