import { sql } from 'kysely'
import { long, type Sql, type Tx } from '../db/database.ts'
import { groupBy } from '../lib/groups.ts'
import type { Facts, Finding, Kind, Other } from './rules.ts'

/** How far the changes were examined. Locked: of several workers one examines. */
export async function lockPosition(tx: Tx) {
  const { rows } = await sql<{ change_xid: string; listing_id: string; levels_at: Date | null }>`
    select change_xid::text, listing_id, levels_at from doctor_position for update`.execute(tx)
  return rows[0] as (typeof rows)[number]
}

/** The next listings in the order of their changes: only changes that no open transaction can still precede. */
export async function listChanged(tx: Tx, after: { change_xid: string; listing_id: string }, limit: number) {
  const { rows } = await sql<{ id: string; change_xid: string }>`
    select id, change_xid::text from listings
    where (change_xid, id) > (${after.change_xid}::xid8, ${after.listing_id}::uuid)
      and change_xid < pg_snapshot_xmin(pg_current_snapshot())
    order by change_xid, id limit ${limit}`.execute(tx)
  return rows
}

export async function writePosition(tx: Tx, at: { change_xid: string; id: string }): Promise<void> {
  await sql`update doctor_position set change_xid = ${at.change_xid}::xid8, listing_id = ${at.id}`.execute(tx)
}

// ---- what is usual ---------------------------------------------------------------------------------------

const LEAST_IN_NEIGHBORHOOD = 5
const LEAST_IN_CITY = 8
const LEAST_FOR_CENTER = 10

/** The area a price is compared by, as in `areaOf`. */
const AREA = sql`case when l.property_type in ('land', 'ranch') then l.lot_m2 else l.construction_m2 end`

/** The offers of a listing; rents that are not monthly are too few to compare. */
const OFFERS = sql`(values ('sale', l.sale_price, l.sale_currency),
  ('rental', case when l.rent_period = 'monthly' then l.rent_price end, l.rent_currency)) as offer (operation, amount, currency)`

/** Of the whole market, and everything is examined again. Two sorts of the market: minutes with a million listings. */
export async function refreshLevels(tx: Tx): Promise<void> {
  await sql`set local statement_timeout = '4min'`.execute(tx)
  await sql`delete from price_levels`.execute(tx)
  await sql`${long}
    insert into price_levels
    select l.state, l.city_fold, coalesce(l.neighborhood_fold, ''), l.property_type, offer.operation, offer.currency,
      percentile_cont(0.5) within group (order by offer.amount / ${AREA})
    from listings l cross join lateral ${OFFERS}
    where l.status = 'published' and offer.amount is not null and ${AREA} > 0 and l.neighborhood_fold is not null
    group by 1, 2, 3, 4, 5, 6 having count(*) >= ${LEAST_IN_NEIGHBORHOOD}
    union all
    select l.state, l.city_fold, '', l.property_type, offer.operation, offer.currency,
      percentile_cont(0.5) within group (order by offer.amount / ${AREA})
    from listings l cross join lateral ${OFFERS}
    where l.status = 'published' and offer.amount is not null and ${AREA} > 0
    group by 1, 2, 3, 4, 5, 6 having count(*) >= ${LEAST_IN_CITY}`.execute(tx)
  await sql`delete from city_centers`.execute(tx)
  await sql`${long}
    insert into city_centers
    select l.state, l.city_fold, percentile_cont(0.5) within group (order by l.lat),
      percentile_cont(0.5) within group (order by l.lng)
    from listings l where l.status = 'published' and l.lat is not null
    group by 1, 2 having count(*) >= ${LEAST_FOR_CENTER}`.execute(tx)
  await sql`
    update doctor_position set levels_at = now_ms(), change_xid = default, listing_id = default`.execute(tx)
}

// ---- facts -----------------------------------------------------------------------------------------------

/** Candidates of one listing: a street of equal houses, or a photo that everybody uses, must cost no more. */
const MOST_OTHERS = 20

const HOME = (l: string) => {
  const of = (name: string) => sql.ref(`${l}.${name}`)
  const names = ['id', 'property_type', 'bedrooms', 'construction_m2', 'lot_m2', 'lat', 'lng', 'address']
  return sql`${sql.join([...names, 'sale_price', 'rent_price'].map(of))},
    (select count(*) from listing_images p where p.listing_id = ${of('id')}) as photos`
}

/** Drafts and published listings; what is off the market is nobody's business any more. */
export async function findFacts(tx: Sql, ids: readonly string[]): Promise<Facts[]> {
  const { rows } = await sql<Omit<Facts, 'others'>>`
    select ${HOME('l')}, l.title, l.description, l.title_en, l.description_en, l.state,
      (select json_build_object('lat', c.lat, 'lng', c.lng) from city_centers c
        where c.state = l.state and c.city_fold = l.city_fold) as center,
      (select coalesce(json_agg(json_build_object('operation', offer.operation, 'amount', offer.amount,
          'currency', offer.currency, 'level', (
            select p.median from price_levels p
            where p.state = l.state and p.city_fold = l.city_fold and p.neighborhood_fold in (coalesce(l.neighborhood_fold, ''), '')
              and p.property_type = l.property_type and p.operation = offer.operation and p.currency = offer.currency
            order by p.neighborhood_fold desc limit 1))), '[]')
        from ${OFFERS} where offer.amount is not null) as offers
    from listings l where l.id = any(${[...ids]}::uuid[]) and l.status in ('draft', 'published') and not l.imported`.execute(
    tx,
  )
  const others = await findOthers(
    tx,
    rows.map(row => row.id),
  )
  return rows.map(row => ({ ...row, others: others.get(row.id) ?? [] }))
}

/** Published listings in the same or a neighboring cell, and those with photos of the same address. */
async function findOthers(tx: Sql, ids: string[]): Promise<Map<string, Other[]>> {
  const { rows } = await sql<Other & { of_id: string }>`
    with near as (
      select l.id as of_id, o.id from listings l cross join lateral (
        select o.id from listings o
        where o.status = 'published' and o.lat is not null and o.id <> l.id and o.property_type = l.property_type
          and floor(o.lat * 500) in (floor(l.lat * 500) - 1, floor(l.lat * 500), floor(l.lat * 500) + 1)
          and floor(o.lng * 500) in (floor(l.lng * 500) - 1, floor(l.lng * 500), floor(l.lng * 500) + 1)
          and o.bedrooms is not distinct from l.bedrooms
          and coalesce(o.construction_m2 between l.construction_m2 * 0.98 and l.construction_m2 * 1.02,
            o.construction_m2 is null and l.construction_m2 is null)
        limit ${MOST_OTHERS}) o
      where l.id = any(${ids}::uuid[]) and l.lat is not null
    ), same as (
      select i.listing_id as of_id, o.listing_id as id, count(*) as common
      from listing_images i cross join lateral (
        select o.listing_id from listing_images o where o.url = i.url and o.listing_id <> i.listing_id
        limit ${MOST_OTHERS}) o
      where i.listing_id = any(${ids}::uuid[])
      group by 1, 2
    )
    select coalesce(near.of_id, same.of_id) as of_id, ${HOME('o')}, coalesce(same.common, 0) as common_photos
    from near full join same on same.of_id = near.of_id and same.id = near.id
    join listings o on o.id = coalesce(near.id, same.id) and o.status = 'published' and not o.imported`.execute(
    tx,
  )
  return groupBy(rows, row => row.of_id)
}

// ---- findings --------------------------------------------------------------------------------------------

/** Of these listings: new ones are added, and those that are gone removed. What was dismissed stays so while it is the same. */
export async function writeFindings(
  tx: Tx,
  ids: readonly string[],
  found: readonly Finding[],
): Promise<void> {
  const sent = sql`jsonb_to_recordset(${JSON.stringify(found)}::jsonb)
    as found (listing_id uuid, kind text, other_id uuid, detail jsonb)`
  await sql`
    delete from findings f where (f.listing_id = any(${[...ids]}::uuid[]) or f.other_id = any(${[...ids]}::uuid[]))
      and not exists (select from ${sent} where found.listing_id = f.listing_id and found.kind = f.kind
        and found.other_id is not distinct from f.other_id)`.execute(tx)
  await sql`
    insert into findings as f (listing_id, kind, other_id, detail)
    select found.listing_id, found.kind, found.other_id, found.detail from ${sent}
    on conflict (listing_id, kind, other_id) do update set detail = excluded.detail,
      found_at = case when f.detail = excluded.detail then f.found_at else now_ms() end,
      dismissed_at = case when f.detail = excluded.detail then f.dismissed_at end
    where f.detail <> excluded.detail`.execute(tx)
}

export interface Shown {
  listing_id: string
  title: string
  kind: Kind
  detail: Finding['detail']
  other_id: string | null
  other_title: string | null
  other_slug: string | null
  /** Whose the other one is; null for the agent's own. */
  other_agent: string | null
  found_at: Date
}

/** Of the agent, or of one of the agent's listings, that were not dismissed. */
export async function listFindings(
  db: Sql,
  agentId: string,
  { listingId = null, limit }: { listingId?: string | null; limit: number },
): Promise<Shown[]> {
  const { rows } = await sql<Shown>`
    select f.listing_id, l.title, f.kind, f.detail, f.other_id, f.found_at, o.title as other_title, o.slug as other_slug,
      case when o.agent_id <> l.agent_id then b.name end as other_agent
    from findings f join listings l on l.id = f.listing_id
    left join listings o on o.id = f.other_id left join agents b on b.id = o.agent_id
    where l.agent_id = ${agentId} and f.dismissed_at is null and l.status in ('draft', 'published')
      and (${listingId}::uuid is null or l.id = ${listingId})
      -- A listing that is not for other agents' sites is named to nobody.
      and (o.id is null or o.agent_id = l.agent_id or is_public(o, b))
    order by f.found_at desc, f.listing_id, f.kind limit ${limit}`.execute(db)
  return rows
}

export async function countFindings(db: Sql, agentId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct f.listing_id) as count from findings f join listings l on l.id = f.listing_id
    where l.agent_id = ${agentId} and f.dismissed_at is null and l.status in ('draft', 'published')`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Undefined if there is no such finding of that agent. */
export async function dismissFinding(
  tx: Tx,
  agentId: string,
  { listingId, kind, otherId }: { listingId: string; kind: Kind; otherId: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    update findings f set dismissed_at = now_ms() from listings l
    where l.id = f.listing_id and l.agent_id = ${agentId} and f.listing_id = ${listingId} and f.kind = ${kind}
      and f.other_id is not distinct from ${otherId}::uuid
    returning 1`.execute(tx)
  return rows.length > 0
}

export interface Duplicate {
  kind: Kind
  found_at: Date
  title: string
  slug: string
  agent: string
  other_title: string
  other_slug: string
  other_agent: string
}

/** Pairs of two agents' published listings, each once, newest first; also what one of the two dismissed. */
export async function listDuplicates(db: Sql, limit: number): Promise<Duplicate[]> {
  const { rows } = await sql<Duplicate>`
    select f.kind, f.found_at, l.title, l.slug, a.email as agent, o.title as other_title, o.slug as other_slug,
      b.email as other_agent
    from findings f join listings l on l.id = f.listing_id join agents a on a.id = l.agent_id
    join listings o on o.id = f.other_id join agents b on b.id = o.agent_id
    where f.other_id is not null and f.listing_id < f.other_id and l.agent_id <> o.agent_id
      and l.status = 'published' and o.status = 'published'
    order by f.found_at desc, f.listing_id, f.kind limit ${limit}`.execute(db)
  return rows
}
