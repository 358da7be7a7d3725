import type { Db } from '../db/database.ts'
import { requestNotice } from '../outbox/store.ts'
import { REMINDER_DAYS } from './confirmation.ts'
import { recordChange } from './history.ts'
import { tell } from './service.ts'
import * as store from './store.ts'

const BATCH = 100

/** Hides what nobody confirmed for so many days. In small transactions: each listing and its event are one. */
export async function expireUnconfirmed(db: Db, days: number): Promise<number> {
  let expired = 0
  for (;;) {
    const count = await db.transaction().execute(async tx => {
      const ids = await store.lockUnconfirmed(tx, days, BATCH)
      for (const id of ids) {
        await tell(tx, 'listing.unpublished', await store.updateStatus(tx, id, 'expired'))
        await recordChange(tx, id, { via: 'system', agentId: null }, 'expire')
      }
      return ids.length
    })
    expired += count
    if (count < BATCH) return expired
  }
}

/** One mail per agent for all listings that are about to be hidden and that the agent was not told of yet. */
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
