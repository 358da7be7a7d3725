import { sql } from 'kysely'
import type { Sql } from '../../db/database.ts'
import { ZONE } from '../../lib/time.ts'
import { toReconfirm } from '../../listings/confirmation.ts'

interface Attention {
  newLeads: number
  toReconfirm: number
  failingWebhooks: number
  incompleteDrafts: number
}

export async function findAttention(db: Sql, agentId: string, reconfirmDays: number): Promise<Attention> {
  const { rows } = await sql<Attention>`select
    (select count(*) from leads where agent_id = ${agentId} and status = 'new') as "newLeads",
    (select count(*) from listings where agent_id = ${agentId} and not imported
       and ${toReconfirm(reconfirmDays)}) as "toReconfirm",
    (select count(*) from webhooks where agent_id = ${agentId} and active and failures > 0) as "failingWebhooks",
    (select count(*) from listings l where l.agent_id = ${agentId} and l.status = 'draft' and not l.imported
       and (l.description is null or l.lat is null or (l.sale_price is null and l.rent_price is null)
         or not exists (select from listing_images i where i.listing_id = l.id))) as "incompleteDrafts"
  `.execute(db)
  return rows[0] as Attention
}

const zone = sql.lit(ZONE)

/** Weeks begin on Monday; one without leads is there too, with none. */
export async function leadsPerWeek(db: Sql, agentId: string, now: Date, weeks: number) {
  const { rows } = await sql<{ week: Date; leads: number }>`
    with weeks as (
      select date_trunc('week', ${now}::timestamptz at time zone ${zone}) - n * interval '1 week' as week
      from generate_series(0, ${weeks - 1}::int) n
    )
    select w.week at time zone 'UTC' as week, count(l.id) as leads
    from weeks w
    left join leads l on l.agent_id = ${agentId}
      and l.created_at at time zone ${zone} >= w.week
      and l.created_at at time zone ${zone} < w.week + interval '1 week'
    group by w.week order by w.week`.execute(db)
  return rows
}

export function listingsByStatus(db: Sql, agentId: string) {
  return db
    .selectFrom('listings')
    .select(['status', eb => eb.fn.countAll<number>().as('count')])
    .where('agent_id', '=', agentId)
    .where('imported', '=', false)
    .groupBy('status')
    .orderBy('count', 'desc')
    .execute()
}

// ---- the operator's -------------------------------------------------------------------------------------

interface DeskCounts {
  licences: number
  agents: number
  verified: number
  agencies: number
  published: number
  keys: number
  failing: number
}

export async function findDeskCounts(db: Sql): Promise<DeskCounts> {
  const { rows } = await sql<DeskCounts>`select
    (select count(*) from licence_requests where status = 'pending') as licences,
    (select count(*) from agents) as agents,
    (select count(*) from agents where verified_at is not null) as verified,
    (select count(*) from agencies where active) as agencies,
    (select count(*) from listings where status = 'published') as published,
    (select count(*) from api_keys where revoked_at is null) as keys,
    (select count(*) from webhooks where active and failures > 0) as failing`.execute(db)
  return rows[0] as DeskCounts
}

export interface Health {
  version: string
  size: string
  jobs: number
  failedJobs: number
  waiting: number
  /** Seconds. */
  oldestWaiting: number | null
  sessions: number
}

export async function findHealth(db: Sql): Promise<Health> {
  const { rows } = await sql<Health>`select
    current_setting('server_version') as version,
    pg_size_pretty(pg_database_size(current_database())) as size,
    (select count(*) from graphile_worker.jobs) as jobs,
    (select count(*) from graphile_worker.jobs where last_error is not null) as "failedJobs",
    (select count(*) from webhook_deliveries where attempted_at is null) as waiting,
    (select extract(epoch from now() - min(created_at))::int from webhook_deliveries where attempted_at is null)
      as "oldestWaiting",
    (select count(*) from sessions) as sessions`.execute(db)
  return rows[0] as Health
}
