import type { Market } from '../../site/market.ts'
import { pageHref, pageOf } from '../../ui/pager.tsx'
import type { Item } from '../service.ts'

/** An agent's search for listings to add. */
export interface Wish {
  q: string | undefined
  /** Only the agent's listings. */
  mine: boolean
  page: number
}

/** The collection's contents and the listings found to add. */
export interface Choosing {
  items: Item[]
  found: Awaited<ReturnType<Market['find']>>
  wish: Wish
}

/** Forms return to the same search. */
export const hrefOf = (path: string, { q, mine, page }: Wish): string =>
  pageHref(path, { q, of: mine ? undefined : 'all' })(page)

export const wishOf = (query: URLSearchParams): Wish => ({
  q: query.get('q')?.replaceAll('\0', '').trim().slice(0, 200) || undefined,
  mine: query.get('of') !== 'all',
  page: Math.min(pageOf({ query }), 400),
})
