import { existsSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import Database from 'libsql'
import type pg from 'pg'
import type { Criteria, Filters, WordGroup } from '../../src/search/criteria.ts'
import { boxAround } from '../../src/search/engine/globe.ts'

const BATCH = 5_000

/** The same rows in SQLite, as a team would index them: B-trees, an R*Tree for points, FTS5 for the same lexemes. */
const SCHEMA = `
  create table listings (id integer primary key, uuid text, agent text, is_public integer, featured integer, type text,
    state text, city text, sale_price real, sale_currency text, rent_price real, rent_currency text, bedrooms real,
    construction real, lat real, lng real, newest real, updated real);
  create table features (feature text, listing integer, primary key (feature, listing)) without rowid;
  create virtual table words using fts5(text, content = '', detail = none);
  create virtual table points using rtree(id, south, north, west, east)`
const INDEXES = `
  create index by_newest on listings (featured desc, newest desc, uuid);
  create index by_type on listings (type);
  create index by_state on listings (state);
  create index by_sale on listings (sale_price);
  create index by_rent on listings (rent_price);
  create index by_bedrooms on listings (bedrooms);
  create index by_construction on listings (construction);
  create index by_updated on listings (updated);
  analyze`

const ROWS = `
  select l.id, l.agent_id, is_public(l, a)::int as is_public, l.featured::int as featured, l.property_type, l.state, l.city_fold,
    l.sale_price::float8 as sale_price, l.sale_currency, l.rent_price::float8 as rent_price, l.rent_currency, l.bedrooms::float8 as bedrooms,
    l.construction_m2::float8 as construction, l.public_lat, l.public_lng,
    extract(epoch from coalesce(l.published_at, l.created_at))::float8 as newest,
    extract(epoch from l.updated_at)::float8 as updated, l.features, tsvector_to_array(l.search) as lexemes
  from listings l join agents a on a.id = l.agent_id where l.id > $1 order by l.id limit ${BATCH}`

/** Copies the market on first use, and again after it has changed. */
export async function openSqlite(pool: pg.Pool, listings: number): Promise<Database> {
  const file = resolve(`data/bench/${listings}.sqlite`)
  const { rows } = await pool.query('select count(*) || max(updated_at)::text as state from listings')
  const state = rows[0].state as string
  if (existsSync(file)) {
    const known = new Database(file)
    if (known.prepare('select state from copied').get()?.state === state) return known
    known.close()
    rmSync(file)
  }
  const db = new Database(file)
  db.exec('pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -1000000')
  db.exec(SCHEMA)
  await copyRows(pool, db)
  db.exec(INDEXES)
  db.exec('create table copied (state text)')
  db.prepare('insert into copied values (?)').run(state)
  return db
}

async function copyRows(pool: pg.Pool, db: Database): Promise<void> {
  const listing = db.prepare(`insert into listings values (${Array(18).fill('?').join()})`)
  const feature = db.prepare('insert or ignore into features values (?, ?)')
  const words = db.prepare('insert into words (rowid, text) values (?, ?)')
  const point = db.prepare('insert into points values (?, ?, ?, ?, ?)')
  let [id, last] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const { rows } = await pool.query({ text: ROWS, values: [last], rowMode: 'array' })
    if (rows.length === 0) return
    db.exec('begin')
    for (const row of rows as [string, ...unknown[]][]) {
      const [features, lexemes] = row.slice(17) as [string[], string[]]
      const [lat, lng] = row.slice(13, 15) as [number | null, number | null]
      listing.run(++id, ...row.slice(0, 17))
      for (const one of features) feature.run(one, id)
      words.run(id, lexemes.map(tokenOf).join(' '))
      if (lat !== null && lng !== null) point.run(id, lat, lat, lng, lng)
    }
    db.exec('commit')
    last = (rows.at(-1) as [string])[0]
    process.stderr.write(`\r  SQLite: ${id} rows`)
  }
}

/** A lexeme as one token of letters and digits. */
const tokenOf = (lexeme: string) =>
  /^[a-z0-9]+$/.test(lexeme) ? lexeme : `x${Buffer.from(lexeme).toString('hex')}`

/** Finds the page and returns the total, as `GET /properties` does; nothing is sorted by relevance. */
export function askSqlite(
  db: Database,
  criteria: Criteria,
  groups: readonly WordGroup[],
  viewer: string,
): number {
  const values: unknown[] = []
  const bind = (value: unknown) => {
    values.push(value)
    return '?'
  }
  const conditions = [
    `(is_public or agent = ${bind(viewer)})`,
    ...conditionsOf(criteria, bind),
    ...groups.map(({ lexemes, meaning }) => {
      const match = lexemes.map(lexeme => `"${tokenOf(lexeme)}"`).join(' OR ')
      const found = `id in (select rowid from words where words match ${bind(match)})`
      return meaning ? `(${found} or ${conditionsOf(meaning, bind).join(' and ')})` : found
    }),
  ].join(' and ')
  const counted = db.prepare(`select count(*) as total from listings where ${conditions}`).get(values)
  db.prepare(
    `select uuid from listings where ${conditions} order by ${orderOf(criteria)} limit ? offset ?`,
  ).all([...values, criteria.limit, (criteria.page - 1) * criteria.limit])
  return Number(counted?.total)
}

const PRICES = { sale: 'sale_price', rental: 'rent_price' } as const

function orderOf({ sort, operation }: Criteria): string {
  if (sort === 'updated') return 'featured desc, updated desc, uuid'
  if (sort !== 'price_asc' && sort !== 'price_desc') return 'featured desc, newest desc, uuid'
  const price = operation ? PRICES[operation] : 'coalesce(sale_price, rent_price)'
  return `featured desc, ${price} ${sort === 'price_asc' ? 'asc' : 'desc'} nulls last, uuid`
}

type Bind = (value: unknown) => string

/** Of the filters that the questions of the benchmark have. */
function conditionsOf(c: Filters, bind: Bind): string[] {
  const all: string[] = []
  if (c.types) all.push(`type in (${c.types.map(bind).join()})`)
  if (c.state) all.push(`state = ${bind(c.state)}`)
  if (c.city) all.push(`city like ${bind(`%${c.city}%`)}`)
  if (c.minBedrooms) all.push(`bedrooms >= ${bind(c.minBedrooms)}`)
  if (c.minConstruction) all.push(`construction >= ${bind(c.minConstruction)}`)
  if (c.updatedSince) all.push(`updated >= ${bind(c.updatedSince.getTime() / 1000)}`)
  for (const one of c.features ?? [])
    all.push(`id in (select listing from features where feature = ${bind(one)})`)
  if (c.operation ?? c.minPrice ?? c.maxPrice) {
    const operations = c.operation ? [c.operation] : (['sale', 'rental'] as const)
    all.push(`(${operations.map(one => pricedIn(PRICES[one], c, bind)).join(' or ')})`)
  }
  if (c.rectangle) all.push(inBox(c.rectangle, bind))
  if (c.circle) {
    const { lat, lng, radiusKm } = c.circle
    all.push(
      `${inBox(boxAround(c.circle), bind)} and 2 * 6371.0088 * asin(min(1, sqrt(power(sin(radians(lat - ${bind(lat)}) / 2), 2)
        + cos(radians(${bind(lat)})) * cos(radians(lat)) * power(sin(radians(lng - ${bind(lng)}) / 2), 2)))) <= ${bind(radiusKm)}`,
    )
  }
  return all
}

const pricedIn = (price: string, { minPrice, maxPrice }: Filters, bind: Bind) =>
  [
    `${price} is not null`,
    ...(minPrice === undefined ? [] : [`${price} >= ${bind(minPrice)}`]),
    ...(maxPrice === undefined ? [] : [`${price} <= ${bind(maxPrice)}`]),
  ].join(' and ')

/** The tree rounds its boxes to larger ones: points are compared again. */
const inBox = ({ swLat, neLat, swLng, neLng }: NonNullable<Filters['rectangle']>, bind: Bind) =>
  `id in (select id from points where north >= ${bind(swLat)} and south <= ${bind(neLat)} and east >= ${bind(swLng)} and west <= ${bind(neLng)})
    and lat between ${bind(swLat)} and ${bind(neLat)} and lng between ${bind(swLng)} and ${bind(neLng)}`
