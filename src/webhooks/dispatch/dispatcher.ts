import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Db } from '../../db/database.ts'
import { DELIVERIES_CHANNEL } from '../../outbox/store.ts'
import { envelope } from '../rules.ts'
import type { SecretBox } from '../secrets.ts'
import { DEADLINE_MS, type Outcome, type Send } from '../sender/sender.ts'
import * as store from '../store.ts'

interface Limits {
  /** In flight per subscription, counting all processes. */
  perWebhook: number
  /** In flight in this process and not yet slow. */
  seats: number
  /** A delivery that takes longer gives its seat to the next: receivers that never answer must not fill them. */
  slowMs: number
  /** In flight in this process, the slow ones included. */
  total: number
  /** No attempt lasts so long; one without an end by then belonged to a process that died. */
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
}

export interface Running {
  /** Takes nothing new, and waits for what is in flight. */
  stop(): Promise<void>
}

/** Sends what waits, as soon as it is committed. Any number of processes may do so side by side. */
export function startDispatcher(options: DispatcherOptions): Running {
  const { db, send, box, logger } = options
  const limits = { ...LIMITS, ...options.limits }
  const inFlight = new Set<Promise<void>>()
  const stopping = new AbortController()
  let fresh = 0
  let claiming = Promise.resolve()
  let tidying = Promise.resolve()
  let writing = Promise.resolve()
  const ended: store.Ended[] = []
  let isClaiming = false
  let isAskedAgain = false

  function wake(): void {
    isAskedAgain = true
    if (!isClaiming) claiming = claimAll()
  }

  /** One claim at a time: whoever asks meanwhile is served by the next round. */
  async function claimAll(): Promise<void> {
    isClaiming = true
    while (isAskedAgain && !stopping.signal.aborted) {
      const seats = Math.min(limits.seats - fresh, limits.total - inFlight.size)
      if (seats <= 0) break
      isAskedAgain = false
      try {
        const claimed = await store.claimDeliveries(db, seats, limits.perWebhook)
        for (const delivery of claimed) start(delivery)
        if (claimed.length === seats) isAskedAgain = true
      } catch (error) {
        // Nothing is lost: the next poll asks again.
        logger.warn({ err: error }, 'webhook deliveries could not be claimed')
      }
    }
    isClaiming = false
  }

  function start(delivery: store.Claimed): void {
    let isFresh = true
    const leaveSeat = () => {
      if (isFresh) fresh--
      isFresh = false
      wake()
    }
    fresh++
    const slow = setTimeout(leaveSeat, limits.slowMs)
    const work = deliver(delivery).finally(() => {
      clearTimeout(slow)
      inFlight.delete(work)
      leaveSeat()
    })
    inFlight.add(work)
  }

  async function deliver(delivery: store.Claimed): Promise<void> {
    const { id, uid, webhook_id: webhook, event } = delivery
    const outcome = await attempt(delivery)
    const { status, code, durationMs, reason } = outcome
    logger.info({ delivery: uid, webhook, event, status, code, ms: durationMs, reason }, 'webhook delivery')
    await writeDown({ id, status, code, durationMs })
  }

  async function attempt({
    uid,
    url,
    event,
    body_at,
    data,
    secret,
    webhook_id,
  }: store.Claimed): Promise<Outcome> {
    let key: string
    try {
      key = box.open(secret, webhook_id)
    } catch {
      const reason = 'its secret cannot be read: is LONJA_SECRET the one it was stored with?'
      return { status: 'error: delivery failed', code: null, durationMs: 0, reason }
    }
    return send({ uid, url, event, body: envelope(event, body_at, data), secret: key })
  }

  /** What ends while others are being written down is written together with the next ones. */
  function writeDown(one: store.Ended): Promise<void> {
    ended.push(one)
    if (ended.length === 1) writing = writing.then(writeEnded)
    return writing
  }

  async function writeEnded(): Promise<void> {
    const all = ended.splice(0)
    for (let tries = 1; ; tries++) {
      try {
        return await store.finishDeliveries(db, all)
      } catch (error) {
        if (tries === 3)
          return logger.error({ err: error }, 'the outcomes of webhook deliveries could not be stored')
        await sleep(500)
      }
    }
  }

  async function sweep(): Promise<void> {
    try {
      const abandoned = await store.failAbandoned(db, limits.abandonedMs)
      if (abandoned > 0)
        logger.warn({ abandoned }, 'webhook deliveries of a process that died are marked failed')
      await store.dropUnwanted(db)
    } catch (error) {
      logger.warn({ err: error }, 'webhook deliveries could not be tidied')
    }
    wake()
  }

  const polling = setInterval(wake, POLL_MS)
  const sweeping = setInterval(() => {
    tidying = sweep()
  }, limits.abandonedMs / 3)
  const listening = listen(options.pool, wake, stopping.signal)
  tidying = sweep()

  return {
    async stop() {
      stopping.abort()
      clearInterval(polling)
      clearInterval(sweeping)
      await Promise.all([claiming, tidying, listening])
      await Promise.all(inFlight)
    },
  }
}

/** Hears of each commit that left deliveries waiting. While the connection is away, polling does. */
async function listen(pool: pg.Pool, heard: () => void, stopping: AbortSignal): Promise<void> {
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
        client.on('notification', heard)
        await client.query(`listen ${DELIVERIES_CHANNEL}`)
        heard()
        await ended
      } finally {
        client.release(true)
      }
    } catch {
      // Told by the claims, which need the same database.
    }
    if (!stopping.aborted) await sleep(POLL_MS, undefined, { signal: stopping }).catch(() => {})
  }
}
