import type { agentCard } from '../../agents/record.ts'
import { type Inquiry, InquirySection, inquiryLabel } from '../../leads/visitors/inquiry-form.tsx'
import { ContactBar } from '../../listings/public/contact-bar.tsx'
import { Gallery } from '../../listings/public/gallery.tsx'
import { Sections } from '../../listings/public/sections.tsx'
import { AgentCard } from '../../site/cards.tsx'
import { useVisit } from '../../site/visit.ts'
import { type Listing, titleOf } from '../../site/words.ts'
import { Icon } from '../../ui/icons.tsx'
import type { Shared } from '../service.ts'

export interface SharedListingProps {
  listing: Listing
  collection: Shared['collection']
  /** The agent who shared it, whoever's listing it is. */
  agent: ReturnType<typeof agentCard>
  inquiry: Inquiry
}

/** A listing inside a collection: the client stays with the agent who shared it. */
export function SharedListing({ listing, collection, agent, inquiry }: SharedListingProps) {
  const { lang, t, to, path, publicUrl } = useVisit()
  const title = titleOf(listing, lang)
  const link = publicUrl + to(path)
  const about = t(`Hola, me interesa «${title}»: ${link}`, `Hello, I am interested in “${title}”: ${link}`)
  return (
    <div class="listing-page wrap">
      <div class="listing-top">
        <a class="btn btn-ghost btn-sm" href={to(`/c/${collection.token}`)}>
          ← {t('Volver a la selección', 'Back to the selection')}
        </a>
      </div>
      <Gallery listing={listing} title={title} />
      <div class="listing-columns">
        <div class="min-w-0">
          <Sections listing={listing} />
          <InquirySection inquiry={inquiry} agentName={agent.name} />
        </div>
        <aside class="min-w-0" aria-label={t('Contacto', 'Contact')}>
          <AgentCard agent={agent} agency={agent.agency} about={about}>
            <a class="btn btn-outline justify-self-start" href="#contacto">
              <Icon name="mail" /> {inquiryLabel(inquiry, t)}
            </a>
            <ListedBy listing={listing} />
          </AgentCard>
        </aside>
      </div>
      <ContactBar phone={agent.phone} about={about} showings={inquiry.showings} form="#contacto" />
    </div>
  )
}

/** The usage rules ask for it: the agent and agency whose listing it is. */
function ListedBy({ listing: { agent, agency } }: { listing: Listing }) {
  const { t } = useVisit()
  return (
    <p class="text-sm opacity-80">
      {t('Propiedad de', 'Listed by')} {agent.name}
      {agency && `, ${agency.name}`}
    </p>
  )
}
