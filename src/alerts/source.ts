import type { Source } from '../search/matching/follower.ts'
import { filtersOf } from './rules.ts'
import { requestMatchMail } from './service.ts'
import * as store from './store.ts'

/** Alerts, as the follower of changed listings sees them. */
export const alertSource: Source = {
  async changed(tx, since) {
    const alerts = await store.listCriteria(tx, since)
    return alerts.map(alert => ({
      id: alert.id,
      reach: 'all',
      filters: () => (alert.confirmed_at && !alert.stopped_at ? [filtersOf(alert.query)] : []),
    }))
  },
  async write(tx, _listings, pairs) {
    const matches = pairs.map(({ id, listing }) => ({
      alert: id,
      listing: listing.id,
      fresh: new Date(Math.max(listing.newest, listing.lowered ?? 0)),
    }))
    for (const { id, due } of await store.writeMatches(tx, matches)) await requestMatchMail(tx, id, due)
  },
  // What was announced was restored too.
  async restored() {},
}
