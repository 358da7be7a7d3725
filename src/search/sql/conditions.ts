import { type RawBuilder, sql } from 'kysely'
import { startPattern } from '../../lib/text.ts'
import type { Criteria, Filters, Reach, Ring, WordGroup } from '../criteria.ts'
import { boxAround } from '../engine/globe.ts'
import type { Wanted } from '../engine/wanted.ts'
import type { PlacePart } from '../places/place.ts'

export type Condition = RawBuilder<unknown>

export const all = (conditions: Condition[]): Condition =>
  conditions.length > 0 ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`

const any = (conditions: Condition[]): Condition => sql`(${sql.join(conditions, sql` or `)})`

/** The stored names of municipalities that fold to a name, or start with it: names are folded here, not in SQL. */
export type Municipalities = (names: readonly string[]) => string[]

/** What every condition of a search may need to know beside its filters. */
export interface Known {
  municipalities: Municipalities
}

/**
 * What may be found at all, of a listing `l`. `shown` is what `is_public` says of the row, kept by its trigger. A viewer
 * with nothing hidden sees what the public sees, which is the shorter condition.
 */
export function visible(viewer: string | null, reach: Reach, hasHidden: boolean): Condition {
  const own = sql`(l.agent_id = ${viewer}::uuid and not l.imported)`
  if (reach === 'own') return viewer === null ? sql`false` : own
  if (reach === 'all') return hasHidden ? sql`(l.shown or ${own})` : sql`l.shown`
  const onMarket = sql`l.status = 'published' and not l.imported
    and l.agent_id in (select a.id from agents a where is_public(a))`
  return viewer === null ? sql`(${onMarket})` : sql`(${onMarket} or ${own})`
}

/** Everything a listing must be: its filters and the words of the text. */
export const matching = (filters: Filters, wanted: Wanted, known: Known): Condition =>
  all([...filterConditions(filters, known), ...textConditions(wanted, known)])

const RANGES = [
  ['bedrooms', 'minBedrooms', 'maxBedrooms'],
  ['bathrooms', 'minBathrooms', 'maxBathrooms'],
  ['half_bathrooms', 'minHalfBathrooms', 'maxHalfBathrooms'],
  ['parking', 'minParking', 'maxParking'],
  ['floors', 'minFloors', 'maxFloors'],
  ['year_built', 'minYearBuilt', 'maxYearBuilt'],
] as const
const AREAS = [
  ['construction_m2', 'minConstruction', 'maxConstruction'],
  ['lot_m2', 'minLot', 'maxLot'],
] as const

export function filterConditions(c: Filters, known: Known): Condition[] {
  const conditions: Condition[] = [...priceConditions(c)]
  if (c.ids) conditions.push(sql`l.id = any(${c.ids}::uuid[])`)
  if (c.types) conditions.push(sql`l.property_type = any(${c.types}::text[])`)
  if (c.rentPeriod) conditions.push(sql`l.rent_period = ${c.rentPeriod}`)
  if (c.state) conditions.push(sql`l.state = ${c.state}`)
  if (c.city) conditions.push(sql`l.city_fold like ${`%${startPattern(c.city)}`}`)
  if (c.neighborhood) conditions.push(sql`l.neighborhood_fold like ${`%${startPattern(c.neighborhood)}`}`)
  if (c.cities) conditions.push(sql`l.city_fold = any(${c.cities}::text[])`)
  for (const part of c.place ?? []) conditions.push(placeCondition(part, known))
  // At least 0 is no condition: what is unknown is found too.
  for (const [column, low, high] of RANGES)
    conditions.push(...rangeConditions(column, c[low] || undefined, c[high]))
  for (const [column, low, high] of AREAS) conditions.push(...rangeConditions(column, c[low], c[high]))
  if (c.agents) conditions.push(sql`l.agent_id = any(${c.agents}::uuid[])`)
  if (c.notAgents) conditions.push(sql`l.agent_id <> all(${c.notAgents}::uuid[])`)
  if (c.features) conditions.push(sql`l.features @> ${c.features}::text[]`)
  if (c.notFeatures) conditions.push(sql`not l.features && ${c.notFeatures}::text[]`)
  if (c.updatedSince) conditions.push(sql`l.updated_at >= ${c.updatedSince}`)
  conditions.push(...areaConditions(c), ...marketConditions(c))
  return conditions
}

function* rangeConditions(column: string, low: number | undefined, high: number | undefined) {
  const value = sql.ref(`l.${column}`)
  if (low !== undefined) yield sql`${value} >= ${low}::numeric`
  if (high !== undefined) yield sql`${value} <= ${high}::numeric`
}

/** A name is the whole name of the place or its first words. */
function placeCondition({ states, names, isNeighborhood }: PlacePart, known: Known): Condition {
  const patterns = names.map(name => `${startPattern(name).slice(0, -1)} %`)
  const called = (column: string) =>
    sql`(${sql.ref(column)} = any(${names}::text[]) or ${sql.ref(column)} like any(${patterns}::text[]))`
  return any([
    ...(states.length > 0 ? [sql`l.state = any(${states}::text[])`] : []),
    called('l.neighborhood_fold'),
    ...(isNeighborhood
      ? []
      : [called('l.city_fold'), sql`l.municipality = any(${known.municipalities(names)}::text[])`]),
  ])
}

/** Over public points only: a search must not find what a record hides. */
function areaConditions({ rectangle, circle, polygons }: Filters): Condition[] {
  const conditions: Condition[] = []
  if (rectangle) {
    const { swLat, swLng, neLat, neLng } = rectangle
    conditions.push(inBox(swLat, swLng, neLat, neLng))
  }
  if (circle) conditions.push(boxOf(circle), sql`${kilometersFrom(circle)} <= ${circle.radiusKm}::float8`)
  if (polygons) {
    const corners = polygons.flatMap(([outer]) => outer ?? [])
    const [lats, lngs] = [corners.map(([lat]) => lat), corners.map(([, lng]) => lng)]
    conditions.push(
      inBox(Math.min(...lats), Math.min(...lngs), Math.max(...lats), Math.max(...lngs)),
      any(
        polygons.map(([outer, ...holes]) =>
          all([inRing(outer as Ring), ...holes.map(hole => sql`not ${inRing(hole)}`)]),
        ),
      ),
    )
  }
  return conditions
}

const inBox = (swLat: number, swLng: number, neLat: number, neLng: number) =>
  sql`(l.public_lat between ${swLat}::float8 and ${neLat}::float8
    and l.public_lng between ${swLng}::float8 and ${neLng}::float8)`

/** Never too small; it lets an index find the few that may be in the circle. */
function boxOf(circle: NonNullable<Criteria['circle']>): Condition {
  const { swLat, swLng, neLat, neLng } = boxAround(circle)
  return inBox(swLat, swLng, neLat, neLng)
}

/** Great-circle distance on the mean sphere; null for a listing without a point, which `least` would overlook. */
export const kilometersFrom = (point: { lat: number; lng: number }): Condition => {
  const [lat, lng] = [sql`${point.lat}::float8`, sql`${point.lng}::float8`]
  return sql`case when l.public_lat is not null then 2 * 6371.0088 * asin(least(1, sqrt(
    sin(radians(l.public_lat - ${lat}) / 2) ^ 2
    + cos(radians(${lat})) * cos(radians(l.public_lat)) * sin(radians(l.public_lng - ${lng}) / 2) ^ 2
  ))) end`
}

/** An odd number of edges to the east, each without its upper end. */
const inRing = (ring: Ring) => sql`(
  select count(*) filter (where (y1 > l.public_lat) <> (y2 > l.public_lat)
    and l.public_lng < case when y1 = y2 then 0 else (x2 - x1) * (l.public_lat - y1) / (y2 - y1) + x1 end) % 2 = 1
  from unnest(${ring.map((_, i) => ring.at(i - 1)?.[0])}::float8[], ${ring.map((_, i) => ring.at(i - 1)?.[1])}::float8[],
    ${ring.map(([lat]) => lat)}::float8[], ${ring.map(([, lng]) => lng)}::float8[]) as edge(y1, x1, y2, x2))`

/** The number, up to 20, at the start of a text with nothing else but a percent sign and the word IVA. */
export const PERCENT = sql`case when l.shared_commission ~* '^ *[0-9]{1,3}([.,][0-9]{1,4})? *%?( *[+] *iva)? *$'
  then nullif(least(replace(substring(l.shared_commission from '[0-9.,]+'), ',', '.')::numeric, 20.0001), 20.0001) end`

function marketConditions({ minCommission, marks, fresh }: Filters): Condition[] {
  const conditions: Condition[] = []
  if (minCommission !== undefined) conditions.push(sql`${PERCENT} >= ${minCommission}::numeric`)
  if (marks?.includes('exclusive')) conditions.push(sql`l.exclusive`)
  if (marks?.includes('media'))
    conditions.push(sql`(l.video_url is not null or l.virtual_tour_url is not null)`)
  if (fresh) {
    const { since, isNew, isLowered } = fresh
    conditions.push(
      any([
        ...(isNew ? [sql`coalesce(l.published_at, l.created_at) >= ${since}`] : []),
        ...(isLowered ? [sql`coalesce(l.price_lowered_at >= ${since}, false)`] : []),
        sql`false`,
      ]),
    )
  }
  return conditions
}

/** The same operation must match both the range and the currency. */
function priceConditions({ operation, minPrice, maxPrice, currency, priceIn }: Filters): Condition[] {
  const isAsked = operation ?? minPrice ?? maxPrice ?? currency
  if (isAsked === undefined) return []
  const fits = (column: 'sale' | 'rent') => {
    const price = sql.ref(`l.${column}_price`)
    const own = sql.ref(`l.${column}_currency`)
    // Multiplied on both sides: a quotient would be rounded.
    const pesos = sql`${price} * case ${own} when 'USD' then ${priceIn?.mxnPerUsd}::numeric else 1 end`
    const factor = priceIn?.currency === 'USD' ? priceIn.mxnPerUsd : 1
    const compared = priceIn ? pesos : price
    return all([
      sql`${price} is not null`,
      ...(minPrice === undefined ? [] : [sql`${compared} >= ${minPrice}::numeric * ${factor}::numeric`]),
      ...(maxPrice === undefined ? [] : [sql`${compared} <= ${maxPrice}::numeric * ${factor}::numeric`]),
      ...(currency === undefined ? [] : [sql`${own} = ${currency}`]),
    ])
  }
  if (operation === 'sale') return [fits('sale')]
  if (operation === 'rental') return [fits('rent')]
  return [any([fits('sale'), fits('rent')])]
}

function textConditions({ groups, titleStart }: Wanted, known: Known): Condition[] {
  if (titleStart !== undefined) return [sql`l.title_fold like ${startPattern(titleStart)}`]
  return groups.map(({ lexemes, meaning }) => {
    const said = sql`l.search @@ ${tsquery(lexemes)}::tsquery`
    return meaning ? any([said, all(filterConditions(meaning, known))]) : said
  })
}

/** Any of the lexemes, in any weight or in one of them. */
export const tsquery = (lexemes: readonly string[], weight = ''): string =>
  lexemes.map(lexeme => `'${lexeme.replace(/['\\]/g, '$&$&')}'${weight && `:${weight}`}`).join(' | ')

/** Each word counts once: 16 if the listing is what it means, else title 8, place 4, features 2, description 1. */
export function relevance(groups: readonly WordGroup[], known: Known): Condition {
  const weights = groups.map(
    ({ lexemes, meaning }) => sql`case
      ${meaning ? sql`when ${all(filterConditions(meaning, known))} then 16` : sql``}
      when l.search @@ ${tsquery(lexemes, 'A')}::tsquery then 8
      when l.search @@ ${tsquery(lexemes, 'B')}::tsquery then 4
      when l.search @@ ${tsquery(lexemes, 'C')}::tsquery then 2
      else 1 end`,
  )
  return sql`(${sql.join(weights, sql` + `)})`
}
