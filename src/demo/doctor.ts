import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { DEMO_AGENT } from './agents.ts'
import { demoId } from './ids.ts'

/** One draft of the demo agent is written in capitals, for the doctor to find. */
export async function shoutOnce(tx: Tx): Promise<void> {
  await sql`
    update listings set title = upper(title) where id = (
      select id from listings where agent_id = ${demoId('agent', DEMO_AGENT)} and status = 'draft' order by id limit 1)`.execute(
    tx,
  )
}
