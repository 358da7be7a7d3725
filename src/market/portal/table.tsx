import type { FastifyRequest } from 'fastify'
import type { ComponentChildren } from 'preact'
import { cookieName, readCookies } from '../../http/cookies.ts'
import type { Words } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { areaText, placeName, priceText, typeName } from '../../site/words.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Form } from '../../ui/forms.tsx'
import type { MarketListing } from '../record.ts'
import { CompareBox } from './results.tsx'
import { daysText, HOME, Marks, PriceChanges, pathOf, telephone } from './words.tsx'

interface Column {
  name: (t: Words) => string
  cell: (listing: MarketListing, lang: 'es' | 'en', t: Words) => ComponentChildren
  isNumber?: boolean
  /** The orders a click goes through. */
  sorts?: readonly string[]
}

const COLUMNS = {
  price: {
    name: t => t('Precio', 'Price'),
    cell: ({ record }, lang) => record.operations.map(one => priceText(one, lang)).join(' · '),
    isNumber: true,
    sorts: ['price_asc', 'price_desc'],
  },
  commission: {
    name: t => t('Comisión', 'Commission'),
    cell: ({ commission }) => commission ?? '—',
    isNumber: true,
    sorts: ['commission'],
  },
  amount: {
    name: t => t('Monto', 'Amount'),
    cell: ({ amounts }) => amounts.join(' · ') || '—',
    isNumber: true,
  },
  days: {
    name: t => t('Días', 'Days'),
    cell: ({ days }, _lang, t) => (days === null ? '—' : daysText(days, t)),
    isNumber: true,
    sorts: ['newest'],
  },
  changes: {
    name: t => t('Cambios de precio', 'Price changes'),
    cell: listing => <PriceChanges listing={listing} most={1} />,
  },
  type: { name: t => t('Tipo', 'Type'), cell: ({ record }, lang) => typeName(record.property_type, lang) },
  place: { name: t => t('Lugar', 'Place'), cell: ({ record }) => placeName(record.location) },
  bedrooms: { name: t => t('Rec.', 'Beds'), cell: ({ record }) => record.bedrooms ?? '—', isNumber: true },
  bathrooms: {
    name: t => t('Baños', 'Baths'),
    cell: ({ record }) => record.bathrooms ?? '—',
    isNumber: true,
  },
  parking: { name: t => t('Autos', 'Cars'), cell: ({ record }) => record.parking ?? '—', isNumber: true },
  construction: {
    name: t => t('Construcción', 'Built'),
    cell: ({ record }, lang) => (record.construction_m2 ? areaText(record.construction_m2, lang) : '—'),
    isNumber: true,
    sorts: ['construction'],
  },
  lot: {
    name: t => t('Terreno', 'Lot'),
    cell: ({ record }, lang) => (record.lot_m2 ? areaText(record.lot_m2, lang) : '—'),
    isNumber: true,
    sorts: ['lot'],
  },
  agent: { name: t => t('Agente', 'Agent'), cell: ({ contact }) => contact.name },
  agency: { name: t => t('Inmobiliaria', 'Agency'), cell: ({ record }) => record.agency?.name ?? '—' },
  phone: {
    name: t => t('Teléfono', 'Phone'),
    cell: ({ contact }) =>
      contact.phone && (
        <a class="link" href={telephone(contact.phone)}>
          {contact.phone.replaceAll(' ', '\u00a0')}
        </a>
      ),
  },
} satisfies Record<string, Column>

export type ColumnName = keyof typeof COLUMNS
const NAMES = Object.keys(COLUMNS) as ColumnName[]
const USUAL: ColumnName[] = [
  'price',
  'commission',
  'amount',
  'days',
  'place',
  'bedrooms',
  'construction',
  'agent',
]

export const COLUMNS_COOKIE = 'market_columns'

export const chosenOf = (names: readonly string[]): ColumnName[] => NAMES.filter(name => names.includes(name))

/** As kept in the browser, or the usual ones. */
export function columnsOf(request: FastifyRequest, secure: boolean): ColumnName[] {
  const kept = readCookies(request.headers.cookie).get(cookieName(COLUMNS_COOKIE, secure))
  const chosen = chosenOf(kept?.split('.') ?? [])
  return chosen.length > 0 ? chosen : USUAL
}

interface TableProps {
  listings: MarketListing[]
  columns: ColumnName[]
  /** The order in force, and the address of the same search in another. */
  sort: string
  sortHref: (sort: string) => string
  back: string
}

export function Table({ listings, columns, sort, sortHref, back }: TableProps) {
  const { t, lang } = useVisit()
  return (
    <div class="flex min-w-0 flex-col gap-3">
      <div class="overflow-x-auto rounded-box border border-base-300 bg-base-100">
        <table class="table table-sm">
          <thead class="text-base-content/80">
            <tr>
              <th>{t('Propiedad', 'Listing')}</th>
              {columns.map(name => (
                <Head key={name} column={COLUMNS[name]} sort={sort} sortHref={sortHref} />
              ))}
            </tr>
          </thead>
          <tbody>
            {listings.map(listing => (
              <tr key={listing.record.id} class="hover:bg-base-200/60">
                <td class="min-w-56">
                  <a class="link link-hover font-medium" href={pathOf(listing)}>
                    {listing.record.title}
                  </a>
                  <Marks listing={listing} />
                  <CompareBox listing={listing} />
                </td>
                {columns.map(name => {
                  const column: Column = COLUMNS[name]
                  return (
                    <td
                      key={name}
                      class={column.isNumber ? 'text-right whitespace-nowrap tabular-nums' : 'min-w-32'}
                    >
                      {column.cell(listing, lang, t)}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ColumnChoice columns={columns} back={back} />
    </div>
  )
}

function Head({ column, sort, sortHref }: { column: Column } & Pick<TableProps, 'sort' | 'sortHref'>) {
  const { t } = useVisit()
  const { sorts = [] } = column
  const at = sorts.indexOf(sort)
  const direction = at < 0 ? undefined : sort === 'price_asc' ? 'ascending' : 'descending'
  return (
    <th class={column.isNumber ? 'text-right' : ''} aria-sort={direction}>
      {sorts.length > 0 ? (
        <a class="link link-hover" href={sortHref(sorts[(at + 1) % sorts.length] as string)}>
          {column.name(t)}
          <span aria-hidden="true">
            {direction === undefined ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}
          </span>
        </a>
      ) : (
        column.name(t)
      )}
    </th>
  )
}

function ColumnChoice({ columns, back }: { columns: ColumnName[]; back: string }) {
  const { t } = useVisit()
  return (
    <details class="text-sm">
      <summary class="cursor-pointer font-medium">{t('Elegir columnas', 'Choose columns')}</summary>
      <Form action={`${HOME}/columns`} class="mt-3 flex flex-col items-start gap-3">
        <input type="hidden" name="back" value={back} />
        <div class="grid grid-cols-2 gap-x-6 gap-y-1.5 sm:grid-cols-4">
          {NAMES.map(name => (
            <label key={name} class="flex items-center gap-2">
              <input
                class="checkbox checkbox-sm"
                type="checkbox"
                name="column"
                value={name}
                checked={columns.includes(name)}
              />
              {COLUMNS[name].name(t)}
            </label>
          ))}
        </div>
        <Submit small>{t('Guardar columnas', 'Save columns')}</Submit>
      </Form>
    </details>
  )
}
