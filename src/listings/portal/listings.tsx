import type { FastifyInstance } from 'fastify'
import { countFindings } from '../../doctor/service.ts'
import {
  type ListingStatus,
  listingStatuses,
  PROPERTY_TYPES,
  type PropertyType,
  propertyTypes,
  STATUSES,
} from '../../lookups/catalog.ts'
import { useVisit } from '../../portal/context.ts'
import { sendScreen, signedIn } from '../../portal/layout.tsx'
import type { PortalDeps } from '../../portal/shell.tsx'
import { Form } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Pager, pageOf } from '../../ui/pager.tsx'
import { Empty } from '../../ui/panels.tsx'
import { SearchField } from '../../ui/search-box.tsx'
import { TabLinks, ViewLinks } from '../../ui/tabs.tsx'
import { BulkBar } from './bulk.tsx'
import { Cards } from './cards.tsx'
import { countInventory, INVENTORY_PAGE, type InventoryFilter, listInventory } from './inventory.ts'
import { type ListProps, linkTo } from './list.ts'
import { Table } from './table.tsx'

export function registerListings(app: FastifyInstance, { db, reconfirmDays, now }: PortalDeps): void {
  app.get('/listings', async (request, reply) => {
    const agent = signedIn(request)
    const { t } = request.visit
    const query = request.query as URLSearchParams
    const filter = filterOf(query)
    const page = pageOf(request)
    const [rows, counts, wrong] = await Promise.all([
      listInventory(db, agent.id, { filter, page, reconfirmDays }),
      countInventory(db, agent.id, { filter, reconfirmDays }),
      countFindings(db, agent.id),
    ])
    const view = query.get('view') === 'cards' ? 'cards' : 'table'
    return sendScreen(
      request,
      reply,
      {
        title: t('Tus propiedades', 'Your listings'),
        section: 'listings',
        assets: ['listings.js'],
        actions: (
          <>
            {wrong > 0 && (
              <a class="btn" href="/portal/doctor">
                <Icon name="alert" />
                {t(`Por revisar (${wrong})`, `To review (${wrong})`)}
              </a>
            )}
            <a class="btn btn-primary" href="/portal/listings/new">
              <Icon name="plus" />
              {t('Nueva propiedad', 'New listing')}
            </a>
          </>
        ),
      },
      <ListingList {...{ rows, counts, filter, view, page, reconfirmDays }} now={now()} />,
    )
  })
}

function filterOf(query: URLSearchParams): InventoryFilter {
  const status = query.get('status') as ListingStatus
  const type = query.get('type') as PropertyType
  return {
    status: listingStatuses.includes(status) ? status : undefined,
    type: propertyTypes.includes(type) ? type : undefined,
    q: query.get('q')?.replaceAll('\0', '').trim().slice(0, 200) || undefined,
    reconfirm: query.get('reconfirm') === '1' || undefined,
  }
}

function ListingList(props: ListProps) {
  const { t } = useVisit()
  const { rows, counts, filter, view } = props
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const isFiltered = Boolean(filter.q || filter.type || filter.status || filter.reconfirm)
  if (total === 0 && !isFiltered) return <NothingYet />
  return (
    <div class="flex min-w-0 flex-col gap-5">
      <Tabs {...props} total={total} />
      <Filters {...props} />
      {rows.length === 0 ? (
        <div class="rounded-box border border-base-300 bg-base-100">
          <Empty icon="search" title={t('Sin resultados', 'No results')}>
            <a class="link" href="/portal/listings">
              {t('Quitar los filtros', 'Clear filters')}
            </a>
          </Empty>
        </div>
      ) : (
        <Form action="/portal/listings/bulk" class="flex min-w-0 flex-col gap-4" id="bulk">
          <input type="hidden" name="back" value={linkTo(props)} />
          <BulkBar />
          {view === 'cards' ? <Cards {...props} /> : <Table {...props} />}
        </Form>
      )}
      <Pages {...props} />
    </div>
  )
}

function NothingYet() {
  const { t } = useVisit()
  return (
    <div class="rounded-box border border-base-300 bg-base-100">
      <Empty
        icon="building"
        title={t('Aún no tienes propiedades', 'No listings yet')}
        action={
          <a class="btn btn-primary" href="/portal/listings/new">
            <Icon name="plus" />
            {t('Nueva propiedad', 'New listing')}
          </a>
        }
      >
        {t(
          'Empieza con un título, el lugar y un precio. Completa lo demás cuando quieras; nada se publica hasta que tú lo decidas.',
          'Start with a title, the place and a price. Add the rest whenever you like; nothing is published until you say so.',
        )}
      </Empty>
    </div>
  )
}

function Tabs({ counts, filter, view, total }: ListProps & { total: number }) {
  const { t, lang } = useVisit()
  const tabs = listingStatuses
    .filter(
      status => counts[status] || status === filter.status || status === 'draft' || status === 'published',
    )
    .map(status => ({
      href: linkTo({ filter: { ...filter, status }, view }),
      label: STATUSES[status][lang],
      count: counts[status] ?? 0,
      here: filter.status === status,
    }))
  const all = {
    href: linkTo({ filter: { ...filter, status: undefined }, view }),
    label: t('Todas', 'All'),
    count: total,
    here: filter.status === undefined,
  }
  return (
    <>
      <TabLinks label={t('Por estatus', 'By status')} tabs={[all, ...tabs]} />
      {filter.reconfirm && (
        <p class="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          {t('Solo las que debes reconfirmar.', 'Only listings to reconfirm.')}
          <a class="link" href={linkTo({ filter: { ...filter, reconfirm: undefined }, view })}>
            {t('Ver todas', 'See all')}
          </a>
        </p>
      )}
    </>
  )
}

function Filters({ filter, view }: ListProps) {
  const { t, lang } = useVisit()
  return (
    <div class="flex flex-wrap items-end justify-between gap-3">
      <form
        method="get"
        action="/portal/listings"
        class="flex min-w-0 basis-full flex-wrap gap-2 sm:flex-1 sm:basis-0 sm:flex-nowrap"
      >
        {filter.status && <input type="hidden" name="status" value={filter.status} />}
        {filter.reconfirm && <input type="hidden" name="reconfirm" value="1" />}
        {view === 'cards' && <input type="hidden" name="view" value={view} />}
        <SearchField
          q={filter.q}
          label={t('Título, colonia, ciudad o clave', 'Title, place or code')}
          class="basis-full sm:max-w-md sm:basis-auto"
        />
        <select name="type" class="select w-auto min-w-0 grow sm:grow-0" aria-label={t('Tipo', 'Type')}>
          <option value="">{t('Todos los tipos', 'All types')}</option>
          {propertyTypes.map(type => (
            <option key={type} value={type} selected={type === filter.type}>
              {PROPERTY_TYPES[type][lang]}
            </option>
          ))}
        </select>
        <button type="submit" class="btn">
          {t('Buscar', 'Search')}
        </button>
      </form>
      <ViewLinks
        views={[
          { href: linkTo({ filter, view: 'table' }), label: t('Lista', 'List'), here: view === 'table' },
          { href: linkTo({ filter, view: 'cards' }), label: t('Fotos', 'Photos'), here: view === 'cards' },
        ]}
      />
    </div>
  )
}

function Pages(props: ListProps) {
  const { counts, filter, page } = props
  const total = filter.status
    ? (counts[filter.status] ?? 0)
    : Object.values(counts).reduce((sum, count) => sum + count, 0)
  const pages = Math.ceil(total / INVENTORY_PAGE)
  return <Pager page={page} pages={pages} hrefOf={page => linkTo({ ...props, page })} />
}
