import { type RawBuilder, sql } from 'kysely'
import type { Sql } from '../../src/db/database.ts'
import { foldText } from '../../src/lib/text.ts'
import { visibleTo } from '../../src/listings/service.ts'
import type { Criteria, Filters, Reach, Ring, WordGroup } from '../../src/search/criteria.ts'
import type { PlacePart } from '../../src/search/places/place.ts'
import { wordGroups } from '../../src/search/text/words.ts'

export interface SearchResult {
  ids: string[]
  total: number
}

type Condition = RawBuilder<unknown>
const and = (conditions: Condition[]) => sql.join(conditions, sql` and `)

/**
 * What search must answer, in SQL: the reference for the engine in tests and benchmarks.
 * One statement, so that the page and its total are consistent. `viewer` null is the public.
 */
export async function searchListings(
  db: Sql,
  criteria: Criteria,
  viewer: string | null,
  reach: Exclude<Reach, 'own'> = 'all',
): Promise<SearchResult> {
  const groups = criteria.q === undefined ? [] : await wordGroups(db, criteria.q)
  const conditions = [
    reach === 'market' ? onMarketFor(viewer) : visibleTo(viewer),
    ...filters(criteria),
    ...textFilter(criteria.q, groups),
  ]
  const { limit, page } = criteria
  const { rows } = await sql<SearchResult>`
    with hits as materialized (
      select l.id, l.featured, l.bedrooms, ${sortKey(criteria, groups)} as key, coalesce(l.published_at, l.created_at) as newest
      from listings l join agents a on a.id = l.agent_id
      where ${and(conditions)}
    )
    select
      (select count(*) from hits) as total,
      array(
        select id from hits
        order by ${liked(criteria)} ${reach === 'market' ? sql`` : sql`featured desc,`} key ${['price_asc', 'distance'].includes(criteria.sort) ? sql`asc` : sql`desc`} nulls last,
          ${criteria.sort === 'relevance' ? sql`newest desc,` : sql``} id
        limit ${limit} offset ${(page - 1) * limit}
      ) as ids`.execute(db)
  return rows[0] as SearchResult
}

/** Everything published by visible agents, opted out or not, and one's own listings. */
const onMarketFor = (viewer: string | null) => sql`not l.imported and (
  l.status = 'published' and a.verified_at is not null and not a.is_test or l.agent_id = ${viewer}::uuid)`

function filters(c: Filters): Condition[] {
  const conditions: Condition[] = [...priceFilter(c)]
  if (c.ids) conditions.push(sql`l.id = any(${c.ids}::uuid[])`)
  if (c.types) conditions.push(sql`l.property_type = any(${c.types})`)
  if (c.state) conditions.push(sql`l.state = ${c.state}`)
  if (c.city) conditions.push(sql`l.city_fold like ${`%${literal(c.city)}%`}`)
  if (c.neighborhood) conditions.push(sql`l.neighborhood_fold like ${`%${literal(c.neighborhood)}%`}`)
  if (c.minBedrooms) conditions.push(sql`l.bedrooms >= ${c.minBedrooms}::numeric`)
  if (c.minBathrooms) conditions.push(sql`l.bathrooms >= ${c.minBathrooms}::numeric`)
  if (c.minParking) conditions.push(sql`l.parking >= ${c.minParking}::numeric`)
  if (c.minConstruction) conditions.push(sql`l.construction_m2 >= ${c.minConstruction}::numeric`)
  if (c.minLot) conditions.push(sql`l.lot_m2 >= ${c.minLot}::numeric`)
  if (c.maxBedrooms !== undefined) conditions.push(sql`l.bedrooms <= ${c.maxBedrooms}::numeric`)
  if (c.maxBathrooms !== undefined) conditions.push(sql`l.bathrooms <= ${c.maxBathrooms}::numeric`)
  if (c.maxParking !== undefined) conditions.push(sql`l.parking <= ${c.maxParking}::numeric`)
  if (c.maxConstruction !== undefined)
    conditions.push(sql`l.construction_m2 <= ${c.maxConstruction}::numeric`)
  if (c.maxLot !== undefined) conditions.push(sql`l.lot_m2 <= ${c.maxLot}::numeric`)
  for (const [column, low, high] of [
    ['half_bathrooms', c.minHalfBathrooms, c.maxHalfBathrooms],
    ['year_built', c.minYearBuilt, c.maxYearBuilt],
    ['floors', c.minFloors, c.maxFloors],
  ] as const) {
    if (low) conditions.push(sql`${sql.ref(`l.${column}`)} >= ${low}::numeric`)
    if (high !== undefined) conditions.push(sql`${sql.ref(`l.${column}`)} <= ${high}::numeric`)
  }
  if (c.agents) conditions.push(sql`l.agent_id = any(${c.agents}::uuid[])`)
  for (const part of c.place ?? []) conditions.push(placeFilter(part))
  if (c.features) conditions.push(sql`l.features @> ${c.features}::text[]`)
  if (c.updatedSince) conditions.push(sql`l.updated_at >= ${c.updatedSince}`)
  if (c.rectangle) {
    const { swLat, swLng, neLat, neLng } = c.rectangle
    conditions.push(
      sql`l.public_lat between ${swLat} and ${neLat} and l.public_lng between ${swLng} and ${neLng}`,
    )
  }
  if (c.circle) conditions.push(circleFilter(c.circle))
  if (c.polygons) conditions.push(polygonFilter(c.polygons))
  conditions.push(...marketFilters(c))
  return conditions
}

/** The number, up to 20, at the start of a text with nothing else but a percent sign and the word IVA. */
const PERCENT = sql`case when l.shared_commission ~* '^ *[0-9]{1,3}([.,][0-9]{1,4})? *%?( *[+] *iva)? *$'
  then nullif(least(replace(substring(l.shared_commission from '[0-9.,]+'), ',', '.')::numeric, 20.0001), 20.0001) end`

function marketFilters(c: Filters): Condition[] {
  const conditions: Condition[] = []
  if (c.minCommission !== undefined) conditions.push(sql`${PERCENT} >= ${c.minCommission}::numeric`)
  if (c.marks?.includes('exclusive')) conditions.push(sql`l.exclusive`)
  if (c.marks?.includes('media'))
    conditions.push(sql`(l.video_url is not null or l.virtual_tour_url is not null)`)
  if (c.notAgents) conditions.push(sql`l.agent_id <> all(${c.notAgents}::uuid[])`)
  if (c.fresh) {
    const { since, isNew, isLowered } = c.fresh
    conditions.push(sql`(${isNew} and coalesce(l.published_at, l.created_at) >= ${since}
      or ${isLowered} and coalesce(l.price_lowered_at >= ${since}, false))`)
  }
  return conditions
}

/** A name is the whole name of the place or its first words. Municipalities of tests have no accents. */
function placeFilter({ states, names, isNeighborhood }: PlacePart): Condition {
  const patterns = names.flatMap(name => [literal(name), `${literal(name)} %`])
  const called = (column: string) => sql`${sql.raw(column)} like any(${patterns}::text[])`
  const columns = isNeighborhood
    ? ['l.neighborhood_fold']
    : ['l.city_fold', 'lower(l.municipality)', 'l.neighborhood_fold']
  return sql`(l.state = any(${states}) or ${sql.join(columns.map(called), sql` or `)})`
}

/** Great-circle distance on the mean sphere, over public points only: a search must not find what a record hides. */
const circleFilter = ({ radiusKm, ...center }: NonNullable<Criteria['circle']>): Condition =>
  sql`${distance(center)} <= ${radiusKm}`

const distance = ({ lat, lng }: { lat: number; lng: number }) => sql`2 * 6371.0088 * asin(least(1, sqrt(
      sin(radians(l.public_lat - ${lat}) / 2) ^ 2
      + cos(radians(${lat})) * cos(radians(l.public_lat)) * sin(radians(l.public_lng - ${lng}) / 2) ^ 2
    )))`

/** An odd number of edges to the east, each without its upper end. */
const inRing = (ring: Ring) => sql`(
  select count(*) filter (where (y1 > l.public_lat) <> (y2 > l.public_lat)
    and l.public_lng < case when y1 = y2 then 0 else (x2 - x1) * (l.public_lat - y1) / (y2 - y1) + x1 end) % 2 = 1
  from unnest(${ring.map((_, i) => ring.at(i - 1)?.[0])}::float8[], ${ring.map((_, i) => ring.at(i - 1)?.[1])}::float8[],
    ${ring.map(([lat]) => lat)}::float8[], ${ring.map(([, lng]) => lng)}::float8[]) as edge(y1, x1, y2, x2))`

const polygonFilter = (polygons: NonNullable<Criteria['polygons']>) =>
  sql`l.public_lat is not null and (${sql.join(
    polygons.map(([outer, ...holes]) =>
      and([inRing(outer as Ring), ...holes.map(hole => sql`not ${inRing(hole)}`)]),
    ),
    sql` or `,
  )})`

/** The same operation must match both the range and the currency. */
function priceFilter({ operation, minPrice, maxPrice, currency, priceIn }: Filters): Condition[] {
  const isAsked = operation ?? minPrice ?? maxPrice ?? currency
  if (isAsked === undefined) return []
  const fits = (column: 'sale' | 'rent') => {
    const price = sql.ref(`l.${column}_price`)
    // Multiplied on both sides: a quotient would be rounded.
    const pesos = sql`${price} * case ${sql.ref(`l.${column}_currency`)} when 'USD' then ${priceIn?.mxnPerUsd}::numeric else 1 end`
    const factor = priceIn?.currency === 'USD' ? priceIn.mxnPerUsd : 1
    const compared = priceIn ? pesos : price
    return and([
      sql`${price} is not null`,
      ...(minPrice === undefined ? [] : [sql`${compared} >= ${minPrice}::numeric * ${factor}::numeric`]),
      ...(maxPrice === undefined ? [] : [sql`${compared} <= ${maxPrice}::numeric * ${factor}::numeric`]),
      ...(currency === undefined ? [] : [sql`${sql.ref(`l.${column}_currency`)} = ${currency}`]),
    ])
  }
  if (operation === 'sale') return [fits('sale')]
  if (operation === 'rental') return [fits('rent')]
  return [sql`(${fits('sale')} or ${fits('rent')})`]
}

/** Stop words alone (la, de) are matched against the start of the title, so that no text is an error. */
function textFilter(q: string | undefined, groups: WordGroup[]): Condition[] {
  if (q === undefined) return []
  if (groups.length === 0) return [sql`l.title_fold like ${`${literal(foldText(q))}%`}`]
  return groups.map(({ lexemes, meaning }) =>
    meaning
      ? sql`(l.search @@ ${tsquery(lexemes)}::tsquery or ${and(filters(meaning))})`
      : sql`l.search @@ ${tsquery(lexemes)}::tsquery`,
  )
}

/** Any of the lexemes, in any weight or in one of them. */
const tsquery = (lexemes: string[], weight = '') =>
  lexemes.map(lexeme => `'${lexeme.replace(/['\\]/g, '$&$&')}'${weight && `:${weight}`}`).join(' | ')

/** Listings with exactly the requested bedrooms come first, only when sorted by relevance. */
const liked = ({ sort, likedBedrooms }: Criteria) =>
  sort === 'relevance' && likedBedrooms !== undefined
    ? sql`(coalesce(bedrooms, -1) = ${likedBedrooms}) desc,`
    : sql``

function sortKey({ sort, operation, near, priceIn }: Criteria, groups: WordGroup[]): Condition {
  if (sort === 'distance' && near) return sql`round((${distance(near)})::numeric, 6)`
  if (sort === 'updated') return sql`l.updated_at`
  if (sort === 'commission') return PERCENT
  if (sort === 'construction') return sql`l.construction_m2`
  if (sort === 'lot') return sql`l.lot_m2`
  if (sort === 'relevance' && groups.length > 0) return relevance(groups)
  if (sort === 'price_asc' || sort === 'price_desc') {
    const pesos = (column: 'sale' | 'rent') => {
      const [price, currency] = [sql.ref(`l.${column}_price`), sql.ref(`l.${column}_currency`)]
      return priceIn
        ? sql`${price}::float8 * case ${currency} when 'USD' then ${priceIn.mxnPerUsd}::float8 else 1 end`
        : sql`${price}`
    }
    if (operation === 'sale') return pesos('sale')
    if (operation === 'rental') return pesos('rent')
    return sql`coalesce(${pesos('sale')}, ${pesos('rent')})`
  }
  return sql`coalesce(l.published_at, l.created_at)`
}

/** Each word counts once: 16 if the listing is what it means, else title 8, place 4, features 2, description 1. */
function relevance(groups: WordGroup[]): Condition {
  const weights = groups.map(
    ({ lexemes, meaning }) => sql`case
      ${meaning ? sql`when ${and(filters(meaning))} then 16` : sql``}
      when l.search @@ ${tsquery(lexemes, 'A')}::tsquery then 8
      when l.search @@ ${tsquery(lexemes, 'B')}::tsquery then 4
      when l.search @@ ${tsquery(lexemes, 'C')}::tsquery then 2
      else 1 end`,
  )
  return sql`(${sql.join(weights, sql` + `)})`
}

const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

const SHOWN = sql`from listings l join agents a on a.id = l.agent_id where is_public(l, a)`

/** Public listings by city, under its most common spelling, most listings first. */
export async function countCities(db: Sql) {
  const { rows } = await sql`
    select l.state, l.city_fold as city, mode() within group (order by l.city collate "C") as name, count(*) as count,
           max(l.updated_at) as latest
    ${SHOWN} group by l.state, l.city_fold
    order by count(*) desc, l.state collate "C", l.city_fold collate "C"`.execute(db)
  return rows
}

/** An agent's public listings. */
export async function shareOf(db: Sql, agentId: string) {
  const { rows } = await sql`
    select coalesce(array_agg(distinct l.state collate "C" order by l.state collate "C"), '{}') as states,
           count(*) as listings, max(l.updated_at) as latest
    ${SHOWN} and l.agent_id = ${agentId}`.execute(db)
  return rows[0]
}
