import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import { queryOf } from '../../http/forms.ts'
import type { Lang } from '../../lib/i18n.ts'
import { isSlug } from '../../lib/slug.ts'
import { findRate } from '../../rates/service.ts'
import { ListingCard } from '../../site/cards.tsx'
import { ComparingIn, RateNote } from '../../site/comparing.tsx'
import { Nothing, sendSitePage } from '../../site/layout.tsx'
import type { Market, SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, visitOf } from '../../site/visit.ts'
import type { Listing } from '../../site/words.ts'
import { Submit } from '../../ui/buttons.tsx'
import { listingRecord } from '../record.ts'
import { listPublicBySlug } from '../service.ts'
import { Comparison, MOST_COMPARED } from './comparison.tsx'

/** As many as the browser keeps (public/saved.js). */
const MOST = { favorites: 40, seen: 12 }

/** Lists by slugs, so that they can be shared as a link: the browser keeps them, the server nothing. */
export function registerFavorites(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  /** In the order given; what is not public is left out. */
  async function listingsOf(db: Db, sent: readonly string[], most: number): Promise<Listing[]> {
    const slugs = [...new Set(sent)].filter(isSlug).slice(0, most)
    if (slugs.length === 0) return []
    const rows = await listPublicBySlug(db, slugs)
    const listings = await market.marked(rows.map(row => listingRecord(row, null, deps.publicUrl)))
    const bySlug = new Map(rows.map(({ slug }, i) => [slug, listings[i] as Listing]))
    return slugs.flatMap(slug => bySlug.get(slug) ?? [])
  }
  const split = (text: string | null) => (text ?? '').split(',')

  app.get(localPath(lang, '/favoritos'), async (request, reply) => {
    const query = queryOf(request)
    const db = deps.readerFor(request)
    const favorites = await listingsOf(db, split(query.get('ids')), MOST.favorites)
    const seen = await listingsOf(db, split(query.get('seen')), MOST.seen)
    const visit = visitOf(deps, lang, '/favoritos')
    const title = visit.t('Favoritos', 'Favorites')
    return sendSitePage(
      reply,
      visit,
      { title: `${title} | Lonja`, description: title, indexed: false },
      <Favorites title={title} favorites={favorites} seen={seen} isStart={query.size === 0} />,
    )
  })

  app.get(localPath(lang, '/comparar'), async (request, reply) => {
    const db = deps.readerFor(request)
    const listings = await listingsOf(db, queryOf(request).getAll('id').flatMap(split), MOST_COMPARED)
    const rate = await findRate(db, undefined)
    const visit = visitOf(deps, lang, '/comparar')
    const title = visit.t('Comparar propiedades', 'Compare properties')
    return sendSitePage(
      reply,
      visit,
      { title: `${title} | Lonja`, description: title, indexed: false },
      <div class="wrap pt-8 pb-16">
        <h1 class="page-title">{title}</h1>
        {listings.length > 0 ? (
          <ComparingIn value={{ currency: 'MXN', rate }}>
            <Comparison listings={listings} />
            {listings.some(({ operations }) => operations.some(one => one.currency !== 'MXN')) && (
              <RateNote />
            )}
          </ComparingIn>
        ) : (
          <NoneYet />
        )}
      </div>,
    )
  })
}

interface FavoritesProps {
  title: string
  favorites: Listing[]
  seen: Listing[]
  /** Without a list: the browser has it. */
  isStart: boolean
}

function Favorites({ title, favorites, seen, isStart }: FavoritesProps) {
  const { t, to, publicUrl } = useVisit()
  const link = `${publicUrl}${to('/favoritos')}?ids=${favorites.map(({ slug }) => slug).join(',')}`
  return (
    <div class="wrap pt-8 pb-16" data-favorites-start={isStart ? '' : undefined}>
      <h1 class="page-title">{title}</h1>
      <p class="mt-2 mb-6 max-w-prose opacity-80">
        {t(
          'Se guardan solo en tu navegador, sin cuenta ni cookies.',
          'They are kept in your browser only, without an account or cookies.',
        )}
      </p>
      {favorites.length + seen.length === 0 ? (
        <NoneYet />
      ) : (
        <form action={to('/comparar')} method="get">
          <ListSection listings={favorites} />
          {seen.length > 0 && (
            <h2 class="mt-10 mb-4 text-xl">{t('Vistas recientemente', 'Recently viewed')}</h2>
          )}
          <ListSection listings={seen} />
          <Submit class="mt-6">
            {t(`Comparar las marcadas (hasta ${MOST_COMPARED})`, `Compare selected (up to ${MOST_COMPARED})`)}
          </Submit>
        </form>
      )}
      {favorites.length > 0 && (
        <div class="share-list" data-share-list>
          <label for="share-list">{t('Comparte esta lista:', 'Share this list:')}</label>
          <input id="share-list" type="text" class="input input-sm" readonly value={link} />
        </div>
      )}
    </div>
  )
}

function ListSection({ listings }: { listings: Listing[] }) {
  const { t } = useVisit()
  return (
    <div class="listing-grid">
      {listings.map(listing => (
        <div class="flex flex-col gap-2">
          <ListingCard listing={listing} level={2} />
          <label class="flex cursor-pointer items-center gap-2 text-sm">
            <input type="checkbox" class="checkbox checkbox-sm" name="id" value={listing.slug} />
            {t('Comparar', 'Compare')}
            <span class="sr-only"> {listing.title}</span>
          </label>
        </div>
      ))}
    </div>
  )
}

function NoneYet() {
  const { t, to } = useVisit()
  return (
    <Nothing icon="home" title={t('Todavía no hay propiedades aquí', 'There are no properties here yet')}>
      <p class="max-w-prose">
        {t(
          'Toca el corazón de una propiedad para guardarla. Para guardar necesitas JavaScript; las listas compartidas se ven sin él.',
          'Tap the heart on a property to save it. Saving needs JavaScript; shared lists work without it.',
        )}
      </p>
      <a class="btn btn-primary" href={to('/propiedades')}>
        {t('Buscar propiedades', 'Search properties')}
      </a>
    </Nothing>
  )
}
