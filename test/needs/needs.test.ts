import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { announceDaily, deleteOldMatches } from '../../src/needs/service.ts'
import { needSource } from '../../src/needs/source.ts'
import { MatchFollower } from '../../src/search/matching/follower.ts'
import { useExchange } from '../support/exchange.ts'
import { takeMail } from '../support/mail.ts'
import { routesOf } from '../support/routes.ts'
import { signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange()
type Side = Awaited<ReturnType<typeof signedInAgent>>
let [seeker, lister, uninvolved, unverified] = [] as unknown as [Side, Side, Side, Side]
/** Two, as with two workers. */
const followers: MatchFollower[] = []

const startFollower = (options: { pollMs?: number } = {}) => {
  const url = exchange.pool.options.connectionString as string
  const logger = pino({ level: 'silent' })
  followers.push(new MatchFollower({ url, logger, sources: [needSource], ...options }))
}

beforeAll(async () => {
  seeker = await signedInAgent(exchange, { name: 'Sara Busca' })
  lister = await signedInAgent(exchange, { name: 'Luis Lista' })
  uninvolved = await signedInAgent(exchange, { name: 'Uma Ajena' })
  unverified = await signedInAgent(exchange, { verified: false })
  startFollower()
  startFollower()
}, 60_000)
afterAll(() => Promise.all(followers.map(follower => follower.stop())))

const CLIENT = 'Rosa Cliente Secreta'
const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)

async function post(fields: Record<string, string> = {}, side = seeker): Promise<string> {
  await side.visitor.open('/portal/needs/new')
  await side.visitor.submit('/portal/needs/new', {
    operation: 'sale',
    places: 'Guadalajara',
    max_price: '5000000',
    currency: 'MXN',
    client: CLIENT,
    until: soon,
    notices: 'at_once',
    ...fields,
  })
  expect(side.visitor.path, side.visitor.text).toMatch(/^\/portal\/needs\/[0-9a-f-]{36}$/)
  return side.visitor.path.split('/').at(-1) as string
}

const inCity = (city: string, price: number, more: Record<string, unknown> = {}) =>
  exchange.published(lister.agent, {
    city,
    sale_price: price,
    sale_currency: 'MXN',
    ...more,
  })

const matchesOf = async (needId: string) =>
  (
    await exchange.pool.query(
      'select listing_id, is_current, dismissed_at, announced_at from need_matches where need_id = $1',
      [needId],
    )
  ).rows
const untilMatched = (needId: string, count: number) =>
  vi.waitFor(
    async () => {
      const rows = (await matchesOf(needId)).filter(row => row.is_current && !row.dismissed_at)
      expect(rows).toHaveLength(count)
    },
    { timeout: 5_000, interval: 30 },
  )

describe('a need', () => {
  it('is held against the market when it is posted, without mail for what its agent sees at once', async () => {
    const listing = await inCity('Tepic', 4_000_000)
    await inCity('Tepic', 6_000_000)
    await takeMail(exchange)
    const id = await post({ places: 'Tepic' })
    expect((await matchesOf(id)).map(row => row.listing_id)).toEqual([listing.id])
    expect(seeker.visitor.text).toContain(listing.title)
    expect(await takeMail(exchange)).toEqual([])
  })

  it('of several places is matched by a listing published later in any of them, and announced by one mail, once', async () => {
    const id = await post({ places: 'Colima\nManzanillo' })
    await takeMail(exchange)
    const first = await inCity('Manzanillo', 3_000_000)
    await untilMatched(id, 1)
    const mails = (await takeMail(exchange)).filter(mail => mail.text.includes(first.slug))
    expect(mails).toHaveLength(1)
    expect(mails[0]?.text).not.toContain(CLIENT)
    // Another change of the same listing is no news.
    await exchange.put(`/properties/${first.id}`, lister.agent.key, { bedrooms: 7 })
    const second = await inCity('Colima', 3_000_000)
    await untilMatched(id, 2)
    const later = await takeMail(exchange)
    expect(later.filter(mail => mail.text.includes(second.slug))).toHaveLength(1)
    expect(later.filter(mail => mail.text.includes(first.slug))).toHaveLength(0)
  })

  it('no longer shows a listing that stopped matching, and shows it again, without another mail, when it matches again', async () => {
    const id = await post({ places: 'Durango' })
    const listing = await inCity('Durango', 3_000_000)
    await untilMatched(id, 1)
    await takeMail(exchange)
    await exchange.post(`/properties/${listing.id}/unpublish`, lister.agent.key)
    await untilMatched(id, 0)
    await exchange.post(`/properties/${listing.id}/publish`, lister.agent.key)
    await untilMatched(id, 1)
    expect((await takeMail(exchange)).filter(mail => mail.text.includes(listing.slug))).toEqual([])
  })

  it('keeps a dismissed listing away until its price is lowered', async () => {
    const id = await post({ places: 'Zacatecas' })
    const listing = await inCity('Zacatecas', 4_000_000)
    await untilMatched(id, 1)
    await takeMail(exchange)
    await seeker.visitor.open(`/portal/needs/${id}`)
    await seeker.visitor.submit(`/portal/needs/${id}/dismiss`, { listing: listing.id })
    await untilMatched(id, 0)
    const price = (amount: number) => ({ sale_price: amount })
    await exchange.put(`/properties/${listing.id}`, lister.agent.key, price(4_500_000))
    const other = await inCity('Zacatecas', 4_100_000)
    await untilMatched(id, 1)
    expect((await takeMail(exchange)).some(mail => mail.text.includes(listing.slug))).toBe(false)
    await exchange.put(`/properties/${listing.id}`, lister.agent.key, price(3_900_000))
    await untilMatched(id, 2)
    expect((await takeMail(exchange)).filter(mail => mail.text.includes(listing.slug))).toHaveLength(1)
    expect(other.id).not.toBe(listing.id)
  })

  it('shows its matches in pages of 25, and dismissing one returns to the page it was on', async () => {
    const listings = await Promise.all(Array.from({ length: 26 }, (_, n) => inCity('Uruapan', 3_000_000 + n)))
    const id = await post({ places: 'Uruapan' })
    const shown = () => listings.filter(({ id }) => seeker.visitor.html.includes(`value="${id}"`))
    await seeker.visitor.open(`/portal/needs/${id}`)
    const first = shown()
    expect(first).toHaveLength(25)
    await seeker.visitor.open(`/portal/needs/${id}?page=2`)
    const [last] = shown()
    expect(first).not.toContain(last)
    await seeker.visitor.submit(`/portal/needs/${id}/dismiss`, { listing: last?.id })
    expect(seeker.visitor.path).toBe(`/portal/needs/${id}?page=2`)
    expect(seeker.visitor.text).toContain('No hay más coincidencias.')
    expect(shown()).toEqual([])
  })

  it('is never matched by its own agent’s listings, nor once it is closed or over', async () => {
    const own = await post({ places: 'Saltillo' }, lister)
    const closed = await post({ places: 'Saltillo' })
    await seeker.visitor.submit(`/portal/needs/${closed}/close`)
    const over = await post({ places: 'Saltillo' })
    await exchange.pool.query(`update needs set until = now() - interval '1 day' where id = $1`, [over])
    const open = await post({ places: 'Saltillo' }, uninvolved)
    await inCity('Saltillo', 3_000_000)
    await untilMatched(open, 1)
    for (const id of [own, closed, over]) expect(await matchesOf(id)).toEqual([])
    await seeker.visitor.open(`/portal/needs/${closed}`)
    expect(seeker.visitor.status).toBe(404)
  })

  it('with other criteria is matched by other listings', async () => {
    const [before, after] = [await inCity('Tlaxcala', 3_000_000), await inCity('Pachuca', 3_000_000)]
    const id = await post({ places: 'Tlaxcala' })
    await seeker.visitor.open(`/portal/needs/${id}/edit`)
    await seeker.visitor.submit(`/portal/needs/${id}/edit`, { places: 'Pachuca' })
    const current = (await matchesOf(id)).filter(row => row.is_current).map(row => row.listing_id)
    expect(current).toEqual([after.id])
    expect(before.id).not.toBe(after.id)
  })

  it('with daily notices is in one mail a day with all the others', async () => {
    const [one, two] = [
      await post({ places: 'Campeche', notices: 'daily' }),
      await post({ places: 'Carmen', notices: 'daily' }),
    ]
    await takeMail(exchange)
    await inCity('Campeche', 3_000_000)
    await inCity('Carmen', 3_000_000)
    await untilMatched(one, 1)
    await untilMatched(two, 1)
    expect(await takeMail(exchange)).toEqual([])
    await Promise.all([announceDaily(exchange.db, new Date()), announceDaily(exchange.db, new Date())])
    expect(await takeMail(exchange)).toHaveLength(1)
    await inCity('Campeche', 3_100_000)
    await untilMatched(one, 2)
    await announceDaily(exchange.db, new Date())
    expect(await takeMail(exchange)).toEqual([])
    await announceDaily(exchange.db, new Date(Date.now() + 86_400_000))
    expect(await takeMail(exchange)).toHaveLength(1)
  })

  it('that is wrong comes back with every problem, and nothing is stored', async () => {
    const count = async () => (await exchange.pool.query('select count(*)::int as n from needs')).rows[0].n
    const before = await count()
    const wrong: Record<string, string>[] = [
      { places: '', operation: '', max_price: '', currency: '' },
      { places: Array.from({ length: 11 }, (_, n) => `Lugar ${n}`).join('\n') },
      { places: '%%%' },
      { places: 'x'.repeat(201) },
      { until: '2020-01-01' },
      { until: '9999-12-31' },
      { until: 'mañana' },
      { notices: 'hourly' },
      { max_price: '-1' },
      { min_price: '9', max_price: '3' },
      { operation: "sale' or 1=1" },
      { note: 'x'.repeat(501) },
      { client: 'x'.repeat(81) },
    ]
    for (const fields of wrong) {
      await seeker.visitor.open('/portal/needs/new')
      await seeker.visitor.submit('/portal/needs/new', { places: 'Tepic', until: soon, ...fields })
      expect(seeker.visitor.status, JSON.stringify(fields)).toBe(422)
    }
    expect(await count()).toBe(before)
  })

  it('is one of at most 200', async () => {
    const { agent } = uninvolved
    await exchange.pool.query(
      `insert into needs (agent_id, query, places, until, held_at)
       select $1, '', '{Nowhere}', now() + interval '1 day', now() from generate_series(1, 200)`,
      [agent.id],
    )
    await uninvolved.visitor.open('/portal/needs/new')
    await uninvolved.visitor.submit('/portal/needs/new', { places: 'Tepic', until: soon })
    expect(uninvolved.visitor.status).toBe(422)
    expect(uninvolved.visitor.text).toContain('200')
    await exchange.pool.query(`delete from needs where agent_id = $1 and places = '{Nowhere}'`, [agent.id])
  })
})

describe('the market', () => {
  it('saves a search as a need, with its filters and place filled in', async () => {
    const query =
      'operation=sale&type=house&place=Colima&max_price=4000000&currency=MXN&min_bedrooms=3&view=table&sort=price_asc'
    await seeker.visitor.open(`/portal/market?${query}`)
    const link = /href="(\/portal\/needs\/new\?[^"]+)"/.exec(seeker.visitor.html)?.[1] as string
    await seeker.visitor.open(link.replaceAll('&amp;', '&'))
    await seeker.visitor.submit('/portal/needs/new')
    const { rows } = await exchange.pool.query('select query, places from needs where id = $1', [
      seeker.visitor.path.split('/').at(-1),
    ])
    expect(rows[0].places).toEqual(['Colima'])
    expect(Object.fromEntries(new URLSearchParams(rows[0].query))).toEqual({
      operation: 'sale',
      type: 'house',
      max_price: '4000000',
      currency: 'MXN',
      min_bedrooms: '3',
    })
  })
})

describe('the first page of the portal', () => {
  it('counts the listings that were lately found for the agent’s needs, each once', async () => {
    const side = await signedInAgent(exchange)
    const recent = async () =>
      (await side.visitor.open('/portal')).text.match(/(\d+) Coincidencias recientes/)?.[1]
    await inCity('Tula', 2_000_000)
    await exchange.search.refresh()
    await post({ places: 'Tula' }, side)
    const id = await post({ places: 'Tula' }, side)
    expect(await recent()).toBe('1')
    await exchange.pool.query(
      `update need_matches set matched_at = now() - interval '4 days' where need_id = $1`,
      [id],
    )
    expect(await recent()).toBe('1')
    await exchange.pool.query(
      `update need_matches m set matched_at = now() - interval '4 days' from needs n where n.id = m.need_id and n.agent_id = $1`,
      [side.agent.id],
    )
    // Then nothing at all is due.
    expect(await recent()).toBeUndefined()
  })
})

describe('the daily clean-up', () => {
  it('forgets the matches of needs that ended 90 days ago, closed or over, and no others', async () => {
    await inCity('Actopan', 2_000_000)
    await exchange.search.refresh()
    const [closed, over, recent, open] = [
      await post({ places: 'Actopan' }),
      await post({ places: 'Actopan' }),
      await post({ places: 'Actopan' }),
      await post({ places: 'Actopan' }),
    ] as [string, string, string, string]
    const set = (id: string, change: string) =>
      exchange.pool.query(`update needs set ${change} where id = $1`, [id])
    await set(closed, `closed_at = now() - interval '91 days'`)
    await set(over, `until = now() - interval '91 days'`)
    await set(recent, `closed_at = now() - interval '89 days'`)
    await deleteOldMatches(exchange.db)
    const left = []
    for (const id of [closed, over, recent, open]) left.push((await matchesOf(id)).length)
    expect(left).toEqual([0, 0, 1, 1])
  })
})

describe('a changed listing', () => {
  it('is matched because its commit notifies the worker, not because the worker looks now and then', async () => {
    await Promise.all(followers.splice(0).map(follower => follower.stop()))
    startFollower({ pollMs: 2 ** 31 - 1 })
    const id = await post({ places: 'Irapuato', notices: 'none' })
    for (const price of [3_000_000, 3_100_000, 3_200_000]) await inCity('Irapuato', price)
    await untilMatched(id, 3)
  })

  it('is matched in the transaction that moves the position past its commit, never before or after', async () => {
    const id = await post({ places: 'Celaya', notices: 'none' })
    const listing = await inCity('Celaya', 3_000_000)
    const look = async () => {
      const { rows } = await exchange.pool.query<{ passed: boolean; matched: boolean }>(
        `select pg_visible_in_snapshot(l.change_xid, p.snapshot::pg_snapshot) as passed,
           exists (select from need_matches m where m.listing_id = l.id and m.need_id = $2) as matched
         from listings l, need_position p where l.id = $1`,
        [listing.id, id],
      )
      return rows[0] as { passed: boolean; matched: boolean }
    }
    for (let seen = await look(); ; seen = await look()) {
      expect(seen.matched).toBe(seen.passed)
      if (seen.passed) break
    }
  })
})

describe('the board', () => {
  it('shows what colleagues look for without the client, and nothing that is private', async () => {
    await post({ places: 'Xalapa', note: 'Con crédito aprobado', on_board: 'on' })
    await post({ places: 'Orizaba', note: 'Nota privada' })
    await lister.visitor.open('/portal/needs/board')
    expect(lister.visitor.text).toContain('Xalapa')
    expect(lister.visitor.text).toContain('Con crédito aprobado')
    expect(lister.visitor.text).not.toContain(CLIENT)
    expect(lister.visitor.text).not.toContain('Nota privada')
  })

  it('tells a listing’s agent, and nobody else, which needs it matches', async () => {
    const id = await post({ places: 'Tuxpan', on_board: 'on', note: 'Para familia' })
    await post({ places: 'Tuxpan' }, uninvolved)
    const listing = await inCity('Tuxpan', 2_000_000)
    await untilMatched(id, 1)
    await lister.visitor.open(`/portal/listings/${listing.id}`)
    expect(lister.visitor.text).toContain('1 búsqueda de colegas coincide')
    await lister.visitor.open(`/portal/needs/board?listing=${listing.id}`)
    expect(lister.visitor.text).toContain('Para familia')
    for (const who of [seeker, uninvolved]) {
      await who.visitor.open(`/portal/needs/board?listing=${listing.id}`)
      expect(who.visitor.status).toBe(404)
    }
    await lister.visitor.open("/portal/needs/board?listing='")
    expect(lister.visitor.status).toBe(404)
    await seeker.visitor.open(`/portal/market?place=Tuxpan`)
    expect(seeker.visitor.text).toContain('Coincide con tu búsqueda')
  })
})

describe('every route of needs', () => {
  it('is one of these', () => {
    const names = routesOf(exchange.app)
      .filter(({ path }) => path.startsWith('/portal/needs'))
      .map(({ method, path }) => `${method} ${path.slice('/portal'.length)}`)
    expect(names.sort()).toEqual([
      'GET /needs',
      'GET /needs/:id',
      'GET /needs/:id/edit',
      'GET /needs/:id/offer',
      'GET /needs/board',
      'GET /needs/new',
      'POST /needs/:id/close',
      'POST /needs/:id/dismiss',
      'POST /needs/:id/edit',
      'POST /needs/:id/offer',
      'POST /needs/new',
    ])
  })

  it('is closed to strangers, to the unverified, and to agents whose need it is not', async () => {
    const id = await post({ places: 'Tepic', on_board: 'on' })
    const stranger = await new Visitor(exchange).open('/portal/sign-in')
    const cases = [
      { visitor: stranger, status: 303 },
      { visitor: unverified.visitor, status: 403 },
      { visitor: lister.visitor, status: 404 },
    ]
    for (const { visitor, status } of cases) {
      if (visitor !== stranger) await visitor.open('/portal')
      const { token } = visitor
      for (const path of [`/portal/needs/${id}`, `/portal/needs/${id}/edit`]) {
        await visitor.request('GET', path)
        expect(visitor.status, path).toBe(status)
      }
      for (const name of ['edit', 'close', 'dismiss']) {
        await visitor.request(
          'POST',
          `/portal/needs/${id}/${name}`,
          urlencoded([
            ['_token', token],
            ['listing', id],
          ]),
        )
        expect(visitor.status, name).toBe(status)
      }
    }
    await unverified.visitor.open('/portal/needs')
    expect(unverified.visitor.text).toContain('Verificar mi licencia')
    const { rows } = await exchange.pool.query('select closed_at from needs where id = $1', [id])
    expect(rows[0].closed_at).toBeNull()
  })
})
