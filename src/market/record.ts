import type { Static } from 'typebox'
import { commissionAmount, commissionText } from '../lib/commission.ts'
import { normalizePhone } from '../lib/phone.ts'
import { DAY_MS } from '../lib/time.ts'
import type { PriceChange } from '../listings/history.ts'
import { listingRecord } from '../listings/record.ts'
import type { ListingRecord } from '../listings/schema.ts'
import type { ListingRow } from '../listings/service.ts'

export interface Contact {
  name: string
  phone: string | null
  /** Digits for wa.me. */
  whatsapp: string | null
  email: string
}

/** What a verified agent is shown of a listing: the public record, and what is agreed among colleagues. */
export interface MarketListing {
  record: Static<typeof ListingRecord>
  agentId: string
  isOwn: boolean
  isPublished: boolean
  /** Not for other agents' sites: in no collection and on no sheet. */
  isOptedOut: boolean
  commission: string | null
  /** What it makes at each asking price, where it is a percentage of the price. */
  amounts: string[]
  /** On the market; null if it is not. */
  days: number | null
  priceChanges: PriceChange[]
  contact: Contact
  /** One of the viewer's needs that it matches. */
  needId?: string | undefined
}

export interface Around {
  viewer: string
  publicUrl: string
  now: Date
  contact: { name: string; phone: string | null; email: string }
  priceChanges: PriceChange[]
}

/** An allow-list, as listings/record.ts: the only other place that a commission leaves a row. */
export function marketListing(row: ListingRow, around: Around): MarketListing {
  const { viewer, publicUrl, now, contact, priceChanges } = around
  const record = listingRecord(row, viewer, publicUrl)
  const { shared_commission: commission, published_at: publishedAt } = row
  const isPublished = row.status === 'published'
  return {
    record,
    agentId: row.agent_id,
    isOwn: row.agent_id === viewer,
    isPublished,
    isOptedOut: row.idx_opt_out,
    commission: commission === null ? null : commissionText(commission),
    amounts: record.operations.flatMap(operation => commissionAmount(commission, operation) ?? []),
    days: isPublished && publishedAt ? Math.floor((now.getTime() - publishedAt.getTime()) / DAY_MS) : null,
    priceChanges,
    contact: {
      name: contact.name,
      phone: contact.phone,
      whatsapp: contact.phone ? (normalizePhone(contact.phone)?.replace(/\D/g, '') ?? null) : null,
      email: contact.email,
    },
  }
}
