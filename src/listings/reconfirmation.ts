import type { Db } from '../db/database.ts'
import { requestNotice } from '../outbox/store.ts'
import { REMINDER_DAYS } from './confirmation.ts'
import { recordChange } from './history.ts'
import { notify } from './service.ts'
import * as store from './store.ts'

const BATCH = 100

/** Hides listings that were not reconfirmed in time. Each listing and its event share one small transaction. */
export async function expireUnconfirmed(db: Db, days: number): Promise<number> {
  let expired = 0
  for (;;) {
    const count = await db.transaction().execute(async tx => {
      const ids = await store.lockUnconfirmed(tx, days, BATCH)
      for (const id of ids) {
        await notify(tx, 'listing.unpublished', await store.updateStatus(tx, id, 'expired'))
        await recordChange(tx, id, { via: 'system', agentId: null }, 'expire')
      }
      return ids.length
    })
    expired += count
    if (count < BATCH) return expired
  }
}

/** One email per agent for all listings about to be hidden, unless already reminded. */
export async function remindUnconfirmed(db: Db, days: number): Promise<number> {
  const agents = await store.listAgentsToRemind(db, days - REMINDER_DAYS)
  for (const agentId of agents) {
    await db.transaction().execute(async tx => {
      const ids = await store.markReminded(tx, agentId, days - REMINDER_DAYS)
      if (ids.length > 0) await requestNotice(tx, { kind: 'reconfirm', agentId, ids })
    })
  }
  return agents.length
}
