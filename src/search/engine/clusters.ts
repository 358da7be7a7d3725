import { CURRENCIES, type Currency } from '../../lib/money.ts'
import { type Operation, operations } from '../../lookups/catalog.ts'
import type { Bitmap } from './bitmap.ts'
import type { Index } from './parts.ts'

export interface Bounds {
  swLat: number
  swLng: number
  neLat: number
  neLng: number
}

export interface PriceRange {
  operation: Operation
  currency: Currency
  min: number
  max: number
}

export interface Cluster {
  /** The mean of its points. */
  lat: number
  lng: number
  count: number
  bounds: Bounds
  prices: PriceRange[]
  /** Of a single listing. */
  id: string | undefined
}

export interface Clusters {
  zoom: number
  clusters: Cluster[]
  /** Hits with a point. */
  total: number
}

export const MAX_ZOOM = 22
/** Squares per tile of a web map, each way: 64 of its 256 pixels. */
const PER_TILE = 4
/** Squares across the hits, if no zoom is given. */
const ACROSS = 16

const sideAt = (zoom: number) => 360 / 2 ** zoom / PER_TILE

interface Gathered extends Bounds {
  lat: number
  lng: number
  slots: number[]
}

/**
 * The hits that have a point, gathered in squares aligned to the equator and the prime meridian, so that moving the map
 * regroups nothing. With more than `most` squares, the next smaller zoom is used.
 */
export function clustersIn(index: Index, hits: Bitmap, zoom: number | undefined, most: number): Clusters {
  const lat = index.columns.lat.values
  const slots = hits.slots().filter(slot => !Number.isNaN(lat[slot] as number))
  let used = zoom ?? zoomFor(boundsOf(index, slots))
  while (used > 0 && !fits(index, slots, used, most)) used--
  const clusters = gather(index, slots, used).map(square => clusterOf(index, square))
  clusters.sort((a, b) => b.count - a.count || a.lat - b.lat || a.lng - b.lng)
  return { zoom: used, clusters, total: slots.length }
}

function zoomFor({ swLat, swLng, neLat, neLng }: Bounds): number {
  const wide = Math.max(neLat - swLat, neLng - swLng)
  const zoom = Math.floor(Math.log2(360 / PER_TILE / (wide / ACROSS)))
  return wide > 0 ? Math.max(0, Math.min(MAX_ZOOM, zoom)) : MAX_ZOOM
}

const NOWHERE: Bounds = { swLat: Infinity, swLng: Infinity, neLat: -Infinity, neLng: -Infinity }

function boundsOf({ columns: { lat, lng } }: Index, slots: Int32Array): Bounds {
  const bounds = { ...NOWHERE }
  for (const slot of slots) widen(bounds, lat.get(slot), lng.get(slot))
  return bounds
}

function widen(bounds: Bounds, y: number, x: number): void {
  if (y < bounds.swLat) bounds.swLat = y
  if (y > bounds.neLat) bounds.neLat = y
  if (x < bounds.swLng) bounds.swLng = x
  if (x > bounds.neLng) bounds.neLng = x
}

/** Zooms that are far too fine are given up after a few listings. */
function fits({ columns: { lat, lng } }: Index, slots: Int32Array, zoom: number, most: number): boolean {
  const side = sideAt(zoom)
  const squares = new Set<number>()
  for (const slot of slots) {
    squares.add(squareOf(lat.get(slot), lng.get(slot), side))
    if (squares.size > most) return false
  }
  return true
}

const squareOf = (lat: number, lng: number, side: number) =>
  Math.floor(lat / side) * 2 ** 26 + Math.floor(lng / side)

function gather({ columns }: Index, slots: Int32Array, zoom: number): Gathered[] {
  const side = sideAt(zoom)
  const squares = new Map<number, Gathered>()
  for (const slot of slots) {
    const [y, x] = [columns.lat.get(slot), columns.lng.get(slot)]
    const key = squareOf(y, x, side)
    let square = squares.get(key)
    if (!square) {
      square = { ...NOWHERE, lat: 0, lng: 0, slots: [] }
      squares.set(key, square)
    }
    square.lat += y
    square.lng += x
    square.slots.push(slot)
    widen(square, y, x)
  }
  return [...squares.values()]
}

function clusterOf(index: Index, { slots, lat, lng, ...bounds }: Gathered): Cluster {
  const [first] = slots as [number]
  return {
    lat: lat / slots.length,
    lng: lng / slots.length,
    count: slots.length,
    bounds,
    prices: pricesOf(index, slots),
    id: slots.length === 1 ? index.ids.text(first) : undefined,
  }
}

function pricesOf({ facets, columns }: Index, slots: number[]): PriceRange[] {
  return operations.flatMap(operation =>
    CURRENCIES.flatMap(currency => {
      const priced = facets.price.sets.get(`${operation} ${currency}`)
      const { values } = operation === 'sale' ? columns.salePrice : columns.rentPrice
      let [min, max] = [Infinity, -Infinity]
      for (const slot of slots) {
        if (!priced?.has(slot)) continue
        const price = values[slot] as number
        if (price < min) min = price
        if (price > max) max = price
      }
      return min <= max ? [{ operation, currency, min, max }] : []
    }),
  )
}
