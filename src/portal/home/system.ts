import { sql } from 'kysely'
import type { Sql } from '../../db/database.ts'

interface System {
  version: string
  size: string
  jobs: number
  failedJobs: number
}

/** Health of PostgreSQL and the job queue. */
export async function findSystem(db: Sql): Promise<System> {
  const { rows } = await sql<System>`select
    current_setting('server_version') as version,
    pg_size_pretty(pg_database_size(current_database())) as size,
    (select count(*) from graphile_worker.jobs) as jobs,
    (select count(*) from graphile_worker.jobs where last_error is not null) as "failedJobs"`.execute(db)
  return rows[0] as System
}
