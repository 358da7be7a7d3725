import type { FastifyInstance } from 'fastify'
import { asset } from '../../http/assets.ts'
import type { Lang } from '../../lib/i18n.ts'
import { propertyTypes } from '../../lookups/catalog.ts'
import { STATES } from '../../lookups/states.ts'
import { Icon } from '../../ui/icons.tsx'
import { ListingGrid } from '../cards.tsx'
import type { Inventory } from '../inventory.ts'
import { sendSitePage } from '../layout.tsx'
import { siteData } from '../linked-data.tsx'
import type { Market, SiteDeps } from '../market.ts'
import { localPath, useVisit, visitOf } from '../visit.ts'
import { count, type Listing, typesName } from '../words.ts'
import { stateSlug } from './states.ts'
import { StatesMap } from './states-map.tsx'

const FEATURED = 8
const POPULAR = 12

export function registerHome(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  app.get(localPath(lang, '/'), async (_request, reply) => {
    const visit = visitOf(deps, lang, '/')
    const [{ listings, pagination }, inventory] = await Promise.all([
      market.find({ limit: FEATURED }),
      market.inventory(),
    ])
    return sendSitePage(
      reply,
      visit,
      {
        title: visit.t(
          'Lonja: casas, departamentos y terrenos en México',
          'Lonja: houses, apartments and land in Mexico',
        ),
        description: visit.t(
          `${count(pagination.total, lang)} propiedades en venta y renta, publicadas por agentes con licencia verificada.`,
          `${count(pagination.total, lang)} properties for sale and rent, published by agents with a verified license.`,
        ),
        data: [siteData(visit)],
        assets: ['suggest.js'],
      },
      <Home listings={listings} total={pagination.total} inventory={inventory} />,
    )
  })
}

function Home({ listings, total, inventory }: { listings: Listing[]; total: number; inventory: Inventory }) {
  const { lang, t, to } = useVisit()
  return (
    <>
      <Welcome total={total} />

      <div class="wrap pb-20">
        <nav class="kinds" aria-label={t('Tipos de propiedad', 'Property types')}>
          {propertyTypes
            .filter(type => type !== 'other')
            .map(type => (
              <a href={to(`/propiedades?type=${type}`)}>{typesName(type, lang)}</a>
            ))}
        </nav>

        {listings.length > 0 && (
          <section class="listing-section">
            <div class="section-head">
              <h2>{t('Destacadas y recientes', 'Featured and new')}</h2>
              <a class="link" href={to('/propiedades')}>
                {t('Ver todas', 'See all')} →
              </a>
            </div>
            <ListingGrid listings={listings} />
          </section>
        )}

        <PopularCities inventory={inventory} />

        <section class="listing-section">
          <h2>{t('Explora por estado', 'Explore by state')}</h2>
          <div class="mx-auto max-w-4xl">
            <StatesMap inventory={inventory} />
          </div>
        </section>
      </div>
    </>
  )
}

function Welcome({ total }: { total: number }) {
  const { lang, t } = useVisit()
  return (
    <section class="welcome">
      <div class="wrap welcome-words">
        <h1>{t('Encuentra tu lugar en México', 'Find your place in Mexico')}</h1>
        <p>
          {t(
            `${count(total, lang)} propiedades publicadas por agentes con licencia verificada, en los 32 estados.`,
            `${count(total, lang)} properties published by agents with a verified license, in all 32 states.`,
          )}
        </p>
        <WelcomeSearch />
      </div>
      <img class="welcome-street" src={asset('street.svg')} alt="" width="1600" height="260" />
    </section>
  )
}

function WelcomeSearch() {
  const { t, to } = useVisit()
  return (
    <form class="welcome-search" action={to('/propiedades')} method="get" data-search>
      <fieldset class="welcome-operations">
        <legend class="sr-only">{t('Operación', 'Operation')}</legend>
        {(
          [
            ['sale', t('Comprar', 'Buy')],
            ['rental', t('Rentar', 'Rent')],
            ['', t('Todo', 'Everything')],
          ] as const
        ).map(([value, text], i) => (
          <label>
            <input type="radio" name="operation" value={value} checked={i === 0} />
            <span>{text}</span>
          </label>
        ))}
      </fieldset>
      <div class="welcome-fields">
        <label class="min-w-0 grow">
          <span class="sr-only">{t('¿Qué buscas?', 'What are you looking for?')}</span>
          <input
            class="input input-lg w-full"
            type="search"
            name="ask"
            data-suggest
            maxlength={200}
            placeholder={t('Colonia, ciudad, «casa con jardín»…', 'Neighborhood, city, “house with garden”…')}
          />
        </label>
        <label class="min-w-0">
          <span class="sr-only">{t('Estado', 'State')}</span>
          <select class="select select-lg w-full" name="state">
            <option value="">{t('Todo México', 'All of Mexico')}</option>
            {STATES.map(({ name }) => (
              <option value={name}>{name}</option>
            ))}
          </select>
        </label>
        <button class="btn btn-primary btn-lg" type="submit">
          <Icon name="search" /> {t('Buscar', 'Search')}
        </button>
      </div>
    </form>
  )
}

function PopularCities({ inventory }: { inventory: Inventory }) {
  const { lang, t, to } = useVisit()
  const popular = [...inventory]
    .flatMap(([state, cities]) => cities.map(city => ({ state, city })))
    .sort((a, b) => b.city.count - a.city.count)
    .slice(0, POPULAR)
  return (
    <section class="listing-section">
      <div class="section-head">
        <h2>{t('Ciudades con más propiedades', 'Cities with the most properties')}</h2>
        <a class="link" href={to('/mx')}>
          {t('Todos los lugares', 'All places')} →
        </a>
      </div>
      <ul class="cities">
        {popular.map(({ state, city }) => (
          <li>
            <a href={to(`/mx/${stateSlug(state)}/${city.slug}`)}>
              <strong>{city.name}</strong>
              <span>{state}</span>
              <em>{count(city.count, lang)}</em>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
