import { numberText } from '../../lib/i18n.ts'
import { useVisit } from '../../portal/context.ts'
import { Time } from '../../ui/time.tsx'
import type { ListProps } from './list.ts'
import { Cover, Due, Select } from './row.tsx'
import { ListingBadge, placeOf, priceLines } from './words.tsx'

export function Table(props: ListProps) {
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
            <th class="hidden md:table-cell">{t('Estatus', 'Status')}</th>
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
                      <ListingBadge status={row.status} />
                      <span class="text-sm tabular-nums">{priceLines(row, lang)[0]}</span>
                    </span>
                    <Due row={row} {...props} />
                  </div>
                </div>
              </td>
              <td class="hidden md:table-cell">
                <ListingBadge status={row.status} />
              </td>
              <td class="hidden text-right whitespace-nowrap tabular-nums md:table-cell">
                {priceLines(row, lang).map(line => (
                  <span key={line} class="block">
                    {line}
                  </span>
                ))}
              </td>
              <td class="hidden text-right tabular-nums lg:table-cell">{numberText(row.leads, lang)}</td>
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
