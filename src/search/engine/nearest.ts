import { groupBy } from '../../lib/groups.ts'
import type { Bitmap } from './bitmap.ts'
import { CELL_RADIUS_KM, centerOf, kilometers } from './globe.ts'
import type { Uuid } from './ids.ts'
import type { Ranking } from './pages.ts'
import type { Index } from './parts.ts'
import { sortById } from './radix.ts'
import type { SlotSet } from './slot-set.ts'

interface Ranked {
  slot: number
  rank: number
}

interface Ring {
  cells: SlotSet[]
  /** No listing of the ring is nearer, and none is three cell radii farther. */
  least: number
}

/** By distance from a point, to the millimeter; listings without a point come last. Nothing is kept between searches. */
export class Nearest implements Ranking {
  readonly #index: Index
  readonly #from: { lat: number; lng: number }

  constructor(index: Index, from: { lat: number; lng: number }) {
    this.#index = index
    this.#from = from
  }

  rank(slot: number): number {
    const { lat, lng } = this.#index.columns
    const km = kilometers(this.#from.lat, this.#from.lng, lat.get(slot), lng.get(slot))
    return Number.isNaN(km) ? Number.POSITIVE_INFINITY : Math.round(km * 1e6) / 1e6
  }

  compare(a: number, b: number): number {
    return this.#compare({ slot: a, rank: this.rank(a) }, { slot: b, rank: this.rank(b) })
  }

  /** Cells are opened from the point outward, only where the page is: rings before it are counted, those after it left alone. */
  page(among: Bitmap, _count: number, offset: number, limit: number): number[] {
    const end = offset + limit
    const opened: (Ring & { count: number })[] = []
    let passed = 0
    let found = 0
    let reach = Number.POSITIVE_INFINITY
    for (const ring of this.#rings()) {
      if (ring.least > reach) break
      const count = countIn(ring, among)
      opened.push({ ...ring, count })
      found += count
      // All that is nearer than the far side of a ring two before this one has been counted.
      while (found <= offset && (opened[0]?.least ?? reach) + 2 * CELL_RADIUS_KM <= ring.least)
        passed += opened.shift()?.count ?? 0
      if (found >= end && reach === Number.POSITIVE_INFINITY) reach = ring.least + 3 * CELL_RADIUS_KM
    }
    const slots = opened.flatMap(({ cells }) => cells.flatMap(cell => [...cell.slotsIn(among)]))
    const page = this.#cut(slots, offset - passed, end - passed)
    if (found >= end) return page
    const { ids } = this.#index
    const last = sortById(this.#withoutPoint(among), ids)
    return [...page, ...last.subarray(Math.max(0, offset - found), end - found)]
  }

  /** Those at the places `from` to `to`. Only what is as far away as they are is sorted by id, too. */
  #cut(slots: number[], from: number, to: number): number[] {
    const ranks = Float64Array.from(slots, slot => this.rank(slot))
    const sorted = ranks.slice().sort()
    const nearest = sorted[from]
    if (nearest === undefined) return []
    const farthest = sorted[Math.min(to, slots.length) - 1] as number
    const before = sorted.indexOf(nearest)
    return slots
      .map((slot, i): Ranked => ({ slot, rank: ranks[i] as number }))
      .filter(({ rank }) => rank >= nearest && rank <= farthest)
      .sort((a, b) => this.#compare(a, b))
      .slice(from - before, to - before)
      .map(({ slot }) => slot)
  }

  countThrough(among: Bitmap, rank: number, id: Uuid): number {
    let count = 0
    const isThrough = (slot: number, own: number) =>
      own < rank || (own === rank && this.#index.ids.compareTo(slot, id) <= 0)
    for (const ring of this.#rings()) {
      if (ring.least > rank) break
      if (ring.least + 3 * CELL_RADIUS_KM < rank) count += countIn(ring, among)
      else
        for (const cell of ring.cells)
          for (const slot of cell.slotsIn(among)) if (isThrough(slot, this.rank(slot))) count++
    }
    if (rank !== Number.POSITIVE_INFINITY) return count
    return count + this.#withoutPoint(among).filter(slot => isThrough(slot, rank)).length
  }

  /** From the point outward. */
  *#rings(): Generator<Ring> {
    const { lat, lng } = this.#from
    const rings = groupBy(this.#index.facets.cell.sets, ([cell]) => {
      const center = centerOf(cell)
      return Math.floor(kilometers(lat, lng, center.lat, center.lng) / CELL_RADIUS_KM)
    })
    for (const ring of [...rings.keys()].sort((a, b) => a - b)) {
      const cells = (rings.get(ring) ?? []).map(([, slots]) => slots)
      yield { cells, least: (ring - 1) * CELL_RADIUS_KM }
    }
  }

  #withoutPoint(among: Bitmap): Int32Array {
    const lat = this.#index.columns.lat.values
    return among.slots().filter(slot => Number.isNaN(lat[slot] as number))
  }

  #compare(a: Ranked, b: Ranked): number {
    return a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : this.#index.ids.compare(a.slot, b.slot)
  }
}

const countIn = ({ cells }: Ring, among: Bitmap) => cells.reduce((sum, cell) => sum + cell.countIn(among), 0)
