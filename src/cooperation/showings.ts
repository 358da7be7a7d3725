import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import type { Whereabouts } from '../lib/zones.ts'
import { may, type Role, type Standing } from './rules.ts'

/** A showing of a cooperation as one of the two has it in the calendar. */
export interface CooperationShowing {
  id: string
  /** The client's name once it may be seen, initials before. */
  name: string
  phone: string | null
  showing_at: Date
  status: 'confirmed' | 'done' | 'cancelled'
  listing_title: string
  place: string
  whereabouts: Whereabouts
  created_at: Date
  updated_at: Date
  erased_at: Date | null
}

interface Row extends Standing, Omit<CooperationShowing, 'status'> {
  role: Role
  is_shared: boolean
  lead_name: string | null
  lead_phone: string | null
  address: string | null
}

const STATUSES = { showing: 'confirmed', offer: 'done', closed: 'done', lost: 'cancelled' } as const

/** A showing that is also the lead's own is in the calendar of the buyer's agent already. */
export async function listShowings(
  db: Sql,
  agentId: string,
  { from, to }: { from: Date; to?: Date },
  limit: number,
): Promise<CooperationShowing[]> {
  const { rows } = await sql<Row>`
    select c.id, c.state, c.awaited, c.proposed_by, c.client as name, c.showing_at, c.created_at, c.updated_at,
      case when c.owner_id = ${agentId} then 'owner' else 'buyer' end as role, c.client_shared_at is not null as is_shared,
      d.name as lead_name, d.phone as lead_phone, d.erased_at,
      l.title as listing_title, l.address, concat_ws(', ', l.neighborhood, l.city) as place,
      json_build_object('state', l.state, 'city', l.city, 'municipality', l.municipality) as whereabouts
    from cooperations c join listings l on l.id = c.listing_id left join leads d on d.id = c.lead_id
    where ${agentId} in (c.buyer_agent_id, c.owner_id) and c.state = any(${Object.keys(STATUSES)})
      and c.showing_at >= ${from} ${to ? sql`and c.showing_at < ${to}` : sql``}
      and (c.owner_id = ${agentId} or d.listing_id is distinct from c.listing_id)
    order by c.showing_at, c.id limit ${limit}`.execute(db)
  return rows.map(showingOf)
}

function showingOf(row: Row): CooperationShowing {
  const { role, lead_name, lead_phone, address } = row
  const seesPerson = !row.erased_at && (role === 'buyer' || (row.is_shared && may('agreement', row, role)))
  const seesAddress = role === 'owner' || may('address', row, role)
  return {
    id: row.id,
    name: (seesPerson && lead_name) || row.name,
    phone: seesPerson ? lead_phone : null,
    showing_at: row.showing_at,
    status: STATUSES[row.state as keyof typeof STATUSES],
    listing_title: row.listing_title,
    place: [seesAddress ? address : null, row.place].filter(Boolean).join(', '),
    whereabouts: row.whereabouts,
    created_at: row.created_at,
    updated_at: row.updated_at,
    erased_at: row.erased_at,
  }
}
