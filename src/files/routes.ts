import type { FastifyInstance } from 'fastify'
import { Problem } from '../lib/problem.ts'
import type { Storage } from './storage.ts'

export const mediaPath = (name: string): string => `/media/${name}`

/** Public images. Their names are random and their content never changes. */
export function registerMedia(app: FastifyInstance, files: Storage): void {
  app.get<{ Params: { name: string } }>(
    mediaPath(':name'),
    { schema: { hide: true } },
    async (request, reply) => {
      const file = await files.stream('media', request.params.name)
      if (!file) throw new Problem('not_found')
      return reply
        .type('image/webp')
        .header('content-length', file.bytes)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(file.content)
    },
  )
}
