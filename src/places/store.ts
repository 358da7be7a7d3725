import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'
import { middleOf } from '../db/middle.ts'
import type { PostalPlace } from './rules.ts'

/** A colonia of the imported file, with that postal code or in one of these municipalities and cities. */
export const findColonia = (
  db: Sql,
  at: { state: string; towns: readonly string[]; neighborhood: string; postalCode: string },
) =>
  middleOf(
    db,
    sql`select lat, lng from postal_places
      where state = ${at.state} and name_fold = ${at.neighborhood}
        and (postal_code = ${at.postalCode} or municipality_fold = any (${at.towns}) or city_fold = any (${at.towns}))`,
  )

export const findPostalCode = (db: Sql, code: string) =>
  middleOf(db, sql`select lat, lng from postal_places where postal_code = ${code}`)

/** Replaces everything that was imported before. */
export async function replacePlaces(tx: Tx, batches: Iterable<PostalPlace[]>): Promise<void> {
  await sql`lock table postal_places in share row exclusive mode`.execute(tx)
  await sql`delete from postal_places`.execute(tx)
  for (const batch of batches) await tx.insertInto('postal_places').values(batch).execute()
}
