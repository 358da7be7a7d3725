import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import {
  type CronItem,
  type Job,
  Logger,
  parseCronItems,
  type Runner,
  run,
  type TaskList,
} from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import { type Backlog, readBacklog } from '../db/backlog.ts'
import type { Sql } from '../db/database.ts'
import { isUnavailable } from '../db/unavailable.ts'

const CONCURRENCY = 3
const RESTART_MS = 5_000
const UNLOCK_EVERY_MS = 60_000
/** No task takes this long: a job locked longer belonged to a process that died, and may be taken over. */
const LONGEST_JOB = '5 minutes'

interface QueueOptions {
  pool: pg.Pool
  logger: FastifyBaseLogger
  tasks: TaskList
  cron: CronItem[]
  onJob?: ((task: string, outcome: JobOutcome) => void) | undefined
}

/** A job that failed is retried, unless it has failed too often. */
export type JobOutcome = 'done' | 'retried' | 'failed'

export interface Running {
  /** `ok`, or why nothing is done. */
  readonly condition: string
  stop(): Promise<void>
}

/**
 * The library completes jobs without waiting for it, and repeats only failures whose code it knows. Any other, such as a
 * database that is away for ten seconds or a statement without an answer, would be an unhandled rejection and end the process.
 */
export function repeatedly(pool: pg.Pool): pg.Pool {
  const connect = (...args: []) =>
    (pool.connect(...args) as Promise<pg.PoolClient> | undefined)?.then(repeating, repeatable)
  return Object.create(pool, { connect: { value: connect } })
}

function repeatable(error: unknown): never {
  throw Object.assign(new Error('the database did not answer', { cause: error }), { code: 'ETIMEDOUT' })
}

const repeating = (client: pg.PoolClient): pg.PoolClient =>
  new Proxy(client, {
    get(_, name) {
      const value = Reflect.get(client, name)
      if (typeof value !== 'function') return value
      if (name !== 'query') return value.bind(client)
      return async (...args: unknown[]) => {
        try {
          return await value.apply(client, args)
        } catch (error) {
          if (isUnavailable(error as Error)) repeatable(error)
          throw error
        }
      }
    },
  })

/** Processes jobs until stopped, and resumes after a database outage. */
export async function startQueue({ pool, logger, tasks, cron, onJob }: QueueOptions): Promise<Running> {
  const stopping = new AbortController()
  const begin = async () => {
    const runner = await run({
      pgPool: repeatedly(pool),
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      taskList: tasks,
      parsedCronItems: parseCronItems(cron),
      // Its messages may quote mail servers, which quote addresses: failures are logged below instead.
      logger: new Logger(() => (_level, message) => logger.debug({ queue: message }, 'job queue')),
    })
    reportJobs(runner, logger, onJob)
    return runner
  }

  let condition = 'ok'
  let runner = await begin()
  const supervision = (async () => {
    while (!stopping.signal.aborted) {
      await runner.promise.catch(() => {})
      while (!stopping.signal.aborted) {
        condition = 'restarting'
        logger.warn('the job queue lost its database connection and is restarting')
        await sleep(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => {})
        if (stopping.signal.aborted) return
        const next = await begin().catch(() => undefined)
        if (!next) continue
        runner = next
        condition = 'ok'
        break
      }
    }
  })()
  // After a failure, as when the machine is too busy to connect, soon: the jobs of a dead process must not wait for another minute.
  let unlocking: NodeJS.Timeout | undefined
  const unlock = async () => {
    const nextMs = await unlockAbandoned(pool).then(
      () => UNLOCK_EVERY_MS,
      () => RESTART_MS,
    )
    if (!stopping.signal.aborted) unlocking = setTimeout(unlock, nextMs)
  }
  void unlock()

  return {
    get condition() {
      return condition
    },
    async stop() {
      stopping.abort()
      clearTimeout(unlocking)
      await runner.stop().catch(() => {})
      await supervision
    },
  }
}

function reportJobs(runner: Runner, logger: FastifyBaseLogger, onJob: QueueOptions['onJob']): void {
  const about = (job: Job, error: unknown) => {
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    return { job: job.id, task: job.task_identifier, attempt: job.attempts, code, responseCode }
  }
  runner.events.on('job:success', ({ job }) => onJob?.(job.task_identifier, 'done'))
  runner.events.on('job:error', ({ job, error }) => {
    logger.warn(about(job, error), 'a job failed and will be retried')
    if (job.attempts < job.max_attempts) onJob?.(job.task_identifier, 'retried')
  })
  runner.events.on('job:failed', ({ job, error }) => {
    logger.error(about(job, error), 'a job failed for the last time')
    onJob?.(job.task_identifier, 'failed')
  })
}

/** Jobs that could be done now; retries that are not due yet do not count. */
export const jobsWaiting = (db: Sql): Promise<Backlog> =>
  readBacklog(
    db,
    sql`select run_at as since from graphile_worker.jobs
        where run_at <= now() and locked_at is null and attempts < max_attempts`,
  )

const unlockAbandoned = (pool: pg.Pool) =>
  pool.query(
    `select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
     where locked_at < now() - interval '${LONGEST_JOB}' having count(*) > 0`,
  )
