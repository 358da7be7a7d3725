import { useVisit } from '../../portal/context.ts'
import type { ListProps } from './list.ts'
import { Cover, Due, Select } from './row.tsx'
import { ListingBadge, placeOf, priceLines } from './words.tsx'

export function Cards(props: ListProps) {
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
              <ListingBadge status={row.status} />
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
