import type { Db } from '../db/database.ts'
import { searchText } from './rules.ts'
import * as store from './store.ts'

/** The job that the database asks for when an agent or an agency changes its name. */
export const SEARCH_TEXT_TASK = 'search-text'

/** Writes what the agent's listings are found by, with the names as they are now. Each listing is a transaction. */
export async function refreshSearchText(db: Db, agentId: string): Promise<void> {
  for (const id of await store.listIdsOf(db, agentId)) {
    await db.transaction().execute(async tx => {
      const listing = await store.lockListing(tx, id)
      if (listing) {
        await store.updateSearch(
          tx,
          id,
          searchText(listing, await store.findAgentNames(tx, listing.agent_id)),
        )
      }
    })
  }
}
