import { pageHref } from '../../ui/pager.tsx'
import type { LeadFilter, LeadRow } from '../service.ts'

type InboxView = 'board' | 'table'

export interface InboxProps {
  leads: LeadRow[]
  counts: Record<string, number>
  filter: LeadFilter
  view: InboxView
  page: number
  hasMore: boolean
  now: Date
}

export function inboxPath({
  filter,
  view,
  page = 1,
}: Pick<InboxProps, 'filter' | 'view'> & { page?: number }): string {
  const { status, q } = filter
  return pageHref('/portal/leads', { view: view === 'table' ? view : undefined, status, q })(page)
}
