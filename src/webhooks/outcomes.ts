import type { Db, Tx } from '../db/database.ts'
import { requestNotice } from '../outbox/store.ts'
import { afterFailure } from './retries.ts'
import { streakAfter } from './rules.ts'
import type { Outcome } from './sender/sender.ts'
import * as store from './store.ts'

/**
 * Stores the outcomes of deliveries in the order they ended, and updates their webhooks; the failure that completes a
 * streak also requests the agent's notice. One transaction with a fixed number of statements, because each commit waits
 * for the disk; webhooks that retry need a few more.
 */
export async function finishDeliveries(db: Db, ended: readonly store.Ended[], now?: Date): Promise<void> {
  await db.transaction().execute(async tx => {
    const webhooks = await store.lockWebhooksOf(tx, ended)
    const finished = await store.updateFinished(tx, ended)
    const changes = webhooks.flatMap(webhook => {
      const own = ended.filter(({ id }) => finished.get(id)?.webhook_id === webhook.id)
      const last = own.at(-1)
      if (!last) return []
      const counted = own.filter(({ id }) => !finished.get(id)?.is_test).map(({ status }) => status)
      return [{ webhook, own, last, streak: streakAfter(webhook.failures, counted) }]
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
    for (const { webhook, own, streak } of changes) {
      const attempts = own.map(outcome => ({ ...(finished.get(outcome.id) as store.Finished), ...outcome }))
      const isReported = webhook.retries && (await retry(tx, webhook, attempts, now))
      if (isReported || !streak.isNewlyFailing) continue
      await notify(tx, webhook)
    }
  })
}

/** Attempts of processes that died. Without retries they are not sent again, only marked as failed. */
export async function failAbandoned(db: Db, olderThanMs: number, now?: Date): Promise<number> {
  return db.transaction().execute(async tx => {
    const { webhooks, attempts } = await store.updateAbandoned(tx, olderThanMs)
    const failed = attempts.map(attempt => ({ ...attempt, ...ABANDONED }))
    for (const webhook of webhooks.filter(({ retries }) => retries)) {
      await retry(
        tx,
        webhook,
        failed.filter(({ webhook_id }) => webhook_id === webhook.id),
        now,
      )
    }
    return attempts.length
  })
}

const ABANDONED = { status: 'error: delivery failed', code: null } as const

type Attempt = store.Finished & Pick<Outcome, 'status' | 'code' | 'retryAfterMs'>

/** What follows from attempts of a webhook that retries. Returns whether the agent is notified of the end of them. */
async function retry(
  tx: Tx,
  webhook: store.LockedWebhook,
  attempts: readonly Attempt[],
  now: Date | undefined,
): Promise<boolean> {
  const isLate = (attempt: Attempt) => attempt.was_finished && attempt.status === 'ok'
  const late = attempts.filter(isLate).map(({ id }) => id)
  if (late.length > 0) await store.deletePending(tx, late)

  // The retry of one that had been given up as abandoned is under way already.
  const failed = attempts.filter(({ status, is_test, was_finished }) => {
    return status !== 'ok' && !is_test && !was_finished
  })
  const verdicts = failed.map(attempt => ({ id: attempt.id, ...afterFailure(attempt.attempt, attempt) }))
  if (!webhook.active || verdicts.length === 0) return false
  if (verdicts.some(({ kind }) => kind === 'gone')) {
    await store.updateActive(tx, webhook.id, false)
    await store.deleteWaiting(tx, webhook.id)
    await notify(tx, webhook)
    return true
  }
  const retries = verdicts.flatMap(one => (one.kind === 'retry' ? [one] : []))
  if (retries.length > 0) await store.insertRetries(tx, retries, now)
  if (retries.length === verdicts.length || webhook.gave_up_at) return false
  await store.updateGivenUp(tx, webhook.id)
  await notify(tx, webhook)
  return true
}

const notify = (tx: Tx, webhook: { id: string; agent_id: string }) =>
  requestNotice(tx, { kind: 'webhook', agentId: webhook.agent_id, ids: [webhook.id] })
