import type { FastifyInstance } from 'fastify'
import { type BaseMap, baseMapData } from '../../http/base-map.ts'
import { NotReady, refuseIfAny } from '../../lib/problem.ts'
import { ACROSS, shortMark, viewOf } from '../../listings/public/map-data.ts'
import { useVisit } from '../../portal/context.ts'
import { VERIFIED } from '../../portal/guard.ts'
import { signedIn } from '../../portal/layout.tsx'
import { APPROXIMATE_METERS } from '../../site/linked-data.tsx'
import { type Bounds, drawMap, MEXICO, widened } from '../../site/map/base-map.ts'
import type { Listing } from '../../site/words.ts'
import { cleanQuery, readMarketQuery } from '../parameters.ts'
import { askerOf, type MarketDeps } from '../service.ts'
import { HOME } from './words.tsx'

export function registerMarketMap(app: FastifyInstance, deps: MarketDeps): void {
  async function marksOf(agentId: string, query: URLSearchParams, view: Bounds | undefined) {
    const { value, issues } = readMarketQuery(cleanQuery(query), await askerOf(deps, agentId))
    refuseIfAny(issues)
    if (!deps.search) throw new NotReady('there is no search')
    const { squares, bounds } = await deps.search.map(value, agentId, view, ACROSS, 'market')
    const marks = squares.map(({ record, ...square }) => ({
      ...square,
      listing: record && (JSON.parse(record.toString()) as Listing),
    }))
    return { marks, bounds: bounds ? widened(bounds) : MEXICO }
  }

  app.get('/market/map.json', VERIFIED, async (request, reply) => {
    const query = request.query as URLSearchParams
    const { marks, bounds } = await marksOf(signedIn(request).id, query, viewOf(query.get('view')))
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ bounds, marks: marks.map(shortMark(deps.publicUrl)) }))
  })

  app.get('/market/map.svg', VERIFIED, async (request, reply) => {
    const { marks, bounds } = await marksOf(signedIn(request).id, request.query as URLSearchParams, undefined)
    return reply.type('image/svg+xml').send(drawMap(bounds, marks))
  })
}

/** A picture that map.js makes interactive. */
export function MarketMap({ query, baseMap }: { query: URLSearchParams; baseMap: BaseMap }) {
  const { t } = useVisit()
  const filters = new URLSearchParams(query)
  filters.delete('page')
  const words = {
    area: t('Buscar en esta zona', 'Search this area'),
    many: t('propiedades', 'listings'),
    zoomIn: t('Acercar', 'Zoom in'),
    zoomOut: t('Alejar', 'Zoom out'),
    failed: t('El mapa no cargó. Intenta de nuevo.', 'The map did not load. Try again.'),
  }
  return (
    // The styles of maps are the site's.
    <div class="site rounded-box">
      <div
        class="map-box"
        data-map="results"
        data-points={`${HOME}/map.json?${filters}`}
        data-search={HOME}
        data-meters={APPROXIMATE_METERS}
        data-listing={`${HOME}/`}
        {...baseMapData(baseMap)}
        data-words={JSON.stringify(words)}
      >
        <img
          src={`${HOME}/map.svg?${filters}`}
          alt={t('Mapa con las zonas donde hay propiedades', 'Map of the areas with listings')}
          width="900"
          height="560"
        />
      </div>
    </div>
  )
}
