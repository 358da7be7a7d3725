import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DELIVERIES_CHANNEL } from '../../outbox/store.ts'

const RECONNECT_MS = 1_000

/** Calls `onCommit` after each commit that left deliveries waiting. While disconnected, polling finds them instead. */
export async function listenForDeliveries(
  pool: pg.Pool,
  onCommit: () => void,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      const client = await pool.connect()
      const ended = new Promise<void>(resolve => {
        client.once('end', resolve)
        client.once('error', () => resolve())
        stopping.addEventListener('abort', () => resolve(), { once: true })
        if (stopping.aborted) resolve()
      })
      try {
        client.on('notification', onCommit)
        await client.query(`listen ${DELIVERIES_CHANNEL}`)
        onCommit()
        await ended
      } finally {
        client.release(true)
      }
    } catch {
      // Already logged by the claims, which use the same database.
    }
    if (!stopping.aborted) await sleep(RECONNECT_MS, undefined, { signal: stopping }).catch(() => {})
  }
}
