import type { Db } from '../db/database.ts'
import { requestNotice } from '../outbox/store.ts'
import { streakAfter } from './rules.ts'
import * as store from './store.ts'

/**
 * Stores the outcomes of deliveries in the order they ended, and updates their webhooks; the failure that completes a
 * streak also requests the agent's notice. One transaction with a fixed number of statements, because each commit waits
 * for the disk.
 */
export async function finishDeliveries(db: Db, ended: readonly store.Ended[]): Promise<void> {
  await db.transaction().execute(async tx => {
    const webhooks = await store.lockWebhooksOf(tx, ended)
    const finished = await store.updateFinished(tx, ended)
    const changes = webhooks.flatMap(webhook => {
      const own = ended.filter(({ id }) => finished.get(id)?.webhook_id === webhook.id)
      const last = own.at(-1)
      if (!last) return []
      const counted = own.filter(({ id }) => !finished.get(id)?.is_test).map(({ status }) => status)
      return [{ webhook, last, streak: streakAfter(webhook.failures, counted) }]
    })
    await store.updateLastOutcomes(
      tx,
      changes.map(({ webhook: { id }, last: { status, code }, streak: { failures } }) => ({
        id,
        status,
        code,
        failures,
      })),
    )
    for (const { webhook, streak } of changes) {
      if (!streak.isNewlyFailing) continue
      await requestNotice(tx, { kind: 'webhook', agentId: webhook.agent_id, ids: [webhook.id] })
    }
  })
}
