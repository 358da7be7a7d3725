import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { NotReady } from '../lib/problem.ts'

interface HealthDeps {
  db: Db
  isSearchReady(): boolean
  /** Asked to stop: it still answers, but a load balancer should send it nothing new. */
  isStopping(): boolean
}

/**
 * `/health`: the process runs. `/ready`: it can serve, the database responds and search has loaded. Not rate limited,
 * because load balancers poll them.
 */
export function registerHealth(app: FastifyInstance, { db, isSearchReady, isStopping }: HealthDeps): void {
  const schema = { hide: true }
  app.get('/health', { schema }, async () => ({ ok: true }))
  app.get('/ready', { schema }, async () => {
    if (isStopping()) throw new NotReady('this process is stopping')
    await sql`select 1`.execute(db)
    if (!isSearchReady()) throw new NotReady('search is loading')
    return { ok: true }
  })
}
