import type { FastifyInstance } from 'fastify'
import { Problem, refuseIfAny } from '../../lib/problem.ts'
import { APPROXIMATE_METRES } from '../../site/linked-data.tsx'
import { type Bounds, drawMap, MEXICO } from '../../site/map/base-map.ts'
import type { Market } from '../../site/market.ts'
import { cleanQuery, readFilters } from './filters.ts'

const number = '(-?\\d{1,3}(?:\\.\\d{1,15})?)'
const VIEW = new RegExp(`^${[number, number, number, number].join(',')}$`)
const POINT = new RegExp(`^${[number, number].join(',')}$`)
/** Grid columns across the map; each cell becomes one marker. */
const ACROSS = 14

/** Map markers: all results, clustered by proximity. */
export function registerMapData(app: FastifyInstance, market: Market): void {
  app.get('/mapa.json', async (request, reply) => {
    const sent = request.query as URLSearchParams
    const { criteria, issues } = readFilters(cleanQuery(sent), 'es')
    const view = viewOf(sent.get('view'))
    refuseIfAny(issues)
    const { marks, bounds } = await market.marks(criteria, view, ACROSS)
    return reply.header('cache-control', 'no-cache').send({
      bounds,
      // Compact: latitude, longitude, count; for a single listing also slug, price, title and whether it is exact.
      marks: marks.map(({ lat, lng, count, listing }) =>
        listing
          ? [
              lat,
              lng,
              1,
              listing.slug,
              listing.operations[0]?.formatted_amount ?? '',
              listing.title,
              listing.location.exact ? 1 : 0,
            ]
          : [round(lat), round(lng), count],
      ),
    })
  })

  app.get('/mapa.svg', async (request, reply) => {
    const sent = request.query as URLSearchParams
    reply.type('image/svg+xml').header('cache-control', 'no-cache')
    const point = POINT.exec(sent.get('punto') ?? '')
    if (point) {
      const at = { lat: Number(point[1]), lng: Number(point[2]) }
      const isMexico =
        at.lat > MEXICO.south && at.lat < MEXICO.north && at.lng > MEXICO.west && at.lng < MEXICO.east
      if (!isMexico) throw new Problem('not_found')
      const around = { west: at.lng - 4, east: at.lng + 4, south: at.lat - 2.4, north: at.lat + 2.4 }
      return reply.send(drawMap(around, [], { ...at, metres: Math.max(APPROXIMATE_METRES, 9_000) }))
    }
    const { criteria, errors } = readFilters(cleanQuery(sent), 'es')
    if (errors.length > 0) return reply.send(drawMap(MEXICO, []))
    const { marks, bounds } = await market.marks(criteria, undefined, ACROSS)
    return reply.send(drawMap(bounds, marks))
  })
}

const round = (degrees: number) => Math.round(degrees * 1e4) / 1e4

function viewOf(text: string | null): Bounds | undefined {
  const [, west, south, east, north] = (VIEW.exec(text ?? '') ?? []).map(Number)
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined
  return west < east && south < north ? { west, south, east, north } : undefined
}
