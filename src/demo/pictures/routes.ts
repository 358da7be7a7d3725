import type { FastifyInstance } from 'fastify'
import { shareJpeg } from '../../files/images.ts'
import { Problem } from '../../lib/problem.ts'
import { propertyTypes } from '../../lookups/catalog.ts'
import { drawProperty, drawSign } from './draw.ts'
import { PICTURES } from './paths.ts'
import { drawPortrait } from './portrait.ts'

/** The demo's pictures, drawn on request. They contain nothing from the database. */
export function registerDemoPictures(app: FastifyInstance): void {
  app.get<{ Params: { kind: string; seed: string; file: string } }>(
    `${PICTURES}/:kind/:seed/:file`,
    { schema: { hide: true } },
    async (request, reply) => {
      const { kind, seed, file } = request.params
      const type = propertyTypes.find(one => one === kind)
      const [, index, format] = /^(\d{1,2})\.(svg|jpg)$/.exec(file) ?? []
      if (
        !(type || kind === 'agency' || kind === 'agent') ||
        !/^\d{1,7}$/.test(seed) ||
        index === undefined
      ) {
        throw new Problem('not_found')
      }
      const drawOther = kind === 'agent' ? drawPortrait : drawSign
      const drawing = type ? drawProperty(Number(seed), type, Number(index)) : drawOther(Number(seed))
      reply.header('cache-control', 'public, max-age=86400')
      if (format === 'jpg') return reply.type('image/jpeg').send(await shareJpeg(drawing))
      return reply.type('image/svg+xml').send(drawing)
    },
  )
}
