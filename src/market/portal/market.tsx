import type { FastifyInstance } from 'fastify'
import type { Db } from '../../db/database.ts'
import type { BaseMap } from '../../http/base-map.ts'
import { cookie } from '../../http/cookies.ts'
import type { Words } from '../../lib/i18n.ts'
import { NotReady } from '../../lib/problem.ts'
import { SORTS, sorts } from '../../lookups/catalog.ts'
import { listWanted } from '../../needs/service.ts'
import { useVisit } from '../../portal/context.ts'
import { formRoute } from '../../portal/form-route.ts'
import { goTo, sendScreen, signedIn } from '../../portal/layout.tsx'
import { ownPath, type PortalDeps } from '../../portal/shell.tsx'
import { findRelaxed, readAsk } from '../../search/ask.ts'
import { amountsIn } from '../../search/typed-prices.ts'
import { count } from '../../site/words.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { allWords } from '../../ui/messages.ts'
import { Pager } from '../../ui/pager.tsx'
import { Empty, Panel } from '../../ui/panels.tsx'
import { ViewLinks } from '../../ui/tabs.tsx'
import { type Asker, cleanQuery, type MarketView, readMarketQuery } from '../parameters.ts'
import { askerOf, type Found, findMarket, type MarketDeps } from '../service.ts'
import { MarketChips } from './chips.tsx'
import { explain } from './explain.tsx'
import { Filters, labelOf } from './filters.tsx'
import { MarketMap } from './map.tsx'
import { Cards, CompareBar } from './results.tsx'
import { COLUMNS_COOKIE, type ColumnName, chosenOf, columnsOf, Table } from './table.tsx'
import { HOME, hrefOf } from './words.tsx'

export type MarketScreenDeps = PortalDeps & MarketDeps & { baseMap: BaseMap }

const YEAR_SECONDS = 365 * 24 * 3600
async function withNeeds(db: Db, agentId: string, found: Found): Promise<Found> {
  const ids = found.listings.map(({ record }) => record.id)
  const wanted = await listWanted(db, agentId, ids)
  const listings = found.listings.map(listing => ({ ...listing, needId: wanted.get(listing.record.id) }))
  return { ...found, listings }
}

const PAGE_SIZES: Record<MarketView, number> = { list: 24, table: 50, map: 1 }

export function registerMarket(app: FastifyInstance, deps: MarketScreenDeps): void {
  app.get('/market', async (request, reply) => {
    const agent = signedIn(request)
    if (!agent.isVerified) return explain(request, reply)
    const sent = request.query as URLSearchParams
    const typed = sent.get('ask')?.trim()
    const asker = await askerOf(deps, agent.id)
    if (typed) {
      const { query, corrections, leftOut } = await understood(deps.search, typed, sent, asker)
      const text = howUnderstood(corrections, leftOut, request.visit.t)
      return goTo(reply, hrefOf(query), text ? { kind: 'info', text } : undefined)
    }
    const address = cleanQuery(sent)
    if (String(address) !== String(sent)) return reply.redirect(hrefOf(address), 302)
    const { value, issues } = readMarketQuery(address, asker)
    const { view, ...criteria } = value
    const limit = address.has('limit') ? criteria.limit : PAGE_SIZES[view]
    // With a mistake, the counts and results are of what could be read.
    const found = await withNeeds(deps.db, agent.id, await findMarket(deps, asker, { ...criteria, limit }))
    const { lang, t } = request.visit
    const wrong = issues.map(issue => ({
      name: issue.field,
      text: `${labelOf(issue.field, lang)}: ${allWords([issue], lang)}`,
    }))
    return sendScreen(
      request,
      reply.code(issues.length > 0 ? 422 : 200),
      {
        title: t('El mercado', 'The market'),
        section: 'market',
        subtitle: t(
          'Las propiedades de todos los agentes verificados, con su comisión compartida. Solo para colegas.',
          'The listings of all verified agents, with their shared commission. For colleagues only.',
        ),
        assets: [
          'suggest.js',
          ...(view === 'map'
            ? (['leaflet.css', 'leaflet.js', 'base-map.js', 'map-tools.js', 'map.js'] as const)
            : []),
        ],
        baseMap: deps.baseMap,
      },
      <MarketScreen
        {...{ query: address, found, view, limit, wrong }}
        page={criteria.page}
        sort={criteria.sort}
        columns={columnsOf(request, deps.secure)}
        baseMap={deps.baseMap}
        publicUrl={deps.publicUrl}
      />,
    )
  })

  formRoute(app, {
    path: '/market/columns',
    access: 'verified',
    run: async request => chosenOf(request.form.getAll('column')),
    done: (request, reply, chosen) => {
      const options = { secure: deps.secure, maxAgeSeconds: YEAR_SECONDS }
      reply.header('set-cookie', cookie(COLUMNS_COOKIE, chosen.join('.'), options))
      return goTo(reply, ownPath(request.form.get('back'), HOME))
    },
  })
}

/** Typed text becomes filters; those chosen in the form take precedence. Words that find nothing are left out. */
async function understood(search: MarketDeps['search'], typed: string, sent: URLSearchParams, asker: Asker) {
  if (!search) throw new NotReady('there is no search')
  const chosen = cleanQuery(sent)
  chosen.delete('q')
  const understood = amountsIn('currency', await search.understand(typed), chosen)
  const { corrections } = understood
  const { query } = readAsk(chosen, understood)
  if (!sent.has('sort')) query.delete('sort')
  const address = cleanQuery(query)
  const { value, issues } = readMarketQuery(address, asker)
  if (issues.length > 0) return { query: address, corrections, leftOut: undefined }
  const { view: _view, ...criteria } = value
  const answered = await findRelaxed({
    criteria,
    query: address,
    find: one => search.market(one, asker.id),
    totalOf: ({ total }) => total,
    count: async one => (await search.market(one, asker.id)).total,
  })
  return { query: answered.query, corrections, leftOut: answered.leftOut }
}

function howUnderstood(corrections: { from: string; to: string }[], leftOut: string | undefined, t: Words) {
  const corrected = corrections.map(({ from, to }) =>
    t(`Resultados para «${to}»; escribiste «${from}».`, `Results for “${to}”; you typed “${from}”.`),
  )
  const missing = t(
    `Ninguna propiedad con estos filtros menciona «${leftOut}»; mostramos las demás.`,
    `No listings with these filters mention “${leftOut}”. Showing the others.`,
  )
  return [...corrected, ...(leftOut === undefined ? [] : [missing])].join(' ')
}

interface ScreenProps {
  query: URLSearchParams
  found: Found
  view: MarketView
  limit: number
  page: number
  sort: string
  wrong: { name: string; text: string }[]
  columns: ColumnName[]
  baseMap: BaseMap
  publicUrl: string
}

function MarketScreen(props: ScreenProps) {
  const { t, lang } = useVisit()
  const { query, found, view, limit, page, wrong, publicUrl } = props
  const { total, listings } = found
  return (
    <div class="flex min-w-0 flex-col gap-5">
      <Filters query={query} counts={found.counts} wrong={new Set(wrong.map(({ name }) => name))} />
      <MarketChips query={query} />
      {wrong.length > 0 && (
        <div role="alert" class="alert alert-warning">
          <ul>
            {wrong.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      <div class="flex flex-wrap items-center justify-between gap-3">
        <p role="status" class="font-semibold">
          {total === 1
            ? t('1 propiedad', '1 listing')
            : t(`${count(total, lang)} propiedades`, `${count(total, lang)} listings`)}
        </p>
        <div class="flex flex-wrap items-center gap-3">
          <a class="btn btn-sm" href={`/portal/needs/new?${query}`}>
            {t('Guardar como búsqueda', 'Save as need')}
          </a>
          {view !== 'map' && <CompareBar />}
          {view === 'list' && <SortForm {...props} />}
          <Views query={query} view={view} />
        </div>
      </div>
      {listings.length === 0 ? (
        <Panel>
          <Empty icon="search" title={t('Sin resultados', 'No results')}>
            {t('Quita algún filtro.', 'Remove a filter.')}
          </Empty>
        </Panel>
      ) : (
        <Results {...props} />
      )}
      {view !== 'map' && (
        <Pager
          page={page}
          pages={Math.ceil(total / limit)}
          hrefOf={one => other(query, { page: String(one) })}
        />
      )}
      <Panel
        title={t('Enlace de esta búsqueda', 'Link to this search')}
        note={t(
          'Un colega verificado ve lo mismo al abrirlo.',
          'A verified colleague who opens it sees the same.',
        )}
      >
        <Copyable
          text={publicUrl + hrefOf(query)}
          label={t('Enlace de esta búsqueda', 'Link to this search')}
        />
      </Panel>
    </div>
  )
}

/** The same search with other values; from the first page. */
function other(query: URLSearchParams, changes: Record<string, string>): string {
  const next = new URLSearchParams(query)
  next.delete('page')
  for (const [name, value] of Object.entries(changes)) next.set(name, value)
  return hrefOf(cleanQuery(next))
}

function Results({ query, found, view, sort, columns, baseMap }: ScreenProps) {
  if (view === 'map') return <MarketMap query={query} baseMap={baseMap} />
  if (view === 'list') return <Cards listings={found.listings} />
  return (
    <Table
      listings={found.listings}
      columns={columns}
      sort={sort}
      sortHref={one => other(query, { sort: one })}
      back={hrefOf(query)}
    />
  )
}

function Views({ query, view }: Pick<ScreenProps, 'query' | 'view'>) {
  const { t } = useVisit()
  const words = { list: t('Lista', 'List'), table: t('Tabla', 'Table'), map: t('Mapa', 'Map') }
  const views = (['list', 'table', 'map'] as const).map(one => ({
    href: other(query, { as: one === 'list' ? '' : one }),
    label: words[one],
    here: view === one,
  }))
  return <ViewLinks views={views} />
}

function SortForm({ query, sort }: Pick<ScreenProps, 'query' | 'sort'>) {
  const { t, lang } = useVisit()
  const ownSorts: [string, string][] = [
    ['commission', t('Mayor comisión', 'Highest commission')],
    ['construction', t('Mayor construcción', 'Largest built area')],
    ['lot', t('Mayor terreno', 'Largest lot')],
  ]
  const all = [...sorts.map((one): [string, string] => [one, SORTS[one][lang]]), ...ownSorts]
  return (
    <form method="get" action={HOME} class="flex items-center gap-2">
      {[...query]
        .filter(([name]) => name !== 'sort' && name !== 'page')
        .map(([name, value]) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
      <select name="sort" class="select select-sm" aria-label={t('Orden', 'Order')}>
        {all.map(([value, label]) => (
          <option key={value} value={value} selected={value === sort}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" class="btn btn-sm">
        {t('Ordenar', 'Sort')}
      </button>
    </form>
  )
}
