import { between, chance, int, stream } from './random.ts'
import type { DemoListing } from './types.ts'

const DAY = 24 * 60

export interface Lowered {
  field: 'sale_price' | 'rent_price'
  before: number
  after: number
  minutesAgo: number
}

/** One in six of those on the market for a while was cheaper to get in the end. */
export function loweredPriceOf(seed: number, listing: DemoListing, index: number): Lowered | undefined {
  const r = stream(seed, `lowered/${index}`)
  const { published_minutes_ago: published, status } = listing
  if (status !== 'published' || published === null || published < 20 * DAY || !chance(r, 1 / 6))
    return undefined
  const field = listing.sale_price === null ? 'rent_price' : 'sale_price'
  const after = listing[field]
  if (after === null) return undefined
  const step = 10 ** Math.max(0, Math.floor(Math.log10(after)) - 2)
  const before = Math.max(after + step, Math.round((after * between(r, 1.03, 1.12)) / step) * step)
  return { field, before, after, minutesAgo: int(r, DAY, Math.min(published - 5 * DAY, 60 * DAY)) }
}
