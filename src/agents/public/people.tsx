import type { Static } from 'typebox'
import { numberText } from '../../lib/i18n.ts'
import { Avatar, ListingGrid } from '../../site/cards.tsx'
import { Nothing } from '../../site/layout.tsx'
import { useVisit } from '../../site/visit.ts'
import type { Listing } from '../../site/words.ts'
import { Pager, pageHref } from '../../ui/pager.tsx'
import type { AgentInList } from '../schema.ts'

// Shared by agent and agency pages.

export type Agent = Static<typeof AgentInList> & { photo: string | null }
export type Steps = { name: string; path?: string }[]

/** Listings of an agent or agency. */
export const PER_PAGE = 24
/** Keeps a directory page well below 100 KB. */
export const PER_DIRECTORY = 60

export function PersonCard({ agent }: { agent: Agent }) {
  const { t, to, lang } = useVisit()
  const listings = numberText(agent.listings, lang)
  return (
    <li>
      <a class="person" href={to(`/agentes/${agent.slug}`)}>
        <Avatar name={agent.name} photo={agent.photo} />
        <span class="min-w-0">
          <strong>{agent.name}</strong>
          {agent.agency && <span>{agent.agency.name}</span>}
          <span>
            {agent.listings === 1
              ? t('1 propiedad', '1 listing')
              : t(`${listings} propiedades`, `${listings} listings`)}
            {agent.states.length > 0 && ` · ${agent.states.slice(0, 2).join(', ')}`}
          </span>
        </span>
      </a>
    </li>
  )
}

export function Published(props: { listings: Listing[]; page: number; total: number; path: string }) {
  const { t, to } = useVisit()
  return (
    <>
      {props.listings.length > 0 ? (
        <ListingGrid listings={props.listings} eager={3} />
      ) : (
        <Nothing icon="home" title={t('Por ahora no hay propiedades', 'No properties yet')} />
      )}
      <Pager page={props.page} pages={Math.ceil(props.total / PER_PAGE)} hrefOf={pageHref(to(props.path))} />
    </>
  )
}
