import type { Market } from '../../site/market.ts'
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
export function hrefOf(path: string, { q, mine, page }: Wish): string {
  const query = new URLSearchParams({
    ...(q ? { q } : {}),
    ...(mine ? {} : { of: 'all' }),
    ...(page > 1 ? { page: String(page) } : {}),
  })
  return query.size > 0 ? `${path}?${query}` : path
}

export function wishOf(query: URLSearchParams): Wish {
  const page = Number.parseInt(query.get('page') ?? '', 10) || 1
  return {
    q: query.get('q')?.replaceAll('\0', '').trim().slice(0, 200) || undefined,
    mine: query.get('of') !== 'all',
    page: Math.min(Math.max(page, 1), 400),
  }
}
