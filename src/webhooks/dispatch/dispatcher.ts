import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Db } from '../../db/database.ts'
import { isUnavailable } from '../../db/unavailable.ts'
import { seldom } from '../../lib/seldom.ts'
import { failAbandoned, finishDeliveries } from '../outcomes.ts'
import { envelope } from '../rules.ts'
import { openSecrets, type SecretBox } from '../secrets.ts'
import { DEADLINE_MS, type DeliveryStatus, type Outcome, type Send } from '../sender/sender.ts'
import * as store from '../store.ts'
import { Claims } from './claims.ts'
import { listenForDeliveries } from './listen.ts'
import { OutcomeWriter } from './outcome-writer.ts'
import { type SeatLimits, Seats } from './seats.ts'

/*
 * A delivery is a row of webhook_deliveries, and three columns are its state:
 *
 *   scheduled  due_at is set             a retry, written with the outcome of the attempt before it
 *   waiting    attempted_at is null      written with its event, in the transaction of the change
 *   claimed    finished_at is null       committed before the first byte is sent
 *   finished   finished_at is set        `status` says how it went
 *
 *   scheduled → waiting   it is due, or the agent sends it now
 *   waiting  → claimed    a process has a free seat, and the webhook has room (claim_deliveries)
 *   scheduled, waiting → deleted   the webhook is paused or removed, or its agent is no longer verified
 *   claimed  → finished   the attempt ended; or `abandonedMs` passed, so its process died: 'error: delivery failed'
 *   finished → finished   a process that only slept past `abandonedMs` wakes and writes what really happened
 *   finished → deleted    the log is old enough, or the webhook is removed
 *
 * Nothing leads back to waiting, so nothing is sent twice: a retry or a resend is a row of its own, and of one event and
 * webhook at most one waits (webhook_deliveries_pending). While the database is away an outcome waits; if the sweep is faster, it
 * is the case above. One that cannot be stored leaves its delivery claimed, and the sweep fails it.
 *
 * Inside the process that claimed it, a delivery is
 *
 *   seated     counts toward `seats` and `total`
 *   slow       after `slowMs`: counts toward `total` only
 *   ended      its outcome waits to be written with others; still counts as before, so a slow database slows the claims
 *
 * The dispatcher itself is
 *
 *   running    claims when it is woken: by a commit, by a free seat, and every second in case a wake was lost
 *   stopping   claims nothing more and waits until what it claimed is finished
 *   stopped    no timer, connection or delivery is left
 */

interface Limits extends SeatLimits {
  /** In flight per subscription, across all processes. */
  perWebhook: number
  /** Longer than any attempt: an unfinished one by then belonged to a process that died. */
  abandonedMs: number
}

const LIMITS: Limits = {
  perWebhook: 5,
  seats: 50,
  slowMs: 250,
  total: 1_000,
  abandonedMs: DEADLINE_MS + 5_000,
}
const POLL_MS = 1_000

export interface DispatcherOptions {
  pool: pg.Pool
  db: Db
  send: Send
  box: SecretBox
  logger: FastifyBaseLogger
  limits?: Partial<Limits>
  onDelivery?: ((status: DeliveryStatus, seconds: number) => void) | undefined
  /** The time at which retries are due, where tests pretend it; the database's otherwise. */
  now?: () => Date
}

export interface Running {
  /** Claims nothing new, and waits for deliveries in flight. */
  stop(): Promise<void>
}

/** Sends waiting deliveries as soon as they are committed. Any number of processes can run it concurrently. */
export function startDispatcher(options: DispatcherOptions): Running {
  const { db, logger, now } = options
  const limits = { ...LIMITS, ...options.limits }
  const stopping = new AbortController()
  const seldomLog = seldom()
  const wake = () => claims.wake()
  const seats = new Seats(limits, wake)
  const writer = new OutcomeWriter<store.Ended>({
    store: ended => finishDeliveries(db, ended, now?.()),
    onGivenUp: err => logger.error({ err }, 'the outcomes of webhook deliveries could not be stored'),
    isTemporary: error => !stopping.signal.aborted && isUnavailable(error as Error),
  })
  const claims = new Claims<store.Claimed>({
    free: () => seats.free,
    claim: most => store.claimDeliveries(db, most, limits.perWebhook, now?.()),
    start: claimed => seats.run(async () => writer.write(await deliver(options, claimed))),
    // Nothing is lost: the next poll tries again.
    onError: err =>
      seldomLog(leftOut => logger.warn({ err, leftOut }, 'webhook deliveries could not be claimed')),
    stopping: stopping.signal,
  })
  const sweepAndWake = () => sweep(db, logger, limits.abandonedMs).then(wake)

  const polling = setInterval(wake, POLL_MS)
  let sweeping = sweepAndWake()
  const sweepTimer = setInterval(() => {
    sweeping = sweepAndWake()
  }, limits.abandonedMs / 3)
  const listening = listenForDeliveries(options.pool, wake, stopping.signal)

  return {
    async stop() {
      stopping.abort()
      clearInterval(polling)
      clearInterval(sweepTimer)
      await Promise.all([claims.drain(), sweeping, listening])
      await seats.drain()
    },
  }
}

type Attempting = Pick<DispatcherOptions, 'send' | 'box' | 'logger' | 'onDelivery'>

/** Never rejects: a failure is an outcome. */
async function deliver(deps: Attempting, claimed: store.Claimed): Promise<store.Ended> {
  const { id, uid, webhook_id: webhook, event } = claimed
  const { reason, ...outcome } = await attempt(deps, claimed)
  const { status, code, durationMs } = outcome
  deps.onDelivery?.(status, durationMs / 1000)
  deps.logger.info(
    { delivery: uid, webhook, event, status, code, ms: durationMs, reason },
    'webhook delivery',
  )
  return { id, ...outcome }
}

async function attempt({ send, box }: Attempting, claimed: store.Claimed): Promise<Outcome> {
  const { uid, url, event, body_at, data, webhook_id: id, standard_headers: standardHeaders } = claimed
  let secrets: { secret: string; oldSecret: string | undefined }
  try {
    secrets = openSecrets(box, { ...claimed, id })
  } catch {
    const reason = 'its secret cannot be read: is LONJA_SECRET the one it was stored with?'
    return { status: 'error: delivery failed', code: null, durationMs: 0, reason }
  }
  return send({ uid, url, event, body: envelope(event, body_at, data), standardHeaders, ...secrets })
}

async function sweep(db: Db, logger: FastifyBaseLogger, abandonedMs: number): Promise<void> {
  try {
    const abandoned = await failAbandoned(db, abandonedMs)
    if (abandoned > 0) {
      logger.warn({ abandoned }, 'webhook deliveries of a dead process were marked as failed')
    }
    await store.dropUnwanted(db)
  } catch (err) {
    logger.warn({ err }, 'old webhook deliveries could not be cleaned up')
  }
}
