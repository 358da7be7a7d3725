import type { FastifyInstance } from 'fastify'
import type { Lang } from '../../lib/i18n.ts'
import { wordsIn } from '../../lib/i18n.ts'
import { foldText } from '../../lib/text.ts'
import { findRelaxed } from '../../search/ask.ts'
import type { Criteria } from '../../search/criteria.ts'
import { usualPlace } from '../../search/usual-place.ts'
import { ListingGrid } from '../../site/cards.tsx'
import { type Comparing, ComparingIn } from '../../site/comparing.tsx'
import { AlertLink, Nothing, sendSitePage } from '../../site/layout.tsx'
import { MapBox } from '../../site/map/map-box.tsx'
import type { Market, SiteDeps } from '../../site/market.ts'
import { localPath, useVisit, visitOf } from '../../site/visit.ts'
import { count, type Listing, operationName, typesName } from '../../site/words.ts'
import { Chips } from '../../ui/chips.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Pager } from '../../ui/pager.tsx'
import { queryOf } from './asking.ts'
import { alertQuery, CurrencyChoice, compared } from './currency.tsx'
import { NothingFound, type WayOut, wayOut } from './empty.tsx'
import { chipsOf, readFilters, withParameters } from './filters.ts'
import { SearchForm } from './search-form.tsx'
import { SortForm } from './sort-form.tsx'

/** Filters whose combinations search engines may index. */
const INDEXED = new Set(['operation', 'type', 'state', 'city', 'page'])
const SUGGESTED_CITIES = 150

export function registerResults(app: FastifyInstance, deps: SiteDeps, market: Market, lang: Lang): void {
  app.get(localPath(lang, '/propiedades'), async (request, reply) => {
    const sent = request.query as URLSearchParams
    const query = await queryOf(market, sent)
    const address = query.size > 0 ? `/propiedades?${query}` : '/propiedades'
    // Forms submit every field; the shareable URL keeps only those in use.
    if ([...sent.values()].includes('') || sent.has('ask') || sent.size !== query.size)
      return reply.redirect(localPath(lang, address), 302)

    const visit = visitOf(deps, lang, address)
    const { criteria: read, errors } = readFilters(query, lang)
    const { criteria: sought, comparing } = await compared(deps.readerFor(request), query, read)
    const asked = query.get('asked')
    const { corrections, near } = asked
      ? await market.understand(asked)
      : { corrections: [], near: undefined }
    const answered =
      errors.length === 0
        ? await find(market, sought, query)
        : { criteria: sought, query, leftOut: undefined, found: undefined }
    const { found, leftOut, criteria } = answered
    deps.countShown(request, 'appearances', found?.listings.map(({ id }) => id) ?? [])
    const inventory = await market.inventory()
    const cities = [...inventory.values()]
      .flat()
      .sort((a, b) => b.count - a.count)
      .slice(0, SUGGESTED_CITIES)
      .map(city => city.name)
    const heading = headingOf(criteria, answered.query, lang, near)
    const total = found?.pagination.total ?? 0
    const page = criteria.page > 1 ? visit.t(` · página ${criteria.page}`, ` · page ${criteria.page}`) : ''
    return sendSitePage(
      reply,
      visit,
      {
        title: `${heading}${page} | Lonja`,
        description: visit.t(
          `${count(total, lang)} propiedades: ${heading}. Con mapa, precios y el teléfono del agente.`,
          `${count(total, lang)} properties: ${heading}. With a map, prices and the agent’s phone.`,
        ),
        indexed: [...query.keys()].every(name => INDEXED.has(name)) && total > 0,
        status: errors.length > 0 ? 422 : 200,
        assets: [
          'leaflet.css',
          'leaflet.js',
          'base-map.js',
          'map-tools.js',
          'map.js',
          'suggest.js',
          'filters.js',
        ],
      },
      <Results
        query={query}
        answered={answered.query}
        heading={heading}
        errors={errors}
        found={found}
        criteria={criteria}
        comparing={comparing}
        corrections={corrections}
        near={near}
        leftOut={leftOut}
        wayOut={found && total === 0 ? await wayOut(market, { query, criteria, comparing }, lang) : undefined}
        cities={[...new Set(cities)]}
        now={deps.now()}
      />,
    )
  })
}

/** Words without matches under these filters are dropped, and the page says so, rather than showing no results. */
export async function find(market: Market, criteria: Criteria, query: URLSearchParams) {
  const totalOf = ({ pagination }: Awaited<ReturnType<Market['find']>>) => pagination.total
  const find = (one: Criteria) => market.find(one)
  if (!query.has('asked')) return { criteria, query, leftOut: undefined, found: await find(criteria) }
  return findRelaxed({ criteria, query, find, totalOf, count: async one => totalOf(await find(one)) })
}

function headingOf(criteria: Criteria, query: URLSearchParams, lang: Lang, near: string | undefined): string {
  const typed = query.get('place')
  const placeNames = [typed && usualPlace(typed), criteria.city && capitals(criteria.city), criteria.state]
  const t = wordsIn(lang)
  const kind =
    criteria.types?.length === 1 && criteria.types[0]
      ? typesName(criteria.types[0], lang)
      : t('Propiedades', 'Properties')
  const operation = criteria.operation
    ? lang === 'es'
      ? ` en ${operationName(criteria.operation, 'es').toLowerCase()}`
      : criteria.operation === 'sale'
        ? ' for sale'
        : ' for rent'
    : ''
  const place = placeNames.filter(Boolean).join(', ')
  const where =
    !place && criteria.circle && near
      ? t(`cerca de ${near}`, `near ${near}`)
      : t(`en ${place || 'México'}`, `in ${place || 'Mexico'}`)
  return `${kind}${operation} ${where}`
}

// Criteria hold normalized place names; display them capitalized.
const capitals = (text: string) =>
  text.replace(/(^|[\s-])(\p{L})/gu, (_, gap, letter) => gap + letter.toUpperCase())

interface ResultsProps {
  query: URLSearchParams
  /** The search that found these: without the words that were left out. */
  answered: URLSearchParams
  heading: string
  errors: { name: string; text: string }[]
  found: { listings: Listing[]; pagination: { page: number; pages: number; total: number } } | undefined
  criteria: Criteria
  comparing: Comparing
  corrections: { from: string; to: string }[]
  /** What the circle is around, if that was typed. */
  near: string | undefined
  leftOut: string | undefined
  wayOut: WayOut | undefined
  cities: string[]
  now: number
}

function Results({ query, answered, heading, errors, found, criteria, comparing, ...props }: ResultsProps) {
  const { lang, t, to } = useVisit()
  const chips = chipsOf(answered, lang, undefined, props.near)
  const { listings = [], pagination } = found ?? {}
  const hrefOf = (page: number) => to(withParameters(query, page > 1 ? { page: String(page) } : {}))
  return (
    <div class="results">
      <div class="results-search">
        <div class="wrap-wide">
          <SearchForm query={answered} cities={props.cities} errors={errors} now={props.now} />
        </div>
      </div>
      <div class="wrap-wide results-columns">
        <section class="results-list" aria-labelledby="resultados">
          <div class="results-head">
            <div class="min-w-0">
              <h1 id="resultados">{titled(heading, query)}</h1>
              {pagination && (
                <p class="results-total" role="status">
                  {pagination.total === 1
                    ? t('1 propiedad', '1 property')
                    : t(
                        `${count(pagination.total, lang)} propiedades`,
                        `${count(pagination.total, lang)} properties`,
                      )}
                </p>
              )}
            </div>
            <div class="flex flex-wrap items-center gap-2">
              <a class="btn btn-sm lg:hidden" href="#mapa" data-without-switch>
                <Icon name="map" /> {t('Ver mapa', 'View map')}
              </a>
              <AlertLink query={alertQuery(answered)} />
              <SortForm query={query} />
            </div>
          </div>
          <Understanding
            query={query}
            corrections={props.corrections}
            leftOut={props.leftOut}
            isFiltered={chips.length > 0}
          />
          <Chips
            chips={chips.map(({ text, without }) => ({ text, href: to(without) }))}
            clear={to('/propiedades')}
          />
          {errors.length > 0 && <Mistakes errors={errors} query={query} />}
          <ComparingIn value={comparing}>
            {pagination && <CurrencyChoice query={query} comparing={comparing} criteria={criteria} />}
            {listings.length > 0 && <ListingGrid listings={listings} eager={2} level={2} />}
          </ComparingIn>
          {pagination?.total === 0 && <NothingFound query={query} wayOut={props.wayOut} />}
          {pagination && pagination.total > 0 && listings.length === 0 && (
            <EmptyPage lastPage={hrefOf(pagination.pages)} />
          )}
          {pagination && <Pager page={pagination.page} pages={pagination.pages} hrefOf={hrefOf} />}
        </section>
        <aside class="results-map" id="mapa" aria-label={t('Mapa de resultados', 'Map of results')}>
          <MapBox query={errors.length > 0 ? new URLSearchParams() : answered} />
        </aside>
      </div>
    </div>
  )
}

/** Explains how the typed text was understood; the filters are the chips below. */
function Understanding(
  props: Pick<ResultsProps, 'query' | 'corrections' | 'leftOut'> & { isFiltered: boolean },
) {
  const { t, to } = useVisit()
  const { query, corrections, leftOut, isFiltered } = props
  const asked = query.get('asked')
  if (!asked) return null
  return (
    <div class="flex flex-col gap-1 text-sm text-base-content/80" role="status">
      {corrections.map(({ from, to: word }) => (
        <p>
          {t(
            `Resultados para «${word}»; escribiste «${from}».`,
            `Results for “${word}”; you typed “${from}”.`,
          )}
        </p>
      ))}
      {corrections.length > 0 && (
        <p>
          <a class="link" href={to(`/propiedades?${new URLSearchParams({ q: asked })}`)}>
            {t(`Buscar «${asked}» tal cual`, `Search for exactly “${asked}”`)}
          </a>
        </p>
      )}
      {leftOut && (
        <p>
          {t(
            `Ninguna propiedad con estos filtros menciona «${leftOut}»; mostramos las demás.`,
            `No listings with these filters mention “${leftOut}”. Showing the others.`,
          )}
        </p>
      )}
      {isFiltered && <p>{t(`Entendimos de «${asked}»:`, `From “${asked}” we understood:`)}</p>}
    </div>
  )
}

/** The visitor's spelling of the city, not ours. */
function titled(heading: string, query: URLSearchParams): string {
  const city = query.get('city')
  return city ? heading.replace(capitals(foldText(city)), city) : heading
}

function Mistakes({ errors, query }: { errors: ResultsProps['errors']; query: URLSearchParams }) {
  const { t, to } = useVisit()
  const texts = [...new Map(errors.map(error => [error.text, error])).values()]
  return (
    <div class="mistakes" role="alert">
      <h2>{t('No entendimos algunos filtros', 'We did not understand some filters')}</h2>
      <ul>
        {texts.map(({ name, text }) => (
          <li>
            {text}{' '}
            <a
              class="link"
              href={to(withParameters(query, Object.fromEntries(groupOf(name).map(one => [one, null]))))}
            >
              {t('Quitar este filtro', 'Remove this filter')}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

const GROUPS = [
  ['sw_lat', 'sw_lng', 'ne_lat', 'ne_lng', 'bbox'],
  ['lat', 'lng', 'radius_km'],
]
const groupOf = (name: string) => GROUPS.find(group => group.includes(name)) ?? [name]

function EmptyPage({ lastPage }: { lastPage: string }) {
  const { t } = useVisit()
  return (
    <Nothing title={t('Ya no hay propiedades en esta página', 'There are no more properties on this page')}>
      <a class="btn btn-primary" href={lastPage}>
        {t('Ir a la última página', 'Go to the last page')}
      </a>
    </Nothing>
  )
}
