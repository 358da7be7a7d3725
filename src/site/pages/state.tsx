import type { FastifyInstance } from 'fastify'
import type { Lang } from '../../lib/i18n.ts'
import { ListingGrid } from '../cards.tsx'
import { NoPage } from '../errors.tsx'
import type { City } from '../inventory.ts'
import { AlertLink, Crumbs, Nothing, sendSitePage } from '../layout.tsx'
import { crumbData } from '../linked-data.tsx'
import type { Market, SiteDeps } from '../market.ts'
import { localPath, useVisit, visitOf } from '../visit.ts'
import { count, type Listing } from '../words.ts'
import { stateNamed, stateSlug } from './states.ts'

const SHOWN = 24

export function registerState(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  app.get<{ Params: { state: string } }>(localPath(lang, '/mx/:state'), async (request, reply) => {
    const state = stateNamed(request.params.state)
    if (!state) throw new NoPage(lang)
    const visit = visitOf(deps, lang, `/mx/${stateSlug(state)}`)
    const found = await market.find({ state, limit: SHOWN })
    const cities = (await market.inventory()).get(state) ?? []
    const title = visit.t(`Propiedades en ${state}`, `Properties in ${state}`)
    const steps = [{ name: visit.t('México', 'Mexico'), path: '/mx' }, { name: state }]
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: visit.t(
          `${found.pagination.total} propiedades en venta y renta en ${state}.`,
          `${found.pagination.total} properties for sale and rent in ${state}.`,
        ),
        indexed: found.pagination.total > 0,
        data: [crumbData(steps, visit)],
      },
      <StatePage
        title={title}
        state={state}
        steps={steps}
        cities={cities}
        listings={found.listings}
        total={found.pagination.total}
      />,
    )
  })
}

function StatePage(props: {
  title: string
  state: string
  steps: { name: string; path?: string }[]
  cities: City[]
  listings: Listing[]
  total: number
}) {
  const { lang, t, to } = useVisit()
  const { state, cities, listings, total } = props
  return (
    <div class="wrap pb-16">
      <Crumbs steps={props.steps} />
      <h1 class="page-title">{props.title}</h1>
      <p class="mt-1 opacity-80">
        {t(
          `${count(total, lang)} propiedades en ${cities.length} ciudades`,
          `${count(total, lang)} properties in ${cities.length} cities`,
        )}
      </p>
      {cities.length > 0 && (
        <ul class="chips is-cities">
          {cities.slice(0, 80).map(city => (
            <li>
              <a href={to(`/mx/${stateSlug(state)}/${city.slug}`)}>
                {city.name} <span>{count(city.count, lang)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <section class="listing-section">
        {listings.length > 0 ? (
          <>
            <h2>{t('Lo más reciente', 'Newest')}</h2>
            <ListingGrid listings={listings} eager={3} />
            <div class="mt-8 flex flex-wrap items-center gap-2">
              <a class="btn btn-primary" href={to(`/propiedades?state=${encodeURIComponent(state)}`)}>
                {t('Ver todas en el mapa', 'See all on the map')}
              </a>
              <AlertLink query={new URLSearchParams({ state })} />
            </div>
          </>
        ) : (
          <Nothing icon="home" title={t('Por ahora no hay propiedades', 'No properties yet')}>
            <a class="btn btn-primary" href={to('/mx')}>
              {t('Ver otros estados', 'See other states')}
            </a>
          </Nothing>
        )}
      </section>
    </div>
  )
}
