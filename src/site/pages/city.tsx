import type { FastifyInstance } from 'fastify'
import type { Lang } from '../../lib/i18n.ts'
import { Icon } from '../../ui/icons.tsx'
import { Pager, pageHref, pageOf } from '../../ui/pager.tsx'
import { ListingGrid } from '../cards.tsx'
import { NoPage } from '../errors.tsx'
import type { City } from '../inventory.ts'
import { AlertLink, Crumbs, Nothing, sendSitePage } from '../layout.tsx'
import { crumbData } from '../linked-data.tsx'
import type { Market, SiteDeps } from '../market.ts'
import { localPath, useVisit, visitOf } from '../visit.ts'
import { count, type Listing } from '../words.ts'
import { feedPath, stateNamed, stateSlug } from './states.ts'

const PER_PAGE = 24

export function registerCity(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  app.get<{ Params: { state: string; city: string } }>(
    localPath(lang, '/mx/:state/:city'),
    async (request, reply) => {
      const state = stateNamed(request.params.state)
      const city = state && (await market.findCity(state, request.params.city))
      if (!state || !city) throw new NoPage(lang)
      const page = pageOf(request)
      const { listings, pagination } = await market.find({ state, cities: city.folds, page, limit: PER_PAGE })
      const { total } = pagination
      if (total === 0) throw new NoPage(lang)
      deps.countShown(
        request,
        'appearances',
        listings.map(({ id }) => id),
      )
      const path = `/mx/${stateSlug(state)}/${city.slug}`
      const visit = visitOf(deps, lang, pageHref(path)(page))
      const title = visit.t(`Propiedades en ${city.name}, ${state}`, `Properties in ${city.name}, ${state}`)
      const steps = [
        { name: visit.t('México', 'Mexico'), path: '/mx' },
        { name: state, path: `/mx/${stateSlug(state)}` },
        { name: city.name },
      ]
      return sendSitePage(
        reply,
        visit,
        {
          title: `${title} | Lonja`,
          description: visit.t(
            `${total} propiedades en venta y renta en ${city.name}, ${state}, de agentes verificados.`,
            `${total} properties for sale and rent in ${city.name}, ${state}, by verified agents.`,
          ),
          data: [crumbData(steps, visit)],
          feed: { title, path: feedPath(state, city) },
        },
        <CityPage
          title={title}
          state={state}
          city={city}
          steps={steps}
          listings={listings}
          total={total}
          page={page}
          path={path}
        />,
      )
    },
  )
}

function CityPage(props: {
  title: string
  state: string
  city: City
  steps: { name: string; path?: string }[]
  listings: Listing[]
  total: number
  page: number
  path: string
}) {
  const { lang, t, to } = useVisit()
  const { state, city, listings, total } = props
  const search = `/propiedades?state=${encodeURIComponent(state)}&city=${encodeURIComponent(city.name)}`
  return (
    <div class="wrap pb-16">
      <Crumbs steps={props.steps} />
      <div class="flex flex-wrap items-end justify-between gap-4">
        <div class="min-w-0">
          <h1 class="page-title">{props.title}</h1>
          <p class="mt-1 opacity-80">
            {total === 1
              ? t('1 propiedad', '1 property')
              : t(`${count(total, lang)} propiedades`, `${count(total, lang)} properties`)}
          </p>
        </div>
        <div class="flex flex-wrap gap-2">
          <a class="btn btn-sm" href={to(`${search}&operation=sale`)}>
            {t('Comprar', 'Buy')}
          </a>
          <a class="btn btn-sm" href={to(`${search}&operation=rental`)}>
            {t('Rentar', 'Rent')}
          </a>
          <a class="btn btn-primary btn-sm" href={to(search)}>
            <Icon name="map" /> {t('Mapa y filtros', 'Map and filters')}
          </a>
          <AlertLink query={new URLSearchParams({ state, city: city.name })} />
          <a class="btn btn-ghost btn-sm" href={feedPath(state, city)}>
            <Icon name="rss" /> RSS
          </a>
        </div>
      </div>
      <div class="mt-8">
        {listings.length > 0 ? (
          <ListingGrid listings={listings} eager={3} level={2} />
        ) : (
          <Nothing
            icon="home"
            title={t('Ya no hay propiedades en esta página', 'There are no more properties on this page')}
          />
        )}
      </div>
      <Pager page={props.page} pages={Math.ceil(total / PER_PAGE)} hrefOf={pageHref(to(props.path))} />
    </div>
  )
}
