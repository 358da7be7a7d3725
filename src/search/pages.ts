import type { Bitmap } from './bitmap.ts'
import type { Order } from './orders.ts'
import type { Scratch } from './scratch.ts'

export interface Cut {
  offset: number
  limit: number
  /** So many are sorted at once; of more, only the page is looked for. */
  few: number
}

/**
 * The slots of one page. `planes` are the bits of a number that comes before the order, highest bit first
 * and greatest number first: whether featured, then the bits of the score. What is many is split plane by
 * plane, and only the parts that the page touches are followed.
 */
export function pageOf(
  among: Bitmap,
  count: number,
  planes: Bitmap[],
  order: Order,
  cut: Cut,
  scratch: Scratch,
): number[] {
  const { offset, limit, few } = cut
  if (offset >= count || limit <= 0) return []
  if (count <= few) return sorted(among, count, planes, order).slice(offset, offset + limit)
  const [plane, ...rest] = planes
  if (!plane) return order.page(among, count, offset, limit)

  const part = scratch.copyOf(among)
  part.and(plane)
  const ahead = part.count()
  const page = pageOf(part, ahead, rest, order, cut, scratch)
  if (page.length === limit || ahead === count) return page
  const others = scratch.copyOf(among)
  others.andNot(plane)
  const left = { offset: Math.max(0, offset - ahead), limit: limit - page.length, few }
  return [...page, ...pageOf(others, count - ahead, rest, order, left, scratch)]
}

function sorted(among: Bitmap, count: number, planes: Bitmap[], order: Order): number[] {
  const numberOf = (slot: number) => planes.reduce((sum, plane) => sum * 2 + Number(plane.has(slot)), 0)
  return [...among.slots(count)]
    .map(slot => ({ slot, number: numberOf(slot) }))
    .sort((a, b) => b.number - a.number || order.compare(a.slot, b.slot))
    .map(({ slot }) => slot)
}
