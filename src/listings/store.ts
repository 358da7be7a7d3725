import { type Insertable, type RawBuilder, sql } from 'kysely'
import { prepared, type Sql, type Tx } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import type { ListPlace } from '../lib/list-page.ts'
import { isUuid } from '../lib/uuid.ts'
import type { ListingStatus } from '../lookups/catalog.ts'
import { lastConfirmed, unconfirmedFor } from './confirmation.ts'
import { LISTING_FIELDS, type ListingFields } from './fields.ts'
import type { SearchText } from './rules.ts'

/** The id or the slug of a listing, or what its agent calls it. */
export type ListingName = string | { agentId: string; externalId: string }

/** Every column records use. `search` is left out: it is large and only the database reads it. */
export interface ListingRow extends ListingFields {
  id: string
  agent_id: string
  slug: string
  status: ListingStatus
  public_lat: number | null
  public_lng: number | null
  created_at: Date
  updated_at: Date
  published_at: Date | null
  /** 16 hex digits, of the row only; `versionUnder` derives the record's version. */
  version: string
  agent_name: string
  agent_slug: string
  agent_phone: string | null
  agency_name: string | null
  agency_slug: string | null
  agency_logo_url: string | null
  images: { id: string; url: string; thumb: string; alt: string | null }[]
}

const VERSION = sql`lpad(to_hex(l.version), 16, '0') as version`

const ROW = sql`
  l.id, l.agent_id, l.slug, l.status, ${sql.join(LISTING_FIELDS.map(name => sql.ref(`l.${name}`)))},
  l.public_lat, l.public_lng, l.created_at, l.updated_at, l.published_at,
  ${VERSION},
  a.name as agent_name, a.slug as agent_slug, a.phone as agent_phone,
  g.name as agency_name, g.slug as agency_slug, g.logo_url as agency_logo_url,
  coalesce((select json_agg(image) from (select i.id, i.url, i.thumb, i.alt from listing_images i
              where i.listing_id = l.id order by i.position) image), '[]') as images`

const FROM = sql`
  from listings l
  join agents a on a.id = l.agent_id
  left join agencies g on g.id = a.agency_id and g.active`

/** Visible to a caller: everything public plus their own. Licensed imports have no owner. */
export const visibleTo = (viewer: string | null): RawBuilder<boolean> =>
  viewer === null ? sql`is_public(l, a)` : sql`(is_public(l, a) or l.agent_id = ${viewer} and not l.imported)`

// Skip impossible slugs: PostgreSQL raises an error on NUL instead of finding nothing.
const SLUG = /^[a-z0-9-]+$/
const kindOf = (name: ListingName) => {
  if (typeof name !== 'string') return 'external_id'
  return isUuid(name) ? 'id' : SLUG.test(name) ? 'slug' : 'none'
}
const named = (name: ListingName) => {
  if (typeof name !== 'string')
    return sql`l.agent_id = ${name.agentId} and l.external_id = ${name.externalId}`
  const kind = kindOf(name)
  if (kind === 'id') return sql`l.id = ${name.toLowerCase()}`
  return kind === 'slug' ? sql`l.slug = ${name}` : sql`false`
}

export async function findListing(db: Sql, id: string): Promise<ListingRow> {
  const { rows } = await sql<ListingRow>`${prepared('listing_by_id')}
    select ${ROW} ${FROM} where l.id = ${id}`.execute(db)
  return rows[0] as ListingRow
}

export async function findVisible(db: Sql, name: ListingName, viewer: string | null) {
  const statement = `listing_by_${kindOf(name)}_${viewer === null ? 'public' : 'viewer'}`
  const { rows } = await sql<ListingRow>`${prepared(statement)}
    select ${ROW} ${FROM} where ${named(name)} and ${visibleTo(viewer)}`.execute(db)
  return rows[0]
}

/** What a verified agent sees of the market: also what is not for other agents' sites, and one's own. */
export async function findOnMarket(db: Sql, idOrSlug: string, viewer: string) {
  const { rows } = await sql<ListingRow>`
    select ${ROW} ${FROM} where ${named(idOrSlug)}
      and (is_on_market(l, a) or l.agent_id = ${viewer} and not l.imported)`.execute(db)
  return rows[0]
}

/** Unordered. `xid` is the transaction of the last change visible in search or a record. */
export async function listByIds(db: Sql, ids: string[]): Promise<(ListingRow & { xid: number })[]> {
  const { rows } = await sql<ListingRow & { xid: number }>`
    ${prepared('listings_by_id')}
    select ${ROW}, l.change_xid::text::bigint as xid ${FROM} where l.id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** Those of them that are public, in their order. */
export async function listPublic(db: Sql, ids: readonly string[]): Promise<ListingRow[]> {
  const { rows } = await sql<ListingRow>`
    select ${ROW} ${FROM} join unnest(${[...ids]}::uuid[]) with ordinality as asked (id, place) on asked.id = l.id
    where is_public(l, a) order by asked.place`.execute(db)
  return rows
}

/** The agent's own among them, in their order. */
export async function listOwnByIds(db: Sql, agentId: string, ids: readonly string[]): Promise<ListingRow[]> {
  const { rows } = await sql<ListingRow>`
    select ${ROW} ${FROM} join unnest(${ids.filter(isUuid)}::uuid[]) with ordinality as asked (id, place) on asked.id = l.id
    where l.agent_id = ${agentId} and not l.imported order by asked.place`.execute(db)
  return rows
}

/** The public ones among these slugs, in any order. */
export async function listPublicBySlug(db: Sql, slugs: readonly string[]): Promise<ListingRow[]> {
  const { rows } = await sql<ListingRow>`
    select ${ROW} ${FROM} where l.slug = any(${[...slugs]}::text[]) and is_public(l, a)`.execute(db)
  return rows
}

interface OwnPage {
  status: ListingStatus | undefined
  after: ListPlace | undefined
  limit: number
}

/** Latest change first; `total` counts all of them. */
export async function listOwn(db: Sql, agentId: string, { status, after, limit }: OwnPage) {
  const own = sql`l.agent_id = ${agentId} and not l.imported
    ${status === undefined ? sql`` : sql`and l.status = ${status}`}`
  const later = after
    ? sql`and (l.updated_at < ${after.at} or l.updated_at = ${after.at} and l.id > ${after.id})`
    : sql``
  const { rows } = await sql<ListingRow>`
    select ${ROW} ${FROM} where ${own} ${later} order by l.updated_at desc, l.id limit ${limit}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*) as total from listings l where ${own}`.execute(db)
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** The published ones among them, as named in a reminder. */
export function listPublished(db: Sql, ids: readonly string[]) {
  return db
    .selectFrom('listings')
    .select(['title', 'slug', 'confirmed_at', 'published_at', 'created_at'])
    .where('id', 'in', [...ids])
    .where('status', '=', 'published')
    .orderBy('title')
    .execute()
}

/** Locked until the transaction ends, so a decision still holds when written. */
export async function lockListing(tx: Tx, name: ListingName) {
  const statement = prepared(`locked_listing_by_${kindOf(name)}`)
  const { rows } = await sql<ListingRow & { imported: boolean }>`${statement}
    select ${ROW}, l.imported ${FROM} where ${named(name)} for update of l`.execute(tx)
  return rows[0]
}

/** An agent's listings of those names, by name. */
export async function listNamed(db: Sql, agentId: string, externalIds: readonly string[]) {
  const { rows } = await sql<ListingRow & { imported: boolean }>`
    select ${ROW}, l.imported ${FROM}
    where l.agent_id = ${agentId} and l.external_id = any(${[...externalIds]})`.execute(db)
  return new Map(rows.map(row => [row.external_id as string, row]))
}

export function findByExternalId(db: Sql, agentId: string, externalId: string) {
  return db
    .selectFrom('listings')
    .select(['id', 'slug', 'status', 'imported'])
    .where('agent_id', '=', agentId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
}

export async function findAgentNames(db: Sql, agentId: string) {
  const { rows } = await sql<{ name: string; agency: string | null }>`${prepared('agent_names')}
    select a.name, g.name as agency from agents a left join agencies g on g.id = a.agency_id and g.active
    where a.id = ${agentId}`.execute(db)
  if (!rows[0]) throw new Error(`there is no agent ${agentId}`)
  return rows[0]
}

type Columns = Omit<Insertable<Database['listings']>, 'search'> & { search: SearchText }

/** Relevance weights: title, place, features, description. */
export function searchVector({ title, place, features, body }: SearchText): RawBuilder<string> {
  const part = (words: string, weight: string) =>
    sql`setweight(stems(${words}, ${withoutAccents(words)}), ${sql.lit(weight)})`
  return sql<string>`${part(title, 'A')} || ${part(place, 'B')} || ${part(features, 'C')} || ${part(body, 'D')}`
}

const withoutAccents = (words: string) => words.normalize('NFD').replace(/\p{M}/gu, '')

export function insertListing(tx: Tx, listing: Columns) {
  return tx
    .insertInto('listings')
    .values({ ...listing, search: searchVector(listing.search) })
    .execute()
}

const DERIVED = ['title_fold', 'city_fold', 'neighborhood_fold', 'public_lat', 'public_lng'] as const
type Written = ListingFields & Pick<Columns, (typeof DERIVED)[number] | 'search'>

/** Writes all of them, changed or not: the same statement for every edit, since planning it takes as long as the update. */
export async function updateListing(tx: Tx, id: string, { search, ...columns }: Written): Promise<void> {
  const names = [...LISTING_FIELDS, ...DERIVED]
  await sql`${prepared('updated_listing')}
    update listings set ${sql.join(names.map(name => sql`${sql.ref(name)} = ${columns[name]}`))},
      search = ${searchVector(search)}, updated_at = next_stamp(updated_at)
    where id = ${id}`.execute(tx)
}

/** Its images have changed. */
export async function stampListing(tx: Tx, id: string): Promise<void> {
  await sql`update listings set updated_at = next_stamp(updated_at) where id = ${id}`.execute(tx)
}

export async function deleteListing(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('listing_images').where('listing_id', '=', id).execute()
  await tx.deleteFrom('listings').where('id', '=', id).execute()
}

/** Not visible in records, so the timestamp stays. */
export function updateSearch(tx: Tx, id: string, search: SearchText) {
  return tx
    .updateTable('listings')
    .set({ search: searchVector(search) })
    .where('id', '=', id)
    .execute()
}

export async function listIdsOf(db: Sql, agentId: string): Promise<string[]> {
  const rows = await db.selectFrom('listings').select('id').where('agent_id', '=', agentId).execute()
  return rows.map(({ id }) => id)
}

type StatusChange = Pick<
  ListingRow,
  'id' | 'agent_id' | 'slug' | 'title' | 'status' | 'updated_at' | 'version'
>

/** One timestamp for the row and its event. */
export async function updateStatus(tx: Tx, id: string, status: ListingStatus): Promise<StatusChange> {
  const published = status === 'published'
  const { rows } = await sql<StatusChange>`
    with stamp as (select next_stamp(updated_at) as now from listings where id = ${id})
    update listings l set
      published_at = case when ${published} and l.status <> 'published' then stamp.now else l.published_at end,
      confirmed_at = case when ${published} then stamp.now else l.confirmed_at end,
      status = ${status},
      updated_at = stamp.now
    from stamp
    where l.id = ${id}
    returning l.id, l.agent_id, l.slug, l.title, l.status, l.updated_at, ${VERSION}`.execute(tx)
  return rows[0] as StatusChange
}

/** Setting the current value changes neither the listing nor its timestamp. */
export function updateFlags(tx: Tx, id: string, flags: { featured?: boolean; imported?: boolean }) {
  const names = Object.keys(flags) as (keyof typeof flags)[]
  return tx
    .updateTable('listings')
    .set({ ...flags, updated_at: sql<Date>`next_stamp(updated_at)` })
    .where('id', '=', id)
    .where(eb => eb.or(names.map(name => eb(name, 'is distinct from', flags[name] ?? null))))
    .execute()
}

// ---- reconfirmation --------------------------------------------------------------------------------------

const ownUnconfirmedFor = (days: number) => sql`not imported and ${unconfirmedFor(days)}`

export async function lockUnconfirmed(tx: Tx, days: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from listings where ${ownUnconfirmedFor(days)}
    order by ${lastConfirmed} limit ${limit} for update skip locked`.execute(tx)
  return rows.map(row => row.id)
}

/** Not reminded since their last confirmation. */
const unreminded = sql`(reminded_at is null or reminded_at < ${lastConfirmed})`

export async function listAgentsToRemind(db: Sql, days: number): Promise<string[]> {
  const { rows } = await sql<{ agent_id: string }>`
    select distinct agent_id from listings where ${ownUnconfirmedFor(days)} and ${unreminded}`.execute(db)
  return rows.map(row => row.agent_id)
}

export async function markReminded(tx: Tx, agentId: string, days: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update listings set reminded_at = now_ms()
    where agent_id = ${agentId} and ${ownUnconfirmedFor(days)} and ${unreminded}
    returning id`.execute(tx)
  return rows.map(row => row.id)
}
