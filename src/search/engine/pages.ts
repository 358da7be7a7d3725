import type { Place } from '../criteria.ts'
import type { Bitmap } from './bitmap.ts'
import type { Ids } from './ids.ts'
import type { Order } from './orders.ts'
import type { Scratch } from './scratch.ts'

interface Cut {
  offset: number
  limit: number
  /** Up to this many are sorted; with more, only the page is selected. */
  few: number
}

/**
 * `planes` are the bits of a number that takes precedence over the order, highest bit and greatest number first:
 * featured, then the bits of the score.
 */
interface Sorting {
  planes: readonly Bitmap[]
  order: Ranking
}

/** What a page needs of an order. */
export type Ranking = Pick<Order, 'rank' | 'compare' | 'page' | 'countThrough'>

/** The slots of one page. Large sets are split plane by plane, following only the parts that intersect the page. */
export function pageOf(among: Bitmap, count: number, sorting: Sorting, cut: Cut, scratch: Scratch): number[] {
  const { planes, order } = sorting
  const { offset, limit, few } = cut
  if (offset >= count || limit <= 0) return []
  if (count <= few) return sorted(among, count, sorting).slice(offset, offset + limit)
  const [plane, ...rest] = planes
  if (!plane) return order.page(among, count, offset, limit)

  const part = scratch.copyOf(among)
  part.and(plane)
  const ahead = part.count()
  const page = pageOf(part, ahead, { planes: rest, order }, cut, scratch)
  if (page.length === limit || ahead === count) return page
  const others = scratch.copyOf(among)
  others.andNot(plane)
  const left = { offset: Math.max(0, offset - ahead), limit: limit - page.length, few }
  return [...page, ...pageOf(others, count - ahead, { planes: rest, order }, left, scratch)]
}

function sorted(among: Bitmap, count: number, { planes, order }: Sorting): number[] {
  return [...among.slots(count)]
    .map(slot => ({ slot, number: numberOf(slot, planes) }))
    .sort((a, b) => b.number - a.number || order.compare(a.slot, b.slot))
    .map(({ slot }) => slot)
}

const numberOf = (slot: number, planes: readonly Bitmap[]) =>
  planes.reduce((sum, plane) => sum * 2 + Number(plane.has(slot)), 0)

export function placeOf(slot: number, { planes: [featured, ...score], order }: Sorting, ids: Ids): Place {
  return {
    isAhead: featured?.has(slot) ?? false,
    score: numberOf(slot, score),
    rank: order.rank(slot),
    id: ids.at(slot),
  }
}

/** How many come at or before that place, which may no longer exist. */
export function countThrough(
  among: Bitmap,
  { planes, order }: Sorting,
  place: Place,
  scratch: Scratch,
): number {
  const [featured, ...score] = planes
  const rest = scratch.copyOf(among)
  let count = featured ? passBy(rest, featured, place.isAhead, scratch) : 0
  // The score is greater than any present now: all the rest come after it.
  if (place.score >= 2 ** score.length) return count
  for (const [i, plane] of score.entries()) {
    const isSet = ((place.score >>> (score.length - 1 - i)) & 1) === 1
    count += passBy(rest, plane, isSet, scratch)
  }
  return count + order.countThrough(rest, place.rank, place.id)
}

/** Keeps in `rest` those with the same bit as the place, and counts those that come before it. */
function passBy(rest: Bitmap, plane: Bitmap, isSet: boolean, scratch: Scratch): number {
  if (isSet) {
    rest.and(plane)
    return 0
  }
  const ahead = scratch.copyOf(rest)
  ahead.and(plane)
  rest.andNot(plane)
  return ahead.count()
}
