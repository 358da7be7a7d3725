import { listContacts } from '../agents/service.ts'
import type { Sql } from '../db/database.ts'
import { findLead, type LeadRow } from '../leads/service.ts'
import { commissionAmount, commissionText } from '../lib/commission.ts'
import { formatAmount } from '../lib/money.ts'
import { Problem } from '../lib/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import { zoneOf } from '../lib/zones.ts'
import { type ListingRow, listByIds } from '../listings/service.ts'
import { may, type Role, type Standing } from './rules.ts'
import { type CooperationInList, type Entry, findCooperation, listEntries } from './store.ts'
import { threadHash } from './thread/hash.ts'

export interface Person {
  name: string
  email: string | null
  phone: string | null
}

/** What one of the two sees of a cooperation. An allow-list: what is not here stays with the other. */
export interface CooperationView extends Standing {
  id: string
  role: Role
  listing: { id: string; slug: string; title: string; place: string; price: string }
  /** For the buyer's agent once it is accepted, and for the listing's own. */
  address: string | null
  split: string
  /** What the split makes at the asking price, where it is a percentage. */
  amount: string | undefined
  client: string
  wish: string | null
  /** For the buyer's agent, whose lead it is. */
  leadId: string | null
  /** Name and contact: for the buyer's agent, and for the other once shared. */
  person: Person | undefined
  isShared: boolean
  /** At the client's request. */
  isErased: boolean
  /** The need it was offered to, for the need's agent. */
  needId: string | null
  buyer: 'none' | 'pending' | 'verified'
  showingAt: Date | null
  /** Of the listing, for the times of showings. */
  zone: string
  isDisputed: boolean
  others: Record<Role, Person>
  createdAt: Date
  updatedAt: Date
  entries: Entry[]
  hash: string
}

/** Not found for everyone but the two. */
export async function viewCooperation(db: Sql, id: string, agentId: string): Promise<CooperationView> {
  const row = isUuid(id) ? await findCooperation(db, id) : undefined
  const role =
    row && (row.buyer_agent_id === agentId ? 'buyer' : row.owner_id === agentId ? 'owner' : undefined)
  if (!row || !role) throw new Problem('not_found')
  const [entries, [listing], contacts, lead] = await Promise.all([
    listEntries(db, id),
    listByIds(db, [row.listing_id]),
    listContacts(db, [row.buyer_agent_id, row.owner_id]),
    row.lead_id ? findLead(db, row.lead_id) : undefined,
  ])
  const agents = new Map(contacts.map(({ id: key, ...contact }) => [key, contact]))
  const others = {
    buyer: agents.get(row.buyer_agent_id) as Person,
    owner: agents.get(row.owner_id) as Person,
  }
  return viewOf(row, role, { entries, listing: listing as ListingRow, lead, others })
}

interface Around {
  entries: Entry[]
  listing: ListingRow
  lead: LeadRow | undefined
  others: Record<Role, Person>
}

function viewOf(
  row: CooperationInList,
  role: Role,
  { entries, listing, lead, others }: Around,
): CooperationView {
  const isShared = row.client_shared_at !== null
  const seesPerson =
    lead && !lead.erased_at && (role === 'buyer' || (isShared && may('agreement', row, role)))
  const price = priceOf(listing)
  return {
    id: row.id,
    role,
    state: row.state,
    awaited: row.awaited,
    proposed_by: row.proposed_by,
    needId: role === 'buyer' ? row.need_id : null,
    listing: {
      id: listing.id,
      slug: listing.slug,
      title: listing.title,
      place: [listing.neighborhood, listing.city, listing.state].filter(Boolean).join(', '),
      price: price ? formatAmount(price.amount, price.currency) : '',
    },
    address: role === 'owner' || may('address', row, role) ? addressOf(listing) : null,
    split: commissionText(row.split),
    amount: price && commissionAmount(row.split, price),
    client: row.client,
    wish: row.wish,
    leadId: role === 'buyer' ? row.lead_id : null,
    person: seesPerson ? { name: lead.name, email: lead.email, phone: lead.phone } : undefined,
    isShared,
    isErased: lead?.erased_at != null,
    buyer: lead?.id_status === 'verified' ? 'verified' : lead?.id_status ? 'pending' : 'none',
    showingAt: row.showing_at,
    zone: zoneOf(listing),
    isDisputed: row.disputed_at !== null,
    others,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    entries,
    hash: threadHash(entries),
  }
}

function priceOf({ sale_price, sale_currency, rent_price, rent_currency }: ListingRow) {
  if (sale_price !== null && sale_currency) return { amount: sale_price, currency: sale_currency }
  if (rent_price !== null && rent_currency) return { amount: rent_price, currency: rent_currency }
  return undefined
}

const addressOf = ({ address, postal_code }: ListingRow): string | null =>
  address && [address, postal_code].filter(Boolean).join(', ')
