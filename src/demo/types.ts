import type { Currency } from '../lib/money.ts'
import type { ListingFields } from '../listings/fields.ts'
import type { ListingStatus, PropertyType, RentPeriod } from '../lookups/catalog.ts'

export type { Currency, ListingStatus, PropertyType, RentPeriod }

/** The demo market as data. Field names match the API; people and listings refer to each other by index. */

export type Lang = 'es' | 'en'

export type DemoAgency = { name: string; logo_url: string | null; active: boolean }

export type DemoAgent = {
  name: string
  email: string
  phone: string | null
  agency: number | null
  license_number: string | null
  license_state: string | null
  verified: boolean
  is_test: boolean
  in_directory: boolean
  lang: Lang
  created_days_ago: number
}

export type DemoListing = ListingFields & {
  agent: number
  status: ListingStatus
  description: string
  neighborhood: string
  featured: boolean
  imported: boolean
  images: string[]
  created_minutes_ago: number
  updated_minutes_ago: number
  published_minutes_ago: number | null
}

export type LeadStatus = 'new' | 'contacted' | 'qualified' | 'showing' | 'negotiation' | 'won' | 'lost'
type TourStatus = 'requested' | 'confirmed' | 'done' | 'cancelled' | 'no_show'

/** Negative `*_minutes_ago` are in the future. */
export type DemoLead = {
  agent: number
  listing: number | null
  name: string
  email: string | null
  phone: string | null
  message: string | null
  source: string
  status: LeadStatus
  kind: 'info' | 'tour'
  lang: Lang
  interest: 'sale' | 'rental' | null
  budget_min: number | null
  budget_max: number | null
  follow_up_minutes_ago: number | null
  tour_minutes_ago: number | null
  tour_status: TourStatus | null
  showing_minutes_ago: number | null
  id_status: 'verified' | 'pending' | null
  awaiting_id: boolean
  created_minutes_ago: number
  updated_minutes_ago: number
}

export type Market = {
  /** The base of every `*_ago`. */
  now: Date
  agencies: DemoAgency[]
  agents: DemoAgent[]
  listings: DemoListing[]
  leads: DemoLead[]
}
