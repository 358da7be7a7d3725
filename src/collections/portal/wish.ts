import type { Market } from '../../site/market.ts'
import { pageHref, pageOf } from '../../ui/pager.tsx'
import type { Item } from '../service.ts'

/** What an agent looks for to put in. */
export interface Wish {
  q: string | undefined
  /** Only the agent's own. */
  mine: boolean
  page: number
}

/** What is in the collection, and what was found to put in. */
export interface Choosing {
  items: Item[]
  found: Awaited<ReturnType<Market['find']>>
  wish: Wish
}

/** Where forms come back to: the same search. */
export const hrefOf = (path: string, { q, mine, page }: Wish): string =>
  pageHref(path, { q, of: mine ? undefined : 'all' })(page)

export const wishOf = (query: URLSearchParams): Wish => ({
  q: query.get('q')?.replaceAll('\0', '').trim().slice(0, 200) || undefined,
  mine: query.get('of') !== 'all',
  page: Math.min(pageOf({ query }), 400),
})
