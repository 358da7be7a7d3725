import type { FastifyInstance } from 'fastify'
import { Problem } from '../../lib/problem.ts'
import { propertyTypes } from '../../lookups/catalog.ts'
import { drawProperty, drawSign } from './draw.ts'
import { PICTURES } from './paths.ts'

/** The demo's pictures, drawn on request. They contain nothing from the database. */
export function registerDemoPictures(app: FastifyInstance): void {
  app.get<{ Params: { kind: string; seed: string; file: string } }>(
    `${PICTURES}/:kind/:seed/:file`,
    { schema: { hide: true } },
    (request, reply) => {
      const { kind, seed, file } = request.params
      const type = propertyTypes.find(one => one === kind)
      const index = /^(\d{1,2})\.svg$/.exec(file)?.[1]
      if (!(type || kind === 'agency') || !/^\d{1,7}$/.test(seed) || index === undefined) {
        throw new Problem('not_found')
      }
      return reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=86400')
        .send(type ? drawProperty(Number(seed), type, Number(index)) : drawSign(Number(seed)))
    },
  )
}
