import { groupBy } from '../../lib/groups.ts'
import type { Bitmap } from './bitmap.ts'
import { CELL_RADIUS_KM, centerOf, kilometers } from './globe.ts'
import type { Uuid } from './ids.ts'
import type { Ranking } from './pages.ts'
import type { Index } from './parts.ts'

interface Ranked {
  slot: number
  rank: number
}

interface Ring {
  cell: number
  /** No listing of the cell is nearer, and none is three cell radii farther. */
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

  /** Cells are opened from the point outward, only as far as the page reaches. */
  page(among: Bitmap, _count: number, offset: number, limit: number): number[] {
    const end = offset + limit
    const found: Ranked[] = []
    let reach = Number.POSITIVE_INFINITY
    for (const { cell, least } of this.#rings()) {
      if (least > reach) break
      for (const slot of this.#slotsIn(cell)) if (among.has(slot)) found.push({ slot, rank: this.rank(slot) })
      if (found.length >= end && reach === Number.POSITIVE_INFINITY) reach = least + 3 * CELL_RADIUS_KM
    }
    if (found.length < end) found.push(...this.#withoutPoint(among))
    return found
      .sort((a, b) => this.#compare(a, b))
      .slice(offset, end)
      .map(({ slot }) => slot)
  }

  countThrough(among: Bitmap, rank: number, id: Uuid): number {
    let count = 0
    const isThrough = (slot: number, own: number) =>
      own < rank || (own === rank && this.#index.ids.compareTo(slot, id) <= 0)
    for (const { cell, least } of this.#rings()) {
      if (least > rank) break
      const isWhole = least + 3 * CELL_RADIUS_KM < rank
      for (const slot of this.#slotsIn(cell)) {
        if (among.has(slot) && (isWhole || isThrough(slot, this.rank(slot)))) count++
      }
    }
    if (rank !== Number.POSITIVE_INFINITY) return count
    return count + this.#withoutPoint(among).filter(({ slot }) => isThrough(slot, rank)).length
  }

  /** From the point outward. */
  *#rings(): Generator<Ring> {
    const { lat, lng } = this.#from
    const rings = groupBy(this.#index.facets.cell.sets.keys(), cell => {
      const center = centerOf(cell)
      return Math.floor(kilometers(lat, lng, center.lat, center.lng) / CELL_RADIUS_KM)
    })
    for (const ring of [...rings.keys()].sort((a, b) => a - b)) {
      const least = (ring - 1) * CELL_RADIUS_KM
      for (const cell of rings.get(ring) ?? []) yield { cell, least }
    }
  }

  #slotsIn(cell: number): Int32Array {
    return this.#index.facets.cell.sets.get(cell)?.slots() ?? new Int32Array()
  }

  #withoutPoint(among: Bitmap): Ranked[] {
    const lat = this.#index.columns.lat.values
    const slots = [...among.slots()].filter(slot => Number.isNaN(lat[slot] as number))
    return slots.map(slot => ({ slot, rank: Number.POSITIVE_INFINITY }))
  }

  #compare(a: Ranked, b: Ranked): number {
    return a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : this.#index.ids.compare(a.slot, b.slot)
  }
}
