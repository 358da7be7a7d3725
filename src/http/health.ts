import { createServer, type Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** One part of the process: `ok`, or what is the matter with it. */
type Check = () => string | Promise<string>

export interface Readiness {
  ok: boolean
  checks: Record<string, string>
}

interface Checks {
  db: Db
  /** Asked to stop: it still answers, but a load balancer should send it nothing new. */
  isStopping(): boolean
  /** Whatever else must be `ok`. */
  needed?: Record<string, Check>
  /** Reported only: taking every process out of service would not give any of them back its disk. */
  reported?: Record<string, Check>
}

/** Whether the process can serve, and what keeps it from it. */
export const readinessOf =
  ({ db, isStopping, needed = {}, reported = {} }: Checks) =>
  async (): Promise<Readiness> => {
    const must: Record<string, Check> = {
      process: () => (isStopping() ? 'stopping' : 'ok'),
      database: async () => {
        await sql`select 1`.execute(db)
        return 'ok'
      },
      ...needed,
    }
    const found = await Promise.all(
      Object.entries({ ...must, ...reported }).map(async ([name, check]) => {
        const state = await Promise.resolve()
          .then(check)
          .catch(() => 'does not respond')
        return [name, state] as const
      }),
    )
    const checks = Object.fromEntries(found)
    return { ok: Object.keys(must).every(name => checks[name] === 'ok'), checks }
  }

const RETRY = { 'retry-after': '5' }

/** `/health`: the process runs. `/ready`: it can serve. Not rate limited, because load balancers poll them. */
export function registerHealth(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
  const schema = { hide: true }
  app.get('/health', { schema }, async () => ({ ok: true }))
  app.get('/ready', { schema }, async (_request, reply) => {
    const answer = await readiness()
    return answer.ok ? answer : reply.code(503).headers(RETRY).send(answer)
  })
}

/** The same two on a port of their own, for processes without pages. */
export function statusServer(readiness: () => Promise<Readiness>): Server {
  return createServer(async (request, response) => {
    const isReady = request.url === '/ready'
    const known = isReady || request.url === '/health'
    const answer = isReady ? await readiness() : { ok: known }
    const status = answer.ok ? 200 : known ? 503 : 404
    response
      .writeHead(status, { 'content-type': 'application/json', ...(status === 503 ? RETRY : {}) })
      .end(JSON.stringify(answer))
  })
}
