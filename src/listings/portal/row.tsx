import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Time } from '../../ui/time.tsx'
import { confirmBefore, isDue } from '../confirmation.ts'
import type { InventoryRow } from './inventory.ts'
import type { ListProps } from './list.ts'

export function Select({ row }: { row: InventoryRow }) {
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

/** Shown only when the date is near. */
export function Due({
  row,
  reconfirmDays,
  now,
}: Pick<ListProps, 'reconfirmDays' | 'now'> & { row: InventoryRow }) {
  const { t } = useVisit()
  if (row.status !== 'published') return null
  const until = confirmBefore(row.confirmed_at, reconfirmDays)
  if (!isDue(until, now)) return null
  return (
    <span class="mt-1 block">
      <Badge tone="warning">
        {t('Reconfirma antes del', 'Reconfirm by')} <Time at={until} day />
      </Badge>
    </span>
  )
}
