import type { FastifyInstance } from 'fastify'
import type { Lang } from '../../lib/i18n.ts'
import { kebab } from '../../lib/slug.ts'
import type { City, Inventory } from '../../listings/on-market.ts'
import { STATES } from '../../lookups/states.ts'
import { Icon } from '../../ui/icons.tsx'
import { Pager, pageHref, pageOf } from '../../ui/pager.tsx'
import { ListingGrid } from '../cards.tsx'
import { NoPage } from '../errors.tsx'
import { Crumbs, Nothing, sendSitePage } from '../layout.tsx'
import { crumbData } from '../linked-data.tsx'
import { SMALL_MAP } from '../map/base-map.ts'
import type { Market, SiteDeps } from '../market.ts'
import { localPath, useVisit, visitOf } from '../visit.ts'
import { count, type Listing } from '../words.ts'

const PER_PAGE = 24

export const stateSlug = (state: string): string => kebab(state, 'estado')
const stateBySlug = new Map(STATES.map(({ name }) => [stateSlug(name), name]))
export const stateNamed = (slug: string): string | undefined => stateBySlug.get(slug)

const feedPath = (state: string, city: City): string => `/mx/${stateSlug(state)}/${city.slug}/rss.xml`

export function registerPlaces(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  app.get(localPath(lang, '/mx'), async (_request, reply) => {
    const visit = visitOf(deps, lang, '/mx')
    const title = visit.t('Propiedades por estado y ciudad', 'Properties by state and city')
    return sendSitePage(
      reply,
      visit,
      {
        title: `${title} | Lonja`,
        description: visit.t(
          'Casas, departamentos y terrenos en los 32 estados de México.',
          'Houses, apartments and land in the 32 states of Mexico.',
        ),
      },
      <Country title={title} inventory={await market.inventory()} />,
    )
  })

  app.get<{ Params: { state: string } }>(localPath(lang, '/mx/:state'), async (request, reply) => {
    const state = stateNamed(request.params.state)
    if (!state) throw new NoPage(lang)
    const visit = visitOf(deps, lang, `/mx/${stateSlug(state)}`)
    const found = await market.find({ state, limit: PER_PAGE })
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

/** The country as a picture that is also a menu. */
export function StatesMap({ inventory }: { inventory: Inventory }) {
  const { lang, t, to } = useVisit()
  const totals = new Map([...inventory].map(([state, cities]) => [state, sum(cities)]))
  const most = Math.max(1, ...totals.values())
  const shade = (total: number) => (total === 0 ? 0 : 1 + Math.min(4, Math.floor((total / most) ** 0.5 * 5)))
  return (
    <svg
      class="states-map"
      viewBox={`0 0 ${SMALL_MAP.width} ${SMALL_MAP.height}`}
      aria-label={t('Mapa de los estados', 'Map of the states')}
    >
      {SMALL_MAP.states.map(({ name, slug, path }) => {
        const total = totals.get(name) ?? 0
        return (
          <a
            href={to(`/mx/${slug}`)}
            aria-label={t(
              `${name}: ${count(total, lang)} propiedades`,
              `${name}: ${count(total, lang)} properties`,
            )}
          >
            <path class={`shade-${shade(total)}`} d={path} />
            <title>{`${name} · ${count(total, lang)}`}</title>
          </a>
        )
      })}
    </svg>
  )
}

const sum = (cities: readonly City[]) => cities.reduce((total, city) => total + city.count, 0)

function Country({ title, inventory }: { title: string; inventory: Inventory }) {
  const { lang, to } = useVisit()
  const states = [...stateBySlug].sort(([, a], [, b]) => a.localeCompare(b, 'es'))
  return (
    <div class="wrap py-10">
      <h1 class="page-title">{title}</h1>
      <div class="mx-auto max-w-4xl py-6">
        <StatesMap inventory={inventory} />
      </div>
      <div class="state-list">
        {states.map(([slug, name]) => {
          const cities = inventory.get(name) ?? []
          return (
            <section>
              <h2>
                <a href={to(`/mx/${slug}`)}>{name}</a> <span>{count(sum(cities), lang)}</span>
              </h2>
              <p>
                {cities.slice(0, 4).map((city, i) => (
                  <>
                    {i > 0 && ', '}
                    <a href={to(`/mx/${slug}/${city.slug}`)}>{city.name}</a>
                  </>
                ))}
              </p>
            </section>
          )
        })}
      </div>
    </div>
  )
}

type Steps = { name: string; path?: string }[]

function StatePage(props: {
  title: string
  state: string
  steps: Steps
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
            <a class="btn btn-primary mt-8" href={to(`/propiedades?state=${encodeURIComponent(state)}`)}>
              {t('Ver todas en el mapa', 'See all on the map')}
            </a>
          </>
        ) : (
          <Nothing icon="home" title={t('Por ahora no hay propiedades aquí', 'No properties here for now')}>
            <a class="btn btn-primary" href={to('/mx')}>
              {t('Ver otros estados', 'See other states')}
            </a>
          </Nothing>
        )}
      </section>
    </div>
  )
}

function CityPage(props: {
  title: string
  state: string
  city: City
  steps: Steps
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
            title={t('Esta página ya no tiene propiedades', 'This page has no properties any more')}
          />
        )}
      </div>
      <Pager page={props.page} pages={Math.ceil(total / PER_PAGE)} hrefOf={pageHref(to(props.path))} />
    </div>
  )
}
