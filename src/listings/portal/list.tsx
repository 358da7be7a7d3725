import {
  type ListingStatus,
  listingStatuses,
  PROPERTY_TYPES,
  propertyTypes,
  STATUSES,
} from '../../lookups/catalogue.ts'
import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import { Form } from '../../ui/forms.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Pager, pageHref } from '../../ui/pager.tsx'
import { Empty } from '../../ui/panels.tsx'
import { SearchField } from '../../ui/search-box.tsx'
import { TabLinks, ViewLinks } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { confirmBefore, isDue } from '../confirmation.ts'
import { INVENTORY_PAGE, type InventoryFilter, type InventoryRow } from './inventory.ts'
import { placeOf, priceLines, StatusBadge } from './words.tsx'

type ListView = 'table' | 'cards'

interface ListProps {
  rows: InventoryRow[]
  counts: Partial<Record<ListingStatus, number>>
  filter: InventoryFilter
  view: ListView
  page: number
  reconfirmDays: number
  now: Date
}

/** The address of the same list with something else about it. */
function linkTo({ filter, view, page = 1 }: Pick<ListProps, 'filter' | 'view'> & { page?: number }): string {
  const { reconfirm, ...asked } = filter
  const more = { reconfirm: reconfirm && '1', view: view === 'cards' ? view : undefined }
  return pageHref('/portal/listings', { ...asked, ...more })(page)
}

export function ListingList(props: ListProps) {
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
          <Empty icon="search" title={t('Ninguna propiedad así', 'No listing like that')}>
            <a class="link" href="/portal/listings">
              {t('Quitar los filtros', 'Remove the filters')}
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
        title={t('Aquí vivirán tus propiedades', 'Your listings will live here')}
        action={
          <a class="btn btn-primary" href="/portal/listings/new">
            <Icon name="plus" />
            {t('Nueva propiedad', 'New listing')}
          </a>
        }
      >
        {t(
          'Empieza con un título, el lugar y un precio. Lo demás lo completas cuando quieras; nada se publica sin tu orden.',
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
      <TabLinks label={t('Por estado', 'By status')} tabs={[all, ...tabs]} />
      {filter.reconfirm && (
        <p class="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          {t('Solo las que hay que reconfirmar.', 'Only those to reconfirm.')}
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

function BulkBar() {
  const { t, agent } = useVisit()
  const actions = [
    ...(agent?.isVerified
      ? [
          { value: 'publish', label: t('Publicar', 'Publish') },
          { value: 'reconfirm', label: t('Reconfirmar', 'Reconfirm') },
        ]
      : []),
    { value: 'unpublish', label: t('Despublicar', 'Unpublish') },
    { value: 'withdraw', label: t('Retirar', 'Withdraw') },
  ]
  return (
    <fieldset class="flex flex-wrap items-center gap-2 text-sm">
      <legend class="sr-only">{t('Acciones en bloque', 'Bulk actions')}</legend>
      <label class="mr-2 flex cursor-pointer items-center gap-2" hidden data-select-all>
        <input type="checkbox" class="checkbox checkbox-sm" />
        {t('Seleccionar todas', 'Select all')}
      </label>
      <span class="text-base-content/75">
        {t('Con las seleccionadas', 'With those selected')}
        <output class="ml-1 font-medium empty:hidden" data-selected />:
      </span>
      <select name="action" class="select select-sm w-auto" aria-label={t('Acción', 'Action')}>
        {actions.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <button type="submit" class="btn btn-sm">
        {t('Aplicar', 'Apply')}
      </button>
    </fieldset>
  )
}

function Select({ row }: { row: InventoryRow }) {
  const { t } = useVisit()
  return (
    <input
      type="checkbox"
      name="id"
      value={row.id}
      class="checkbox checkbox-sm bg-base-100"
      aria-label={t(`Seleccionar ${row.title}`, `Select ${row.title}`)}
    />
  )
}

export function Cover({ url, class: size }: { url: string | null | undefined; class: string }) {
  return url ? (
    <img
      src={url}
      alt=""
      loading="lazy"
      referrerpolicy="no-referrer"
      class={`shrink-0 bg-base-200 object-cover ${size}`}
    />
  ) : (
    <span class={`grid shrink-0 place-items-center bg-base-200 text-base-content/60 ${size}`}>
      <Icon name="photo" class="size-6" />
    </span>
  )
}

/** Said only when it is near. */
function Due({ row, reconfirmDays, now }: Pick<ListProps, 'reconfirmDays' | 'now'> & { row: InventoryRow }) {
  const { t } = useVisit()
  if (row.status !== 'published') return null
  const until = confirmBefore(row.confirmed_at, reconfirmDays)
  if (!isDue(until, now)) return null
  return (
    <span class="mt-1 block">
      <Badge tone="warning">
        {t('Reconfirma antes del', 'Reconfirm before')} <Time at={until} day />
      </Badge>
    </span>
  )
}

function Table(props: ListProps) {
  const { t, lang } = useVisit()
  return (
    <div class="overflow-x-auto rounded-box border border-base-300 bg-base-100">
      <table class="table">
        <thead class="text-base-content/80">
          <tr>
            <th class="w-0">
              <span class="sr-only">{t('Seleccionar', 'Select')}</span>
            </th>
            <th>{t('Propiedad', 'Listing')}</th>
            <th class="hidden md:table-cell">{t('Estado', 'Status')}</th>
            <th class="hidden text-right md:table-cell">{t('Precio', 'Price')}</th>
            <th class="hidden text-right lg:table-cell">{t('Prospectos', 'Leads')}</th>
            <th class="hidden lg:table-cell">{t('Cambió', 'Changed')}</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map(row => (
            <tr key={row.id} class="hover:bg-base-200/60">
              <td>
                <Select row={row} />
              </td>
              <td class="max-w-0 w-full">
                <div class="flex min-w-0 items-center gap-3">
                  <Cover url={row.cover} class="size-14 rounded-field" />
                  <div class="min-w-0">
                    <a class="link block truncate font-medium link-hover" href={`/portal/listings/${row.id}`}>
                      {row.title}
                    </a>
                    <span class="block truncate text-sm text-base-content/75">{placeOf(row)}</span>
                    <span class="mt-1 flex flex-wrap items-center gap-2 md:hidden">
                      <StatusBadge status={row.status} />
                      <span class="text-sm tabular-nums">{priceLines(row, lang)[0]}</span>
                    </span>
                    <Due row={row} {...props} />
                  </div>
                </div>
              </td>
              <td class="hidden md:table-cell">
                <StatusBadge status={row.status} />
              </td>
              <td class="hidden text-right whitespace-nowrap tabular-nums md:table-cell">
                {priceLines(row, lang).map(line => (
                  <span key={line} class="block">
                    {line}
                  </span>
                ))}
              </td>
              <td class="hidden text-right tabular-nums lg:table-cell">{row.leads}</td>
              <td class="hidden text-base-content/75 lg:table-cell">
                <Time at={row.updated_at} day />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Cards(props: ListProps) {
  const { lang, t } = useVisit()
  return (
    <ul class="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {props.rows.map(row => (
        <li
          key={row.id}
          class="relative flex min-w-0 flex-col overflow-hidden rounded-box border border-base-300 bg-base-100 hover:border-primary"
        >
          <div class="absolute top-3 left-3 z-10 grid rounded-selector bg-base-100 p-1 shadow-sm">
            <Select row={row} />
          </div>
          <Cover url={row.cover} class="aspect-[3/2] w-full" />
          <div class="flex min-w-0 flex-1 flex-col gap-1.5 p-4">
            <div class="flex items-center justify-between gap-2">
              <StatusBadge status={row.status} />
              <span class="text-sm text-base-content/75">
                {row.photos} {t('fotos', 'photos')} · {row.leads} {t('prospectos', 'leads')}
              </span>
            </div>
            <a class="line-clamp-2 font-semibold link-hover" href={`/portal/listings/${row.id}`}>
              {row.title}
            </a>
            <span class="truncate text-sm text-base-content/75">{placeOf(row)}</span>
            <span class="mt-auto pt-1 font-medium tabular-nums">{priceLines(row, lang).join(' · ')}</span>
            <Due row={row} {...props} />
          </div>
        </li>
      ))}
    </ul>
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
