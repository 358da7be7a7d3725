import type { Db } from '../db/database.ts'
import { searchText } from './rules.ts'
import * as store from './store.ts'

/** Job enqueued by the database when an agent or agency is renamed. */
export const SEARCH_TEXT_TASK = 'search-text'

/** Rebuilds the search text of the agent's listings with the current names, one transaction per listing. */
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
