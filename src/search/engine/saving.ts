import { Bitmap } from './bitmap.ts'
import type { Census } from './census.ts'
import { growth } from './columns.ts'
import { type Digest, digestOf } from './digest.ts'
import type { Index, newRanges } from './parts.ts'
import type { Piece, Pieces } from './pieces.ts'
import type { PriceSteps } from './price-steps.ts'
import type { Slots } from './slots.ts'
import type { Words64 } from './words64.ts'

/** What an engine consists of. */
type Parts = Omit<Index, 'ranges'> &
  Record<'live' | 'shown' | 'onMarket' | 'featured', Bitmap> &
  Record<'versions' | 'hashes', Words64> & {
    ranges: ReturnType<typeof newRanges>
    priceSteps: Record<'sale' | 'rental', PriceSteps>
    census: Census
    shownDigest: Digest
  }

/**
 * A slot never changes while it is in use, so that only what says which ones are in use, and the names that are counted
 * by them, has to be copied at once. All else is read while the index goes on changing: each part leaves out the slots from `size` on.
 * Sets and orders leave out retired ones too, so that the first changes after a start need not sweep them.
 */
export function* saveParts(engine: Parts, slots: Slots): Generator<Piece> {
  slots.hold()
  try {
    const { size } = slots
    const live = new Bitmap()
    live.words = engine.live.saved(size)
    const marks = marksOf(engine).map(mark => mark.saved(size))
    const places = engine.census.savedPlaces()
    yield Int32Array.of(size)
    yield* marks
    yield places
    yield engine.census.saved(size)
    yield engine.ids.saved(size)
    for (const column of columnsOf(engine)) yield* column.saved(size)
    yield* engine.titles.saved(size)
    for (const facet of Object.values(engine.facets)) yield* facet.saved(live)
    yield* engine.postings.saved(live)
    for (const order of Object.values(engine.orders)) yield order.saved(live)
  } finally {
    slots.release()
  }
}

/** In steps. */
export function* loadParts(engine: Parts, slots: Slots, from: Pieces): Generator<void> {
  const [size = 0] = from.next(Int32Array)
  const spare = growth(size) - size
  for (const mark of marksOf(engine)) mark.load(from)
  slots.restore(size, engine.live)
  engine.census.load(from, spare, engine.shown)
  yield* engine.ids.load(from, spare, engine.live.slots())
  for (const column of columnsOf(engine)) {
    column.load(from, spare)
    yield
  }
  engine.priceSteps.sale.build(engine.columns.salePrice, size)
  engine.priceSteps.rental.build(engine.columns.rentPrice, size)
  for (const ranges of Object.values(engine.ranges)) {
    ranges.build(size)
    yield
  }
  engine.titles.load(from, spare)
  yield
  for (const facet of Object.values(engine.facets)) yield* facet.load(from, size)
  yield* engine.postings.load(from)
  for (const order of Object.values(engine.orders)) {
    order.load(from)
    yield
  }
  engine.shownDigest = digestOf(engine.shown, engine.ids, engine.hashes)
}

const marksOf = ({ live, shown, onMarket, featured }: Parts) => [live, shown, onMarket, featured]

const columnsOf = ({ columns, versions, hashes }: Parts) => [...Object.values(columns), versions, hashes]
