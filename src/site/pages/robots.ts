import type { FastifyInstance } from 'fastify'

export function registerRobots(app: FastifyInstance, { publicUrl }: { publicUrl: string }): void {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        [
          'User-agent: *',
          'Disallow: /portal',
          'Disallow: /api/',
          'Disallow: /mapa.json',
          'Disallow: /sugerencias.json',
          '',
          `Sitemap: ${publicUrl}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  )
}
