import type { Sql } from './database.ts'

/** A value that the migrations generated for this database. */
export async function findSetting(db: Sql, name: 'public_point_key' | 'webhook_secret_key'): Promise<string> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.value
}
