import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Db } from '../db/database.ts'
import { answers } from '../http/openapi.ts'
import { describe } from '../lib/fields.ts'
import { CURRENCIES } from '../lib/money.ts'
import { NotReady } from '../lib/problem.ts'
import { numberParameter, querySchema } from '../lib/query.ts'
import { Enum, Nullable, Uuid } from '../lib/schemas.ts'
import { operations } from '../lookups/catalog.ts'
import type { Cluster } from './engine/clusters.ts'
import { MAX_ZOOM } from './engine/squares.ts'
import { extraParameters, RateAnswer, readOverview } from './extras.ts'
import { criteriaParameters } from './parameters.ts'
import type { Search } from './service.ts'

const MAX_CLUSTERS = 500

const own = {
  zoom: describe(
    numberParameter({ min: 0, max: MAX_ZOOM, decimals: 0 }),
    'Of a web map: a square is a quarter of a tile wide. Default: what fits the results.',
    11,
  ),
}

const ClusterAnswer = Type.Object({
  lat: Type.Number({ description: 'The mean of the displayed points.', example: 20.6741 }),
  lng: Type.Number({ example: -103.3872 }),
  count: Type.Integer({ example: 38 }),
  bounds: Type.Object({
    sw_lat: Type.Number({ example: 20.66 }),
    sw_lng: Type.Number({ example: -103.4 }),
    ne_lat: Type.Number({ example: 20.69 }),
    ne_lng: Type.Number({ example: -103.37 }),
  }),
  prices: Type.Array(
    Type.Object({
      operation: Enum(operations),
      currency: Enum(CURRENCIES),
      min: Type.Number({ example: 1_950_000 }),
      max: Type.Number({ example: 8_400_000 }),
    }),
    { description: 'The lowest and the highest price of each operation and currency.' },
  ),
  id: Nullable({ ...Uuid, description: 'The listing, if it is the only one.' }),
})

export function registerClusters(
  app: FastifyInstance,
  { db, search }: { db: Db; search: Search | undefined },
): void {
  app.get(
    '/properties/clusters',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'clusterListings',
        summary: 'Search results on a map',
        description: `Counts what a search with the same filters finds, in squares of a map: at most ${MAX_CLUSTERS}, those with the most listings first. If there would be more, a smaller zoom is used.`,
        tags: ['Listings'],
        querystring: querySchema({ ...own, ...criteriaParameters, ...extraParameters }),
        response: answers(
          {
            schema: Type.Object({
              zoom: Type.Integer({ description: 'The zoom of the squares.', example: 11 }),
              total: Type.Integer({ description: 'The listings in all squares.', example: 412 }),
              without_point: Type.Integer({
                description: 'Listings found that have no point on the map.',
                example: 0,
              }),
              rate: Type.Optional(RateAnswer),
              content: Type.Array(ClusterAnswer),
            }),
            description: 'The squares, with exact counts.',
          },
          ['validation'],
        ),
      },
    },
    async request => {
      const query = request.query as URLSearchParams
      const { asked, filters, rate } = await readOverview(own, db, query, request.caller.agentId)
      if (!search) throw new NotReady('there is no search')
      const { zoom, clusters, total, withoutPoint } = await search.clusters(
        filters,
        request.caller.agentId,
        asked.zoom,
        MAX_CLUSTERS,
      )
      return { ...rate, zoom, total, without_point: withoutPoint, content: clusters.map(clusterRecord) }
    },
  )
}

const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6

const clusterRecord = ({ lat, lng, count, bounds, prices, id }: Cluster) => ({
  lat: rounded(lat),
  lng: rounded(lng),
  count,
  bounds: { sw_lat: bounds.swLat, sw_lng: bounds.swLng, ne_lat: bounds.neLat, ne_lng: bounds.neLng },
  prices,
  id: id ?? null,
})
