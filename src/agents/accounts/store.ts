import type { Sql } from '../../db/database.ts'

export async function insertToken(
  db: Sql,
  token: { hash: Buffer; agent_id: string; purpose: 'confirm' | 'reset'; expires_at: Date },
): Promise<void> {
  await db.insertInto('agent_tokens').values(token).execute()
}

export async function deleteTokens(db: Sql, agentId: string, purpose: 'confirm' | 'reset'): Promise<void> {
  await db.deleteFrom('agent_tokens').where('agent_id', '=', agentId).where('purpose', '=', purpose).execute()
}

export async function deleteToken(db: Sql, hash: Buffer): Promise<boolean> {
  const done = await db.deleteFrom('agent_tokens').where('hash', '=', hash).executeTakeFirst()
  return done.numDeletedRows > 0n
}

export function findByToken(db: Sql, hash: Buffer, purpose: 'confirm' | 'reset', now: Date) {
  return db
    .selectFrom('agent_tokens as k')
    .innerJoin('agents as a', 'a.id', 'k.agent_id')
    .select(['a.id', 'a.email', 'a.name'])
    .where('k.hash', '=', hash)
    .where('k.purpose', '=', purpose)
    .where('k.expires_at', '>', now)
    .executeTakeFirst()
}
