import type { Currency } from '../../lib/money.ts'
import type { Operation, PropertyType } from '../../lookups/catalog.ts'
import type { Filters } from '../criteria.ts'
import type { Engine } from './engine.ts'
import { boxAround, kilometers } from './globe.ts'
import { uuidOf } from './ids.ts'

/** What others are compared with; NaN where unknown. */
export interface Traits {
  lat: number
  lng: number
  price: number
  size: number
}

/** The listing that others should be like. The price is of its first operation, sale before rental. */
export interface Like extends Traits {
  id: string
  type: PropertyType
  state: string
  offer: { operation: Operation; currency: Currency } | undefined
  /** What its size is: the built area if it has one, otherwise the lot. */
  measure: 'construction' | 'lot'
}

/** Only these are compared: the same kind, for the same operation and in the same currency, in the same state. */
export const filtersLike = ({ type, state, offer }: Like): Filters => ({ types: [type], state, ...offer })

export const KM_HALFWAY = 5
const MILLIONTH = 1e6

/**
 * How unlike two listings are: 0 for the same place, price and size. Distance counts up to 2 (1 at five kilometers), a price
 * of half or double 1, a size of half or double 0.5; what is unknown counts fully. Rounded, so that ties are ties.
 */
export function difference(one: Traits, other: Traits): number {
  const km = kilometers(one.lat, one.lng, other.lat, other.lng)
  const sum =
    2 * upToOne(km / (km + KM_HALFWAY)) +
    upToOne(doublings(one.price, other.price)) +
    0.5 * upToOne(doublings(one.size, other.size))
  return Math.round(sum * MILLIONTH)
}

const doublings = (a: number, b: number) => Math.abs(Math.log2(a / b))
const upToOne = (value: number) => (value <= 1 ? value : 1)

/** Outside of these bounds nothing differs by so little. Size is not among them: it counts least. */
interface Bounds {
  box: ReturnType<typeof boxAround> | undefined
  low: number
  high: number
}

const ANYTHING: Bounds = { box: undefined, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

function boundsOf({ lat, lng, price }: Traits, most: number): Bounds {
  const sum = (most + 1) / MILLIONTH
  const radiusKm = (sum * KM_HALFWAY) / (2 - sum)
  const factor = 2 ** sum * 1.000001
  return {
    box: sum < 2 ? boxAround({ lat, lng, radiusKm }) : undefined,
    ...(sum < 1 ? { low: price / factor, high: price * factor } : { low: ANYTHING.low, high: ANYTHING.high }),
  }
}

/** What is unknown (NaN) is in no comparison, and so within them: its difference decides. */
const isBeyond = ({ box, low, high }: Bounds, lat: number, lng: number, price: number): boolean =>
  price < low ||
  price > high ||
  (box !== undefined && (lat < box.swLat || lat > box.neLat || lng < box.swLng || lng > box.neLng))

interface Candidates {
  slots: Iterable<number>
  differenceOf(slot: number): number
  /** Cheap: most candidates need no more than this. */
  isBeyond(slot: number, bounds: Bounds): boolean
  idOf(slot: number): string
}

/** The slots with the smallest difference, in order; ties by id. */
function mostAlike(like: Traits, { slots, differenceOf, isBeyond, idOf }: Candidates, limit: number) {
  const best: { slot: number; by: number }[] = []
  let bounds = ANYTHING
  for (const slot of slots) {
    if (isBeyond(slot, bounds)) continue
    const one = { slot, by: differenceOf(slot) }
    let at = best.length
    const isBefore = (other: typeof one) =>
      one.by < other.by || (one.by === other.by && idOf(one.slot) < idOf(other.slot))
    while (at > 0 && isBefore(best[at - 1] as typeof one)) at--
    if (at >= limit) continue
    best.splice(at, 0, one)
    if (best.length > limit) best.pop()
    if (best.length === limit) bounds = boundsOf(like, (best.at(-1) as typeof one).by)
  }
  return best.map(({ slot }) => slot)
}

/** The listings most like one, best first, without itself. */
export function similarIn(engine: Engine, like: Like, viewer: string | null, limit: number): number[] {
  const { ids, columns } = engine
  const hits = engine.select(filtersLike(like), viewer, 'all', { groups: [] })
  const own = ids.find(uuidOf(like.id))
  if (own !== undefined) hits.remove(own)
  const { lat, lng } = columns
  const price = like.offer?.operation === 'rental' ? columns.rentPrice : columns.salePrice
  const size = columns[like.measure]
  const candidates = {
    slots: hits.slots(),
    differenceOf: (slot: number) =>
      difference(like, {
        lat: lat.get(slot),
        lng: lng.get(slot),
        price: price.get(slot),
        size: size.get(slot),
      }),
    isBeyond: (slot: number, bounds: Bounds) =>
      isBeyond(bounds, lat.get(slot), lng.get(slot), price.get(slot)),
    idOf: (slot: number) => ids.text(slot),
  }
  return mostAlike(like, candidates, limit)
}
