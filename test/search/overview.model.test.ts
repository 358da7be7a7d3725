import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finish, inSlices } from '../../src/lib/slices.ts'
import type { Criteria } from '../../src/search/criteria.ts'
import { type Clusters, clustersIn } from '../../src/search/engine/clusters.ts'
import { GROUPINGS } from '../../src/search/engine/groupings.ts'
import { marksIn } from '../../src/search/engine/squares.ts'
import { type Statistics, statisticsOf } from '../../src/search/engine/statistics.ts'
import { countsOf, FACETS, type FacetName, talliesOf } from '../../src/search/engine/tallies.ts'
import { MemorySearch } from '../../src/search/memory.ts'
import { siteOffers } from '../../src/search/offers.ts'
import { inOneState } from '../../src/search/one-state.ts'
import { SqlSearch } from '../../src/search/sql/service.ts'
import { useExchange } from '../support/exchange.ts'
import { insertSome, marketAgents, someCriteria, someListing } from '../support/random-market.ts'
import { searchListings, wantedOf } from '../support/search-oracle.ts'

const exchange = useExchange()
const seed = Number(process.env.TEST_SEED) || Date.now() % 2 ** 31
const QUESTIONS = process.env.THOROUGH === '1' ? 1_000 : 80

/** One in so many is also asked of the engine by SQL, which takes longer. */
const SQL_EVERY = 4

let memory: MemorySearch
let tables: SqlSearch
let viewers: (string | null)[]

beforeAll(async () => {
  const { db, pool } = exchange
  const agents = await marketAgents(db)
  viewers = [null, ...agents.map(({ id }) => id)]
  await insertSome(db, agents, fc.sample(someListing, { numRuns: 200, seed }))
  const url = pool.options.connectionString as string
  const options = { db, url, publicUrl: 'https://lonja.example', logger: pino({ level: 'silent' }) }
  memory = new MemorySearch(options)
  tables = new SqlSearch(options)
  await Promise.all([memory.refresh(), tables.refresh()])
})
afterAll(async () => {
  await memory.close()
  await tables.close()
})

/** Those that the question with that number is asked of. */
const engines = (n: number) => (n % SQL_EVERY === 0 ? [memory, tables] : [memory])

/** Prices in one currency are tested over HTTP; here each currency is counted apart. */
const questions = () =>
  fc.sample(
    fc.tuple(
      someCriteria.map(({ priceIn: _, ...criteria }) => criteria as Criteria),
      fc.nat(),
    ),
    {
      numRuns: QUESTIONS,
      seed,
    },
  )

/** All that plain SQL finds. */
const found = async (criteria: Criteria, viewer: string | null) =>
  (await searchListings(exchange.db, { ...criteria, page: 1, limit: 1_000 }, viewer)).ids

const OWN: Record<FacetName, (keyof Criteria)[]> = {
  type: ['types'],
  state: ['state'],
  city: ['city'],
  neighborhood: ['neighborhood'],
  bedrooms: ['minBedrooms', 'maxBedrooms'],
  features: ['features'],
  price: ['minPrice', 'maxPrice'],
}
const VALUES: Record<Exclude<FacetName, 'price'>, RawBuilder<unknown>> = {
  type: sql`property_type`,
  state: sql`state`,
  city: sql`city`,
  neighborhood: sql`neighborhood`,
  bedrooms: sql`bedrooms`,
  features: sql`unnest(features)`,
}

async function tally(name: FacetName, ids: string[]): Promise<unknown[]> {
  const { rows } =
    name === 'price'
      ? await sql<object>`
          with steps as (select n * 10::numeric ^ e as step, lead(n * 10::numeric ^ e) over (order by n * 10::numeric ^ e) as next
              from unnest(array[1, 2, 5]) n, generate_series(0, 12) e
            union all select 0, 1),
          offers as (
            select 'sale' as operation, sale_currency as currency, sale_price as price from listings where id = any(${ids})
            union all select 'rental', rent_currency, rent_price from listings where id = any(${ids}))
          select operation, currency, step::float8 as min, next::float8 as max, count(*)::int as count
          from offers join steps on price >= step and price < next
          group by operation, currency, step, next order by operation = 'rental', currency, step`.execute(
          exchange.db,
        )
      : await sql<object>`
          select value, count(*)::int as count
          from (select ${VALUES[name]} as value from listings where id = any(${ids})) v
          where value is not null group by value
          order by count desc, value ${name === 'bedrooms' ? sql`` : sql`collate "C"`}`.execute(exchange.db)
  return rows
}

describe('facets', () => {
  it(`count what SQL counts, each without its own filter (${QUESTIONS} questions, seed ${seed})`, async () => {
    let counted = 0
    for (const [n, [criteria, which]] of questions().entries()) {
      const viewer = viewers[which % viewers.length] ?? null
      const answers = await Promise.all(
        engines(n).map(search => search.page(criteria, viewer, undefined, FACETS)),
      )
      for (const name of FACETS) {
        const rest = { ...criteria }
        for (const own of OWN[name]) delete rest[own]
        const expected = await tally(name, await found(rest, viewer))
        for (const { body } of answers) {
          const { facets } = JSON.parse(body.toString())
          expect(facets[name], name).toEqual({ values: expected, other_values: 0 })
        }
        counted += expected.length
      }
    }
    expect(counted).toBeGreaterThan(QUESTIONS * 5)
  }, 240_000)
})

describe('overviews', () => {
  it('that pause are of the state they began with, whatever changes meanwhile, or begin again', async () => {
    const engine = memory.state?.engine
    if (!engine) throw new Error('not loaded')
    let changed = 0
    for (const [criteria, which] of questions().slice(0, 20)) {
      const viewer = viewers[which % viewers.length] ?? null
      const wanted = await wantedOf(exchange.db, criteria.q)
      const counting = () => talliesOf(engine, FACETS, criteria, viewer, wanted)
      const { rows: some } = await sql<{ id: string }>`
        select id from listings order by hashtext(id::text || ${which}) limit 20`.execute(exchange.db)
      const ids = some.map(({ id }) => id)
      const offers = siteOffers(which % 2 === 0 ? criteria : { ids })
      const counts = () => countsOf(engine, offers, viewer, 'all', which % 2 === 0 ? wanted : { groups: [] })
      const hits = () => engine.select(criteria, viewer, 'all', wanted).clone()
      const works: (() => Generator<void, unknown>)[] = [
        counting,
        () => talliesOf(engine, FACETS, { ids }, viewer, { groups: [] }),
        counts,
        () => clustersIn(engine, hits(), undefined, 100),
        () => statisticsOf(engine, hits(), ['city', 'type'], criteria, 20),
        () => engine.census.latest(engine.shown.clone(), engine.columns.updated.values),
        () => marksIn(engine, hits(), undefined, 8),
      ]
      const [before, ...othersBefore] = works.map(work => finish(work()))
      const paused = works.map(work => {
        const begun = work()
        return { begun, first: begun.next() }
      })
      await sql`update listings set bedrooms = coalesce(bedrooms, 0) + 1, city = 'Celaya', city_fold = 'celaya',
        updated_at = next_stamp(updated_at)
        where id = any(${ids})`.execute(exchange.db)
      await memory.refresh()
      // Others search in each pause.
      const searching = ({ begun, first }: (typeof paused)[number]) => {
        for (let step = first; ; step = begun.next()) {
          if (step.done) return step.value
          engine.search({ types: ['house'], sort: 'newest', page: 1, limit: 5 }, null, { groups: [] })
        }
      }
      expect(paused.map(searching)).toEqual([before, ...othersBefore])
      const after = await inSlices(counting())
      if (JSON.stringify(after) !== JSON.stringify(before)) changed++
      let begun = 0
      const result = inOneState(engine, function* () {
        // As if a sweep had begun during the pause.
        if (begun++ === 0) engine.sweeps++
        return yield* counting()
      })
      expect(await result).toEqual(after)
      expect(begun).toBe(2)
    }
    expect(changed).toBeGreaterThan(3)
  })
})

type Cluster = Clusters['clusters'][number]
const byPlace = (a: Cluster, b: Cluster) => a.bounds.swLat - b.bounds.swLat || a.bounds.neLng - b.bounds.neLng
/** Sums, and so means, depend on the order of the listings in the last digits. */
const closely = (clusters: Cluster[]) =>
  clusters
    .toSorted(byPlace)
    .map(one => ({ ...one, lat: expect.closeTo(one.lat, 9), lng: expect.closeTo(one.lng, 9) }))

describe('clusters', () => {
  it(`hold what SQL groups, whatever the zoom (${QUESTIONS} questions, seed ${seed})`, async () => {
    let grouped = 0
    for (const [n, [criteria, which]] of questions().entries()) {
      const viewer = viewers[which % viewers.length] ?? null
      const asked = which % 3 === 0 ? undefined : which % 23
      const most = which % 2 ? 20 : 500
      const [answer, other] = await Promise.all(
        engines(n).map(search => search.clusters(criteria, viewer, asked, most)),
      )
      const { zoom, clusters } = answer as Clusters
      expect(clusters.length).toBeLessThanOrEqual(most)
      if (other) {
        expect({ ...other, clusters: [] }).toEqual({ ...answer, clusters: [] })
        expect(other.clusters.toSorted(byPlace)).toEqual(closely(clusters))
      }
      const side = 360 / 2 ** zoom / 4
      const { rows } = await sql<{ count: number; lat: number; swLat: number; neLng: number }>`
        select count(*)::int as count, avg(public_lat) as lat, min(public_lat) as "swLat", max(public_lng) as "neLng"
        from listings where id = any(${await found(criteria, viewer)}) and public_lat is not null
        group by floor(public_lat / ${side}), floor(public_lng / ${side})`.execute(exchange.db)
      const got = clusters
        .toSorted(byPlace)
        .map(({ count, lat, bounds: { swLat, neLng } }) => ({ count, lat, swLat, neLng }))
      const grouping = rows.toSorted((a, b) => a.swLat - b.swLat || a.neLng - b.neLng)
      expect(got).toEqual(grouping.map(row => ({ ...row, lat: expect.closeTo(row.lat, 9) })))
      grouped += rows.length
    }
    expect(grouped).toBeGreaterThan(QUESTIONS)
  }, 240_000)
})

describe('maps', () => {
  it(`show what SQL finds in their view, and the whole of it without one (${QUESTIONS} questions, seed ${seed})`, async () => {
    let shown = 0
    for (const [n, [criteria, which]] of questions().entries()) {
      const viewer = viewers[which % viewers.length] ?? null
      const [west, south] = [-104 + (which % 40) / 10, 18 + (which % 30) / 10]
      const wide = [3, 0.3, 0.02][which % 7 === 0 ? (which >>> 3) % 3 : 0] as number
      const view =
        which % 3 === 0 ? undefined : { west, south, east: west + wide, north: south + (wide * 2) / 3 }
      const { east, north } = view ?? { east: 180, north: 90 }
      const { rows } = await sql<{ count: number; west: number | null; north: number | null }>`
        select count(*)::int as count, min(public_lng) as west, max(public_lat) as north
        from listings where id = any(${await found(criteria, viewer)})
          and public_lat between ${view ? south : -90} and ${north} and public_lng between ${view ? west : -180} and ${east}`.execute(
        exchange.db,
      )
      const maps = await Promise.all(engines(n).map(search => search.map(criteria, viewer, view, 8)))
      const [places, ...others] = maps.map(({ squares }) =>
        squares.map(({ lat, lng, count }) => [lat, lng, count]),
      )
      for (const other of others)
        expect(other).toEqual(places?.map(place => place.map(number => expect.closeTo(number as number, 9))))
      for (const { squares, bounds } of maps) {
        const count = squares.reduce((sum, square) => sum + square.count, 0)
        expect({ count, west: bounds?.west ?? null, north: bounds?.north ?? null }).toEqual(rows[0])
        expect(squares.every(square => (square.count === 1) === (square.record !== undefined))).toBe(true)
      }
      shown += rows[0]?.count ?? 0
    }
    expect(shown).toBeGreaterThan(QUESTIONS)
  }, 240_000)
})

describe('the market', () => {
  it(`has the counts and quartiles of SQL, of public listings only (${QUESTIONS} questions, seed ${seed})`, async () => {
    let grouped = 0
    for (const [n, [criteria, which]] of questions().entries()) {
      const by = GROUPINGS.filter((_, i) => (which >>> i) & 1)
      const [answer, other] = await Promise.all(
        engines(n).map(search => search.statistics(criteria, by, which % 5 ? 10_000 : 3)),
      )
      if (other) expect(other).toEqual(answer)
      const { groups: got, others } = answer as Statistics
      if (others > 0) continue
      const place = by.includes('neighborhood') ? 3 : by.includes('city') ? 2 : by.includes('state') ? 1 : 0
      const keys = [
        ...[sql`state`, sql`city`, sql`neighborhood`].slice(0, place),
        ...(by.includes('type') ? [sql`property_type`] : []),
        ...(by.includes('month')
          ? [sql`to_char(coalesce(published_at, created_at) at time zone 'UTC', 'YYYY-MM')`]
          : []),
      ]
      const { rows } = await sql<Record<string, unknown>>`
        with found as (select *, case property_type when 'land' then lot_m2 else construction_m2 end as area
          from listings where id = any(${await found(criteria, null)})),
        offers as (
          select found.*, 'sale' as operation, sale_currency as currency, sale_price as price from found where sale_price is not null
          union all select found.*, 'rental', rent_currency, rent_price from found where rent_price is not null and rent_period = 'monthly')
        select concat_ws(' ', operation, currency, ${keys.length > 0 ? sql.join(keys) : sql`null`}) as key, count(*)::int as count,
          round(percentile_cont(0.25) within group (order by price::float8)::numeric, 2)::float8 as p25,
          round(percentile_cont(0.5) within group (order by price::float8)::numeric, 2)::float8 as median,
          round(percentile_cont(0.75) within group (order by (price / area)::float8)::numeric, 2)::float8 as m2
        from offers where ${criteria.operation ?? null}::text is null or operation = ${criteria.operation ?? null}
        group by 1`.execute(exchange.db)
      const shown = got.map(({ operation, currency, state, city, neighborhood, type, month, ...group }) => ({
        key: [operation, currency, state, city, neighborhood, type, month].filter(Boolean).join(' '),
        count: group.count,
        p25: group.price.p25,
        median: group.price.median,
        m2: group.price_m2?.p75 ?? null,
      }))
      const sorted = (list: Record<string, unknown>[]) =>
        list.sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1))
      const cents = ({ p25, median, m2, ...one }: Record<string, unknown>) => ({
        ...one,
        amounts: [p25, median, m2].map(amount => (amount === null ? null : Math.round(Number(amount) * 10))),
      })
      expect(sorted(shown).map(cents)).toEqual(sorted(rows).map(cents))
      grouped += rows.length
    }
    expect(grouped).toBeGreaterThan(QUESTIONS)
  }, 240_000)
})
