import { sql } from 'kysely'
import type { Sql } from '../../db/database.ts'
import { listingRecord } from '../../listings/record.ts'
import { type ListingRow, listByIds } from '../../listings/service.ts'
import type { Standing } from '../service.ts'

/** In their order; those that are gone are left out. */
export async function readRows(db: Sql, ids: string[]): Promise<(ListingRow & { xid: number })[]> {
  const byId = new Map((await listByIds(db, ids)).map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

export const render = (row: ListingRow, viewer: string | null, publicUrl: string): Buffer =>
  Buffer.from(JSON.stringify(listingRecord(row, viewer, publicUrl)))

export async function readStandings(db: Sql, ids: readonly string[]): Promise<Map<string, Standing>> {
  const { rows } = await sql<{ id: string; featured: boolean; published: Date; lowered: Date | null }>`
    select l.id, l.featured, coalesce(l.published_at, l.created_at) as published, l.price_lowered_at as lowered
    from listings l where l.id = any(${[...ids]}::uuid[]) and not l.imported`.execute(db)
  return new Map(
    rows.map(({ id, featured, published, lowered }) => [
      id,
      { isFeatured: featured, publishedAt: published.getTime(), loweredAt: lowered?.getTime() },
    ]),
  )
}
