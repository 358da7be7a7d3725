import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { finish } from '../../src/lib/slices.ts'
import type { Filters, Point as Place } from '../../src/search/criteria.ts'
import { Bitmap } from '../../src/search/engine/bitmap.ts'
import { clustersIn } from '../../src/search/engine/clusters.ts'
import { Engine } from '../../src/search/engine/engine.ts'
import { cellOf, kilometers } from '../../src/search/engine/globe.ts'
import { Nearest } from '../../src/search/engine/nearest.ts'
import { insidePolygons } from '../../src/search/engine/polygon.ts'
import { prepared } from '../../src/search/engine/prepare.ts'
import type { Entry } from '../../src/search/engine/rows.ts'
import { marksIn } from '../../src/search/engine/squares.ts'
import { statisticsOf } from '../../src/search/engine/statistics.ts'
import { talliesOf } from '../../src/search/engine/tallies.ts'
import { areasOf } from '../../src/search/engine/within.ts'
import { knownPlaces } from '../../src/search/understand/known-places.ts'

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

it('overviews of more than one part are of all hits that were there, although listings come in each pause', () => {
  const size = 40_000
  const engine = new Engine()
  const placeOf = (n: number): Place | null =>
    n % 10 === 0 ? null : [20 + (n % 7) / 10, -103 - (n % 11) / 10]
  for (let n = 0; n < size; n++) engine.apply({ ...entryAt(n, 1, placeOf(n)), bedrooms: n % 4, updated: n })
  for (const _ of engine.settle());
  let come = size
  const working = <T>(work: Generator<void, T>): T => {
    for (let step = work.next(); ; step = work.next()) {
      if (step.done) return step.value
      engine.apply({ ...entryAt(come++, 2, [22, -101]), bedrooms: 9, updated: 1e9 })
    }
  }
  const hits = () =>
    engine.select({ updatedSince: new Date(0), maxBedrooms: 3 }, null, 'all', { groups: [] }).clone()
  const expected = hits().count()
  expect(expected).toBe(size)
  const located = size - size / 10
  const { total, withoutPoint, clusters } = working(clustersIn(engine, hits(), 12, 500))
  expect({ total, withoutPoint }).toEqual({ total: located, withoutPoint: size / 10 })
  expect(clusters.reduce((sum, { count }) => sum + count, 0)).toBe(located)
  const { marks, bounds } = working(marksIn(engine, hits(), undefined, 8))
  expect(marks.reduce((sum, { count }) => sum + count, 0)).toBe(located)
  expect(bounds).toEqual({ west: -104, south: 20, east: -103, north: 20.6 })
  const { bedrooms } = working(talliesOf(engine, ['bedrooms'], { maxBedrooms: 3 }, null, { groups: [] }))
  expect(bedrooms?.values.filter(({ value }) => value !== 9)).toEqual(
    [0, 1, 2, 3].map(value => ({ value, count: size / 4 })),
  )
  const shown = engine.shown.clone()
  shown.and(all(size))
  const latest = working(engine.census.latest(shown, engine.columns.updated.values))
  expect([...latest.values()]).toEqual([size - 1])
  expect(come).toBeGreaterThan(size + 4 * 3)
})

it('bedrooms are counted the same when there are too many numbers of them for labels', () => {
  const engine = new Engine()
  for (let n = 0; n < 500; n++) engine.apply({ ...entryAt(n, 1, null), bedrooms: n % 7 === 0 ? null : n % 9 })
  for (const _ of engine.settle());
  const counted = () => finish(talliesOf(engine, ['bedrooms'], {}, null, { groups: [] })).bedrooms
  const labeled = counted()
  expect(labeled?.values.reduce((sum, { count }) => sum + count, 0)).toBe(428)
  vi.spyOn(engine.columns.bedrooms, 'dictionary', 'get').mockReturnValue(undefined)
  expect(counted()).toEqual(labeled)
})

it('prices end without an error when slots are used again in a pause, so that they can begin again', () => {
  const size = 20_000
  const engine = new Engine()
  const { facets, columns } = engine
  for (let slot = 0; slot < size; slot++) {
    if (slot % 2 === 0) facets.price.add('sale MXN', slot)
    facets.city.set(slot, 'zapopan')
    columns.salePrice.set(slot, slot)
  }
  const working = statisticsOf(engine, all(size), ['city'], {}, 10)
  working.next()
  for (let slot = 1; slot < size; slot += 2) facets.price.add('sale MXN', slot)
  expect(finish(working).groups).toHaveLength(1)
})

/** A public listing, all that matters here being where it is. */
const entryAt = (number: number, xid: number, point: Place | null): Entry => ({
  ...{
    id: [number, 0, 0, 0],
    xid,
    version: [0, xid],
    agent: 'a',
    lat: point?.[0] ?? null,
    lng: point?.[1] ?? null,
  },
  ...{ isPublic: true, isOnMarket: false, featured: false, isExclusive: false, hasMedia: false },
  ...{ type: 'house', state: 'Jalisco', city: 'zapopan', cityName: 'Zapopan', title: '', amenities: [] },
  ...{ municipality: null, neighborhood: null, neighborhoodName: null, rentPeriod: null },
  ...{ salePrice: null, saleCurrency: null, rentPrice: null, rentCurrency: null, commission: null },
  ...{ bedrooms: null, bathrooms: null, parking: null, construction: null, lot: null, halfBathrooms: null },
  ...{ yearBuilt: null, floors: null, updated: 0, newest: 0, lowered: null, words: Buffer.alloc(4) },
})

const insideAll =
  ({ polygons, rectangle: box, circle }: Filters) =>
  (...[lat, lng]: Place) =>
    (!polygons || insidePolygons(polygons)(lat, lng)) &&
    (!box || (lat >= box.swLat && lat <= box.neLat && lng >= box.swLng && lng <= box.neLng)) &&
    (!circle || kilometers(circle.lat, circle.lng, lat, lng) <= circle.radiusKm)

it('what is inside polygons, large rectangles and circles, and begins with a title, is found in steps while listings come, move and go, and slots are swept and reused', () => {
  const coordinate = (middle: number) => fc.double({ min: middle - 1, max: middle + 1, noNaN: true })
  const point = fc.tuple(coordinate(20), coordinate(-103))
  // Without a point, or gone.
  const where = fc.oneof({ weight: 8, arbitrary: point }, fc.constant(null), fc.constant('gone' as const))
  const ring = fc.array(point, { minLength: 3, maxLength: 12 })
  // Large enough to be found in steps.
  const south = fc.double({ min: 17, max: 19.5, noNaN: true })
  const west = fc.double({ min: -106, max: -103.5, noNaN: true })
  const areas = fc.record(
    {
      polygons: fc.array(fc.tuple(ring), { minLength: 1, maxLength: 2 }),
      rectangle: fc
        .tuple(south, west)
        .map(([swLat, swLng]) => ({ swLat, swLng, neLat: swLat + 2.5, neLng: swLng + 2.5 })),
      circle: fc
        .tuple(point, fc.integer({ min: 130, max: 300 }))
        .map(([[lat, lng], radiusKm]) => ({ lat, lng, radiusKm })),
    },
    { requiredKeys: [] },
  )
  const some = areas.filter(filters => areasOf(filters).length > 0)
  // True of slots that were reused since, by kind of area.
  const seen = { polygons: 0, rectangle: 0, circle: 0, outdated: 0 }
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 300, maxLength: 400 }),
      fc.array(fc.tuple(fc.nat(299), where), { minLength: 30, maxLength: 50 }),
      fc.array(fc.tuple(fc.nat(2000), where), { minLength: 60, maxLength: 120 }),
      some,
      fc.constantFrom(undefined, 'par'),
      fc.integer({ min: 1, max: 30 }),
      (first, before, during, filters, titleStart, atOnce) => {
        const engine = new Engine({ few: 300, retired: 5, slice: 150 })
        for (const _step of engine.settle());
        const model = new Map<number, Place | null>()
        let [xid, taken] = [0, 0]
        const put = (number: number, at: Place | null | 'gone') => {
          const title = number % 2 ? 'impar' : 'par'
          const entry = { ...entryAt(number, ++xid, at === 'gone' ? null : at), title }
          engine.apply(at === 'gone' ? { ...entry, agent: null } : entry)
          if (at === 'gone') model.delete(number)
          else {
            model.set(number, at)
            taken++
          }
        }
        for (const [number, at] of first.entries()) put(number, at)
        // A sweep has begun, and ends while what is inside is looked for.
        for (const [number, at] of before) put(number, at)
        const [atStart, size] = [engine.live.clone(), taken]
        const finding = prepared(engine, filters, { groups: [], titleStart })
        let step = finding.next()
        for (let next = 0; !step.done; step = finding.next(), next += atOnce)
          for (const [number, at] of during.slice(next, next + atOnce)) put(number, at)
        const isInside = insideAll(filters)
        const isTitled = (number: number) => titleStart === undefined || number % 2 === 0
        const inside = [...model].flatMap(([number, at]) =>
          at && isInside(...at) && isTitled(number) ? [number] : [],
        )
        const criteria = { ...filters, sort: 'newest', page: 1, limit: 3000 } as const
        const { slots } = engine.search(criteria, null, step.value)
        expect(new Set(slots.map(slot => engine.ids.at(slot)[0]))).toEqual(new Set(inside))
        const isReused = engine.live.slots().some(slot => slot < size && !atStart.has(slot))
        for (const [n, { name, shape }] of areasOf(filters).entries()) {
          if (!step.value.within?.[n]?.isOf(engine, shape)) seen.outdated++
          else if (isReused) seen[name]++
        }
      },
    ),
    { numRuns: 40, endOnFailure: true },
  )
  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0)
})

it('a place that only drafts had is not known to the public, even if their slots are used again while places are read', () => {
  // More than are read between two pauses, and so few that no sweep has begun.
  const drafts = 20_100
  const engine = new Engine({ few: 300, retired: drafts + 50, slice: 1e9 })
  const put = (number: number, xid: number, changed: Partial<Entry>) =>
    engine.apply({ ...entryAt(number, xid, null), ...changed })
  const hidden = { isPublic: false, neighborhood: 'secreta', neighborhoodName: 'Secreta' }
  for (let i = 0; i < drafts; i++) put(i, 1, hidden)
  for (const _step of engine.settle());
  for (let i = 0; i < drafts; i++) put(i, 2, { agent: null })
  const publish = (xid: number) => {
    for (let i = 0; i < 200; i++) put(drafts + i, xid, {})
  }
  const reading = knownPlaces(engine)
  let step = reading.next()
  // States, cities, then neighborhoods: any sooner, and the set would be empty by then.
  for (let pauses = 1; !step.done; step = reading.next(), pauses++) {
    if (pauses === 3) for (const xid of [3, 4]) publish(xid)
  }
  publish(5)
  expect(engine.shown.count()).toBe(200)
  expect(step.value.map(({ folded }) => folded)).not.toContain('secreta')
})
