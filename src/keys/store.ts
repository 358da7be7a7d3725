import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import type { Scopes } from './rules.ts'

/** Those of the keys that are valid: not revoked, and their agents verified. */
export function findLiveKeys(db: Sql, prefixes: string[]) {
  return db
    .selectFrom('api_keys as k')
    .innerJoin('agents as a', 'a.id', 'k.agent_id')
    .select(['k.id', 'k.prefix', 'k.agent_id', 'k.hash', 'k.scopes', 'k.last_used_at'])
    .where('k.prefix', '=', sql<string>`any(${prefixes}::text[])`)
    .where('k.revoked_at', 'is', null)
    .where('a.verified_at', 'is not', null)
    .execute()
}

export function findKey(db: Sql, id: string) {
  return db
    .selectFrom('api_keys')
    .select(['label', 'prefix', 'scopes', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export function insertKey(
  db: Sql,
  key: { agent_id: string; label: string; prefix: string; hash: Buffer; scopes: Scopes },
) {
  return db
    .insertInto('api_keys')
    .values({ ...key, scopes: [...key.scopes] })
    .execute()
}

/** An agent can create and revoke keys without end; live ones come first. */
const MAX_LISTED = 100

export function listOwnKeys(db: Sql, agentId: string) {
  return db
    .selectFrom('api_keys')
    .select(['id', 'prefix', 'label', 'scopes', 'created_at', 'last_used_at', 'revoked_at'])
    .where('agent_id', '=', agentId)
    .where('scopes', '<>', sql<string[]>`'{partner}'::text[]`)
    .orderBy(sql`revoked_at is not null`)
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED)
    .execute()
}

export function listKeys(db: Sql) {
  return db
    .selectFrom('api_keys as k')
    .innerJoin('agents as a', 'a.id', 'k.agent_id')
    .select([
      'k.id',
      'k.prefix',
      'k.label',
      'k.scopes',
      'a.email as agent',
      'k.created_at',
      'k.last_used_at',
      'k.revoked_at',
    ])
    .orderBy('k.created_at')
    .execute()
}

export async function countLiveKeys(db: Sql): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from api_keys where revoked_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

/** True if the key exists; revoking again keeps the first time. */
export async function revokeKey(db: Sql, prefix: string, agentId?: string): Promise<boolean> {
  const done = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql`coalesce(revoked_at, now_ms())` })
    .where('prefix', '=', prefix)
    .$if(agentId !== undefined, query => query.where('agent_id', '=', agentId as string))
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

/** Coarse on purpose: one write per minute and key, however busy. */
export function touchKey(db: Sql, id: string) {
  return db
    .updateTable('api_keys')
    .set({ last_used_at: sql`now_ms()` })
    .where('id', '=', id)
    .where(eb =>
      eb.or([
        eb('last_used_at', 'is', null),
        eb('last_used_at', '<', sql<Date>`now() - interval '1 minute'`),
      ]),
    )
    .execute()
}
