import type { FastifyInstance } from 'fastify'
import { Problem, refuseIfAny } from '../../lib/problem.ts'
import type { Criteria } from '../../search/criteria.ts'
import { APPROXIMATE_METERS } from '../../site/linked-data.tsx'
import { type Bounds, drawMap, MEXICO } from '../../site/map/base-map.ts'
import type { Market, SiteDeps } from '../../site/market.ts'
import { pictureSrc } from '../../site/words.ts'
import { compared } from './currency.tsx'
import { cleanQuery, readFilters } from './filters.ts'

const number = '(-?\\d{1,3}(?:\\.\\d{1,15})?)'
const VIEW = new RegExp(`^${[number, number, number, number].join(',')}$`)
const POINT = new RegExp(`^${[number, number].join(',')}$`)
/** Squares across the map, at most and at least half as many; each becomes one marker. */
export const ACROSS = 20

/** Each is 30 to 50 KB as a picture. */
const KEPT_MAPS = 50

/** Map markers: all results, clustered by proximity. */
export function registerMapData(
  app: FastifyInstance,
  { readerFor, publicUrl }: SiteDeps,
  market: Market,
): void {
  const data = market.rememberedEach<string>(KEPT_MAPS)
  const pictures = market.rememberedEach<string>(KEPT_MAPS)

  app.get('/mapa.json', async (request, reply) => {
    const sent = request.query as URLSearchParams
    const query = cleanQuery(sent)
    const read = readFilters(query, 'es')
    const view = viewOf(sent.get('view'))
    refuseIfAny(read.issues)
    const { criteria } = await compared(readerFor(request), query, read.criteria)
    const draw = async () => {
      const { marks, bounds } = await market.marks(criteria, view, ACROSS)
      return JSON.stringify({ bounds, marks: marks.map(shortMark(publicUrl)) })
    }
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache')
    // Two visitors rarely look at the same part of the map.
    return reply.send(view ? await draw() : await data.get(placesOf(criteria), draw))
  })

  app.get('/mapa.svg', async (request, reply) => {
    const sent = request.query as URLSearchParams
    reply.type('image/svg+xml').header('cache-control', 'no-cache')
    const point = POINT.exec(sent.get('punto') ?? '')
    if (point) return reply.send(drawPoint({ lat: Number(point[1]), lng: Number(point[2]) }))
    const query = cleanQuery(sent)
    const read = readFilters(query, 'es')
    if (read.issues.length > 0) return reply.send(drawMap(MEXICO, []))
    const { criteria } = await compared(readerFor(request), query, read.criteria)
    const picture = await pictures.get(placesOf(criteria), async () => {
      const { marks, bounds } = await market.marks(criteria, undefined, ACROSS)
      return drawMap(bounds, marks)
    })
    return reply.send(picture)
  })
}

/** The map shows all results, so every page and sort order shares one. */
function placesOf({ page: _page, limit: _limit, sort: _sort, ...places }: Criteria): string {
  return JSON.stringify(places)
}

type Mark = Awaited<ReturnType<Market['marks']>>['marks'][number]

/** Compact: latitude, longitude, count; for a single listing also slug, price, title, whether it is exact, and a photo. */
export const shortMark =
  (publicUrl: string) =>
  ({ lat, lng, count, listing }: Mark): unknown[] => {
    if (!listing) return [round(lat), round(lng), count]
    const price = listing.operations[0]?.formatted_amount ?? ''
    const photo = listing.images[0]?.thumb
    const mark = [lat, lng, 1, listing.slug, price, listing.title, listing.location.exact ? 1 : 0]
    return photo ? [...mark, pictureSrc(photo, publicUrl)] : mark
  }

function drawPoint(at: { lat: number; lng: number }): string {
  const isMexico =
    at.lat > MEXICO.south && at.lat < MEXICO.north && at.lng > MEXICO.west && at.lng < MEXICO.east
  if (!isMexico) throw new Problem('not_found')
  const around = { west: at.lng - 4, east: at.lng + 4, south: at.lat - 2.4, north: at.lat + 2.4 }
  return drawMap(around, [], { ...at, meters: Math.max(APPROXIMATE_METERS, 9_000) })
}

const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4

export function viewOf(text: string | null): Bounds | undefined {
  const [, west, south, east, north] = (VIEW.exec(text ?? '') ?? []).map(Number)
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined
  return west < east && south < north ? { west, south, east, north } : undefined
}
