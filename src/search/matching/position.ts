import { sql } from 'kysely'
import type { Sql, Tx } from '../../db/database.ts'

/** Up to where the changes of listings were held against the stored searches. */
export async function readPosition(db: Sql): Promise<{ history: string; snapshot: string }> {
  const { rows } = await sql<{ history: string; snapshot: string }>`
    select history, snapshot from need_position`.execute(db)
  return rows[0] as { history: string; snapshot: string }
}

export async function writePosition(tx: Tx, history: string, snapshot: string): Promise<void> {
  await sql`update need_position set history = ${history}, snapshot = ${snapshot}`.execute(tx)
}

/** Whoever else writes matches calls it first: of two that write at the same time, one waits or fails. */
export async function countHold(tx: Tx): Promise<void> {
  await sql`update need_position set holds = holds + 1`.execute(tx)
}
