import type { FastifyReply } from 'fastify'
import type { Db } from '../../db/database.ts'
import { isSlug } from '../../lib/slug.ts'
import { ListingGrid } from '../../site/cards.tsx'
import { NoPage } from '../../site/errors.tsx'
import { Nothing, sendSitePage } from '../../site/layout.tsx'
import type { Market } from '../../site/market.ts'
import { useVisit, type Visit } from '../../site/visit.ts'
import type { Listing } from '../../site/words.ts'
import { findGone } from '../on-market.ts'

/** How many similar listings the page shows. */
export const SIMILAR = 6

/** 410 for listings that were once public; anything else is not_found. */
export async function sendGone(reply: FastifyReply, db: Db, market: Market, visit: Visit, slug: string) {
  const gone = isSlug(slug) ? await findGone(db, slug) : undefined
  if (!gone) throw new NoPage(visit.lang)
  const similar = await market.similarTo(gone, SIMILAR)
  const title = visit.t('Esta propiedad ya no está disponible', 'This property is no longer available')
  return sendSitePage(
    reply,
    visit,
    { title: `${title} | Lonja`, description: title, status: 410 },
    <GoneListing similar={similar} state={gone.state} />,
  )
}

function GoneListing({ similar, state }: { similar: Listing[]; state: string }) {
  const { t, to } = useVisit()
  return (
    <div class="wrap py-12">
      <Nothing
        level={1}
        icon="home"
        title={t('Esta propiedad ya no está disponible', 'This property is no longer available')}
      >
        <p>
          {t(
            'Se vendió, se rentó o el agente la retiró. Estas se le parecen.',
            'It was sold, rented or withdrawn by its agent. These are similar.',
          )}
        </p>
        <a class="btn btn-primary" href={to(`/propiedades?state=${encodeURIComponent(state)}`)}>
          {t(`Ver propiedades en ${state}`, `See properties in ${state}`)}
        </a>
      </Nothing>
      <Similar listings={similar} />
    </div>
  )
}

export function Similar({ listings }: { listings: Listing[] }) {
  const { t } = useVisit()
  if (listings.length === 0) return null
  return (
    <section class="listing-section">
      <h2>{t('Propiedades parecidas', 'Similar properties')}</h2>
      <ListingGrid listings={listings} />
    </section>
  )
}
