import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CELL_MICRO, type Point, pointIssues, publicPoint, roundPoint } from '../../src/listings/location.ts'

const KEY = 'a key only the server knows'
const micro = (degrees: number) => Math.round(degrees * 1e6)
const cellOf = ({ lat, lng }: Point) => [micro(lat), micro(lng)].map(value => Math.floor(value / CELL_MICRO))
const hasSixDecimals = (degrees: number) => micro(degrees) / 1e6 === degrees

/** A cell of Mexico by its row and column, and a position in it. */
const cell = fc.record({
  row: fc.integer({ min: 4_667, max: 11_166 }),
  column: fc.integer({ min: -39_666, max: -28_667 }),
})
const inside = fc.record({
  north: fc.integer({ min: 0, max: CELL_MICRO - 1 }),
  east: fc.integer({ min: 0, max: CELL_MICRO - 1 }),
})
type Cell = { row: number; column: number }
type Inside = { north: number; east: number }
const pointIn = ({ row, column }: Cell, { north, east }: Inside): Point => ({
  lat: (row * CELL_MICRO + north) / 1e6,
  lng: (column * CELL_MICRO + east) / 1e6,
})
const CENTER: Inside = { north: CELL_MICRO / 2, east: CELL_MICRO / 2 }

const METERS_PER_DEGREE = 111_320
function meters(a: Point, b: Point): number {
  const north = (a.lat - b.lat) * METERS_PER_DEGREE
  const east = (a.lng - b.lng) * METERS_PER_DEGREE * Math.cos((a.lat * Math.PI) / 180)
  return Math.hypot(north, east)
}

describe('the public point', () => {
  it('is in the cell of the exact point, with at most six decimals', () => {
    fc.assert(
      fc.property(cell, inside, fc.uuid(), (square, place, id) => {
        const shown = publicPoint(KEY, id, pointIn(square, place))
        expect(cellOf(shown)).toEqual([square.row, square.column])
        expect(hasSixDecimals(shown.lat) && hasSixDecimals(shown.lng)).toBe(true)
      }),
    )
  })

  it('is the same for every position in the cell: it reveals only the cell', () => {
    fc.assert(
      fc.property(cell, inside, inside, fc.uuid(), (square, one, two, id) => {
        expect(publicPoint(KEY, id, pointIn(square, one))).toEqual(publicPoint(KEY, id, pointIn(square, two)))
      }),
    )
  })

  it('is not revealed by digits beyond the sixth', () => {
    const dust = fc.double({ min: -4e-7, max: 4e-7, noNaN: true })
    fc.assert(
      fc.property(cell, inside, dust, dust, fc.uuid(), (square, place, a, b, id) => {
        const { lat, lng } = pointIn(square, place)
        expect(publicPoint(KEY, id, { lat: lat + a, lng: lng + b })).toEqual(
          publicPoint(KEY, id, { lat, lng }),
        )
      }),
    )
  })

  it('moves by whole cells: its position within the cell does not depend on the cell', () => {
    fc.assert(
      fc.property(cell, cell, inside, fc.uuid(), (one, two, place, id) => {
        const [a, b] = [publicPoint(KEY, id, pointIn(one, place)), publicPoint(KEY, id, pointIn(two, place))]
        expect(micro(b.lat) - micro(a.lat)).toBe((two.row - one.row) * CELL_MICRO)
        expect(micro(b.lng) - micro(a.lng)).toBe((two.column - one.column) * CELL_MICRO)
      }),
    )
  })

  it('depends on the listing and on the key', () => {
    const point = { lat: 19.4326, lng: -99.1332 }
    const shown = new Set(
      [KEY, 'another key'].flatMap(key =>
        Array.from({ length: 100 }, (_, i) => JSON.stringify(publicPoint(key, `listing-${i}`, point))),
      ),
    )
    expect(shown.size).toBe(200)
  })

  it('is evenly distributed: about a quarter of the listings in each quarter of the cell', () => {
    const square = { row: 6_477, column: -33_045 }
    const quarters = new Map<string, number>()
    for (let i = 0; i < 2_000; i++) {
      const shown = publicPoint(KEY, `listing-${i}`, pointIn(square, CENTER))
      const isNorth = micro(shown.lat) - square.row * CELL_MICRO >= CELL_MICRO / 2
      const isEast = micro(shown.lng) - square.column * CELL_MICRO >= CELL_MICRO / 2
      const quarter = `${isNorth} ${isEast}`
      quarters.set(quarter, (quarters.get(quarter) ?? 0) + 1)
    }
    expect(quarters.size).toBe(4)
    for (const count of quarters.values()) expect(Math.abs(count - 500)).toBeLessThan(120)
  })
})

describe('the mean of a thousand listings of one building', () => {
  const square = { row: 6_477, column: -33_045 }
  const center = pointIn(square, CENTER)
  const last = CELL_MICRO - 1
  const buildings: [where: string, place: Inside][] = [
    ['in a corner', { north: 0, east: 0 }],
    ['in the opposite corner', { north: last, east: last }],
    ['at the north edge', { north: last, east: CELL_MICRO / 2 }],
    ['at the west edge', { north: CELL_MICRO / 2, east: 0 }],
    ['halfway to a corner', { north: CELL_MICRO / 4, east: CELL_MICRO / 4 }],
  ]

  function meanOf(building: Point): Point {
    const points = Array.from({ length: 1_000 }, (_, i) => publicPoint(KEY, `listing-${i}`, building))
    const sum = points.reduce((a, b) => ({ lat: a.lat + b.lat, lng: a.lng + b.lng }))
    return { lat: sum.lat / points.length, lng: sum.lng / points.length }
  }

  it.each(buildings)('is near the middle of the cell, not near a building %s', (_where, place) => {
    const building = pointIn(square, place)
    const mean = meanOf(building)
    expect(meters(mean, center)).toBeLessThan(20)
    expect(meters(mean, building)).toBeGreaterThan(60)
  })

  it('is the same for every building in the cell', () => {
    const means = buildings.map(([, place]) => meanOf(pointIn(square, place)))
    for (const mean of means) expect(mean).toEqual(means[0])
  })
})

describe('the exact point, when shown', () => {
  it('is within half a unit of the sixth decimal', () => {
    const lat = fc.double({ min: 14, max: 33.5, noNaN: true })
    const lng = fc.double({ min: -119, max: -86, noNaN: true })
    fc.assert(
      fc.property(lat, lng, (a, b) => {
        const shown = roundPoint({ lat: a, lng: b })
        expect(hasSixDecimals(shown.lat) && hasSixDecimals(shown.lng)).toBe(true)
        expect(Math.abs(shown.lat - a)).toBeLessThan(5.1e-7)
        expect(Math.abs(shown.lng - b)).toBeLessThan(5.1e-7)
      }),
    )
  })
})

describe('coordinates', () => {
  it('anywhere in the rectangle around Mexico are accepted, its edges included', () => {
    for (const lat of [14, 19.4, 33.5]) {
      for (const lng of [-119, -99.1, -86]) expect(pointIssues({ lat, lng })).toEqual([])
    }
  })

  it('anywhere else are rejected with one reason', () => {
    const outside = fc
      .record({
        lat: fc.double({ min: -90, max: 90, noNaN: true }),
        lng: fc.double({ min: -180, max: 180, noNaN: true }),
      })
      .filter(({ lat, lng }) => lat < 14 || lat > 33.5 || lng < -119 || lng > -86)
    fc.assert(fc.property(outside, point => pointIssues(point).length === 1))
  })
})
