import { sql } from 'kysely'
import type { Db, Sql, Tx } from '../db/database.ts'

/** A request that is to be done once: whose it is, under which key, and what it asks for. */
export interface Asked {
  agentId: string
  /** SHA-256. */
  key: Buffer
  /** SHA-256. */
  request: Buffer
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface KeptAnswer extends Answer {
  /** 0 is the answer; the items of an unfinished batch count from 1. */
  part: number
  request: Buffer
}

const KEPT_HOURS = 24
const isKept = sql<boolean>`at > now() - ${sql.lit(KEPT_HOURS)} * interval '1 hour'`

const lockOf = ({ agentId, key }: Asked) => sql`hashtextextended(${agentId + key.toString('hex')}, 0)`

/** Held by the connection: whatever ends the process also ends the lock. */
export async function tryLock(connection: Db, asked: Asked): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_lock(${lockOf(asked)}) as locked`.execute(connection)
  return rows[0]?.locked ?? false
}

export async function unlock(connection: Db, asked: Asked): Promise<void> {
  await sql`select pg_advisory_unlock(${lockOf(asked)})`.execute(connection)
}

export function listKept(db: Sql, { agentId, key }: Asked): Promise<KeptAnswer[]> {
  return db
    .selectFrom('kept_answers')
    .select(['part', 'request', 'status', 'headers', 'body'])
    .where('agent_id', '=', agentId)
    .where('key', '=', key)
    .where(isKept)
    .execute()
}

/** In the transaction of what was done, so that both are there or neither. Replaces one that has expired. */
export async function keep(
  tx: Tx,
  { agentId, key, request }: Asked,
  { status, headers, body, part = 0, leadId = null }: Answer & { part?: number; leadId?: string | null },
): Promise<void> {
  await sql`
    insert into kept_answers (agent_id, key, part, request, status, headers, body, lead_id)
    values (${agentId}, ${key}, ${part}, ${request}, ${status}, ${JSON.stringify(headers)}, ${body}, ${leadId})
    on conflict (agent_id, key, part) do update set
      request = excluded.request, status = excluded.status, headers = excluded.headers, body = excluded.body,
      lead_id = excluded.lead_id, at = excluded.at`.execute(tx)
}

export async function deleteParts(tx: Tx, { agentId, key }: Asked): Promise<void> {
  await tx
    .deleteFrom('kept_answers')
    .where('agent_id', '=', agentId)
    .where('key', '=', key)
    .where('part', '>', 0)
    .execute()
}

export async function deleteOldAnswers(db: Sql): Promise<void> {
  await sql`delete from kept_answers where not ${isKept}`.execute(db)
}

/** Removes the personal data of an erased person from the answer that created the lead; its other fields stay. */
export async function eraseFromAnswers(tx: Tx, leadId: string, erasedName: string): Promise<void> {
  await sql`
    update kept_answers set body = (
      select json_object_agg(key, case
          when key = 'name' then to_json(${erasedName}::text)
          when key in ('email', 'phone', 'message') then 'null'::json
          else value end order by place)::text
      from json_each(body::json) with ordinality as part (key, value, place))
    where lead_id = ${leadId}`.execute(tx)
}
