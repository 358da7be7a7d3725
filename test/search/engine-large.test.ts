import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { Bitmap } from '../../src/search/engine/bitmap.ts'
import { Engine } from '../../src/search/engine/engine.ts'
import { cellOf } from '../../src/search/engine/globe.ts'
import { Nearest } from '../../src/search/engine/nearest.ts'
import { statisticsOf } from '../../src/search/engine/statistics.ts'

const all = (slots: number) => {
  const bitmap = new Bitmap(slots)
  for (let slot = 0; slot < slots; slot++) bitmap.add(slot)
  return bitmap
}

type Point = { lat: number; lng: number } | null

function located(points: readonly Point[]): Engine {
  const engine = new Engine()
  for (const [slot, point] of points.entries()) {
    engine.ids.set(slot, [randomInt(2 ** 32), slot, 0, 0])
    engine.columns.lat.set(slot, point?.lat ?? null)
    engine.columns.lng.set(slot, point?.lng ?? null)
    engine.facets.cell.set(slot, point && cellOf(point.lat, point.lng))
  }
  return engine
}

const CENTER = { lat: 20, lng: -100 }

it('any page by distance is the one that sorting everything would give, also when it is continued', () => {
  const about = (middle: number, reach: number) =>
    fc.double({ min: middle - reach, max: middle + reach, noNaN: true })
  // Some in the same cell, some at the same point, some far away, some nowhere.
  const point = fc.oneof(
    fc.record({ lat: about(20, 0.02), lng: about(-100, 0.02) }),
    fc.record({ lat: about(20, 0.3), lng: about(-100, 0.3) }),
    fc.record({ lat: about(20, 60), lng: about(-100, 80) }),
    fc.constantFrom<Point[]>(null, CENTER, { lat: 20.1, lng: -100.1 }),
  )
  const places = fc.record({ offset: fc.nat(320), limit: fc.integer({ min: 1, max: 20 }) })
  fc.assert(
    fc.property(fc.array(point, { maxLength: 300 }), places, (points, { offset, limit }) => {
      const engine = located(points)
      const nearest = new Nearest(engine, CENTER)
      const among = all(points.length)
      for (let slot = 0; slot < points.length; slot += 7) among.remove(slot)
      const sorted = [...among.slots()].sort((a, b) => nearest.compare(a, b))
      const page = nearest.page(among, sorted.length, offset, limit)
      expect(page).toEqual(sorted.slice(offset, offset + limit))
      for (const [i, slot] of page.entries())
        expect(nearest.countThrough(among, nearest.rank(slot), engine.ids.at(slot))).toBe(offset + i + 1)
    }),
    { numRuns: 200 },
  )
})

it('a deep page by distance measures only the listings about as far away as it is', () => {
  const points = Array.from({ length: 20_000 }, (_, i) => ({ lat: 20 + (i / 20_000) * 5, lng: -100 }))
  const engine = located(points)
  const nearest = new Nearest(engine, CENTER)
  const measured = vi.spyOn(nearest, 'rank')
  expect(nearest.page(all(20_000), 20_000, 15_000, 3)).toEqual([15_000, 15_001, 15_002])
  expect(measured.mock.calls.length).toBeLessThan(1_000)
})

it('prices are grouped however many groups there are', () => {
  const size = 200_000
  const engine = new Engine()
  const { facets, columns } = engine
  for (let slot = 0; slot < size; slot++) {
    facets.price.add('sale MXN', slot)
    facets.state.set(slot, 'Jalisco')
    facets.city.set(slot, 'zapopan')
    facets.neighborhood.set(slot, `colonia ${slot}`)
    columns.salePrice.set(slot, slot)
  }
  const working = statisticsOf(engine, all(size), ['neighborhood'], {}, 10)
  let step = working.next()
  while (!step.done) step = working.next()
  expect(step.value.groups).toHaveLength(10)
  expect(step.value.others).toBe(size - 10)
})
