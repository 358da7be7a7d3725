import { sql } from 'kysely'
import { type Backlog, readBacklog } from '../db/backlog.ts'
import type { Sql } from '../db/database.ts'

/** Deliveries that could be sent now; retries that are not due yet do not count. */
export const deliveriesWaiting = (db: Sql): Promise<Backlog> =>
  readBacklog(
    db,
    sql`select created_at as since from webhook_deliveries where attempted_at is null and due_at is null`,
  )
