import type { Static } from 'typebox'
import type { PublicAgency } from './agencies/store.ts'
import type { AgencyInList, AgencyRef, AgentInList } from './schema.ts'
import type { PublicAgent } from './store.ts'

export const agentUrl = (publicUrl: string, slug: string) => `${publicUrl}/agentes/${slug}`
const agencyUrl = (publicUrl: string, slug: string) => `${publicUrl}/inmobiliarias/${slug}`

/** For a logo hosted here only the path is stored. */
const logoUrl = (publicUrl: string, url: string | null) => (url?.startsWith('/') ? `${publicUrl}${url}` : url)

interface AgencyColumns {
  agency_name: string | null
  agency_slug: string | null
  agency_logo_url: string | null
}

/** Name and link for attribution; an agency's email and tax number are private. */
export function agencyRef(row: AgencyColumns, publicUrl: string): Static<typeof AgencyRef> | null {
  if (row.agency_name === null || row.agency_slug === null) return null
  return {
    name: row.agency_name,
    slug: row.agency_slug,
    url: agencyUrl(publicUrl, row.agency_slug),
    logo_url: logoUrl(publicUrl, row.agency_logo_url),
  }
}

export const agentInList = (
  row: PublicAgent,
  { states, listings }: { states: string[]; listings: number },
  publicUrl: string,
): Static<typeof AgentInList> => ({ ...agentCard(row, publicUrl), states, listings })

export function agentCard(row: PublicAgent, publicUrl: string) {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    url: agentUrl(publicUrl, row.slug),
    phone: row.phone,
    agency: agencyRef(row, publicUrl),
  }
}

export function agencyInList(row: PublicAgency, publicUrl: string): Static<typeof AgencyInList> {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    url: agencyUrl(publicUrl, row.slug),
    logo_url: logoUrl(publicUrl, row.logo_url),
    agents: row.agents,
  }
}
