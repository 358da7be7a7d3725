import type { Source } from '../search/matching/follower.ts'
import { filtersOf } from './rules.ts'
import { requestMatchMail } from './service.ts'
import * as store from './store.ts'

/** Needs, as the follower of changed listings sees them. */
export const needSource: Source = {
  async changed(tx, since) {
    const needs = await store.listCriteria(tx, since)
    return needs.map(need => ({
      id: need.id,
      reach: 'market',
      filters: () => (need.closed_at ? [] : filtersOf(need)),
    }))
  },
  async write(tx, listings, pairs) {
    const matches = pairs.map(({ id, listing }) => ({
      need: id,
      listing: listing.id,
      lowered: listing.lowered === null ? null : new Date(listing.lowered),
    }))
    for (const agentId of await store.writeMatches(tx, listings, matches))
      await requestMatchMail(tx, agentId, 'at_once')
  },
  restored: store.forgetHeld,
}
