import type { Db } from '../db/database.ts'
import { type ListingRow, listByIds } from '../listings/service.ts'
import type { Criteria } from './criteria.ts'
import { searchListings } from './sql.ts'

export interface Page {
  rows: ListingRow[]
  pagination: { page: number; pages: number; total: number; limit: number }
}

/** A page of what the viewer may see. Page, total and records are of one moment. */
export function search(db: Db, criteria: Criteria, viewer: string | null): Promise<Page> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async tx => {
      const { ids, total } = await searchListings(tx, criteria, viewer)
      const { page, limit } = criteria
      return {
        rows: await listByIds(tx, ids, viewer),
        pagination: { page, pages: Math.ceil(total / limit), total, limit },
      }
    })
}
