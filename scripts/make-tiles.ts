/**
 * Writes a small PMTiles file from the map we ship (public/mexico.json): npm run tiles -- mexico.pmtiles. Land, the borders of the
 * states and the cities, in the layers of Protomaps. It has no streets: it is for tests, and to try MAP_PMTILES.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { FeatureCollection, GeoJsonProperties, Geometry } from 'geojson'
import { zxyToTileId } from 'pmtiles'

/** More would not show more: the borders are simplified. */
const MAX_ZOOM = 6
/** West, south, east, north. */
const BOUNDS = [-122, 11, -82, 36.5] as const

interface Country {
  scale: number
  states: { rings: number[][] }[]
  neighbors: number[][]
  cities: [name: string, lat: number, lng: number, rank: number][]
}

const collection = (features: [Geometry, GeoJsonProperties][]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: features.map(([geometry, properties]) => ({ type: 'Feature', geometry, properties })),
})

/** The layers and properties that the styles of protomaps-leaflet look for. */
function layersOf({ scale, states, neighbors, cities }: Country): Record<string, FeatureCollection> {
  const outlines = states.flatMap(({ rings }) => rings.map(ring => unpack(ring, scale)))
  const land = [...outlines, ...neighbors.map(ring => unpack(ring, scale))]
  return {
    earth: collection(land.map(ring => [{ type: 'Polygon', coordinates: [ring] }, { kind: 'earth' }])),
    boundaries: collection(
      outlines.map(ring => [
        { type: 'LineString', coordinates: ring },
        { kind: 'region', kind_detail: 4 },
      ]),
    ),
    places: collection(
      cities.map(([name, lat, lng, rank]) => [
        { type: 'Point', coordinates: [lng, lat] },
        { kind: 'locality', name, min_zoom: rank * 2 + 2 },
      ]),
    ),
  }
}

/** Rings are stored as integer differences between points. */
function unpack(steps: number[], scale: number): number[][] {
  let [x, y] = [0, 0]
  return Array.from({ length: steps.length / 2 }, (_, i) => {
    x += steps[2 * i] as number
    y += steps[2 * i + 1] as number
    return [x / scale, y / scale]
  })
}

/** Compressed tiles in the order of their ids. */
function tilesOf(layers: Record<string, FeatureCollection>): [id: number, tile: Buffer][] {
  const indexes = Object.entries(layers).map(
    ([name, data]) => [name, new GeoJSONVT(data, { maxZoom: MAX_ZOOM })] as const,
  )
  const tiles: [number, Buffer][] = []
  for (let z = 0; z <= MAX_ZOOM; z++)
    for (let x = 0; x < 2 ** z; x++)
      for (let y = 0; y < 2 ** z; y++) {
        const found = indexes.flatMap(([name, index]) => {
          const tile = index.getTile(z, x, y)
          return tile ? [[name, tile] as const] : []
        })
        if (found.length > 0)
          tiles.push([
            zxyToTileId(z, x, y),
            gzipSync(fromGeojsonVt(Object.fromEntries(found), { version: 2 })),
          ])
      }
  return tiles.sort(([a], [b]) => a - b)
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return [...bytes, rest]
}

/** Entries column by column: ids as differences, how many tiles each is, lengths, and offsets (0: after the one before). */
function directoryOf(tiles: [number, Buffer][]): Buffer {
  const ids = tiles.map(([id], i) => id - (tiles[i - 1]?.[0] ?? 0))
  const columns = [
    [tiles.length],
    ids,
    tiles.map(() => 1),
    tiles.map(([, tile]) => tile.length),
    tiles.map((_, i) => (i === 0 ? 1 : 0)),
  ]
  return gzipSync(Buffer.from(columns.flat().flatMap(varint)))
}

const HEADER_BYTES = 127
const GZIP = 2
const VECTOR = 1

/** The PMTiles specification, version 3: header, one directory, metadata, tiles. */
function packTiles(tiles: [number, Buffer][], layers: string[]): Buffer {
  const directory = directoryOf(tiles)
  const metadata = gzipSync(JSON.stringify({ vector_layers: layers.map(id => ({ id, fields: {} })) }))
  const data = Buffer.concat(tiles.map(([, tile]) => tile))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles', 'latin1')
  header[7] = 3
  let at = HEADER_BYTES
  // Where each section is and how long; the third has directories of directories, of which there are none.
  for (const [i, length] of [directory.length, metadata.length, 0, data.length].entries()) {
    header.writeBigUInt64LE(BigInt(at), 8 + 16 * i)
    header.writeBigUInt64LE(BigInt(length), 16 + 16 * i)
    at += length
  }
  for (const i of [0, 1, 2]) header.writeBigUInt64LE(BigInt(tiles.length), 72 + 8 * i)
  header.set([1, GZIP, GZIP, VECTOR, 0, MAX_ZOOM], 96)
  for (const [i, degrees] of BOUNDS.entries()) header.writeInt32LE(degrees * 1e7, 102 + 4 * i)
  header[118] = MAX_ZOOM
  header.writeInt32LE(-99e7, 119)
  header.writeInt32LE(19e7, 123)
  return Buffer.concat([header, directory, metadata, data])
}

export function makeTiles(): Buffer {
  const country = JSON.parse(
    readFileSync(new URL('../public/mexico.json', import.meta.url), 'utf8'),
  ) as Country
  const layers = layersOf(country)
  return packTiles(tilesOf(layers), Object.keys(layers))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const path = process.argv[2]
  if (!path) throw new Error('Name the file to write: npm run tiles -- mexico.pmtiles')
  writeFileSync(path, makeTiles())
}
