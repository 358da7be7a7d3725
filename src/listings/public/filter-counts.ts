import type { FastifyInstance } from 'fastify'
import { refuseIfAny } from '../../lib/problem.ts'
import type { Market, SiteDeps } from '../../site/market.ts'
import { queryOf } from './asking.ts'
import { compared } from './currency.tsx'
import { readFilters } from './filters.ts'
import { find } from './results.tsx'

/** About 3 KB each. */
const KEPT_COUNTS = 200

/** What the search form would find as it is filled in, and with each value of its filters instead. */
export function registerFilterCounts(app: FastifyInstance, { readerFor }: SiteDeps, market: Market): void {
  const answers = market.rememberedEach<string>(KEPT_COUNTS)
  app.get('/filtros.json', async (request, reply) => {
    const query = await queryOf(market, request.query as URLSearchParams)
    for (const name of ['page', 'limit']) query.delete(name)
    const read = readFilters(query, 'es')
    refuseIfAny(read.issues)
    const { criteria } = await compared(readerFor(request), query, read.criteria)
    // The rate is not in the query.
    const answer = await answers.get(JSON.stringify([criteria, query.toString()]), async () => {
      const { found, criteria: answered } = await find(market, { ...criteria, limit: 1 }, query)
      const counts = [...(await market.countOffers(answered))].map(([name, values]) => [
        name,
        Object.fromEntries(values),
      ])
      return JSON.stringify({ total: found?.pagination.total ?? 0, counts: Object.fromEntries(counts) })
    })
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(answer)
  })
}
