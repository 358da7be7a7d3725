import { generateAgencies } from './agencies.ts'
import { generateAgents } from './agents.ts'
import { generateLeads } from './leads.ts'
import { generateListings } from './listings.ts'
import type { Market } from './types.ts'

export { DEMO_AGENT, DEMO_EMAIL } from './agents.ts'

const DEMO_LISTINGS = 2000
const LEADS = 300

type MarketOptions = { seed: number; now: Date; listings?: number }

/** The same seed and `now` give the same market on every machine. */
export function generateMarket({ seed, now, listings: total = DEMO_LISTINGS }: MarketOptions): Market {
  const agencies = generateAgencies()
  const agents = generateAgents(seed)
  const listings = generateListings(seed, now, agents, total)
  const leads = generateLeads(seed, agents, listings, LEADS)
  return { now, agencies, agents, listings, leads }
}
