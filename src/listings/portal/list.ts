import type { ListingStatus } from '../../lookups/catalog.ts'
import { pageHref } from '../../ui/pager.tsx'
import type { InventoryFilter, InventoryRow } from './inventory.ts'

type ListView = 'table' | 'cards'

export interface ListProps {
  rows: InventoryRow[]
  counts: Partial<Record<ListingStatus, number>>
  filter: InventoryFilter
  view: ListView
  page: number
  reconfirmDays: number
  now: Date
}

/** URL of the same list with some parameters changed. */
export function linkTo({
  filter,
  view,
  page = 1,
}: Pick<ListProps, 'filter' | 'view'> & { page?: number }): string {
  const { reconfirm, ...asked } = filter
  const more = { reconfirm: reconfirm && '1', view: view === 'cards' ? view : undefined }
  return pageHref('/portal/listings', { ...asked, ...more })(page)
}
