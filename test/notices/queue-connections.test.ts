import { RETRYABLE_ERROR_CODES } from 'graphile-worker/dist/lib.js'
import pg from 'pg'
import pino from 'pino'
import { expect, it } from 'vitest'
import { repeatedly, startQueue } from '../../src/jobs/queue.ts'
import { useExchange } from '../support/exchange.ts'
import { until } from '../support/receiver.ts'

const exchange = useExchange()

it('a database that is away fails with a code that the queue repeats, instead of ending the process', async () => {
  const away = new pg.Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' })
  const error = await repeatedly(away)
    .connect()
    .catch(error => error)
  expect(RETRYABLE_ERROR_CODES[error.code]).toBeDefined()
  expect(error.cause.code).toBe('ECONNREFUSED')
  await away.end()
})

it('so does a statement that gets no answer or whose connection ends, and a mistake does not', async () => {
  const impatient = new pg.Pool({ ...exchange.pool.options, query_timeout: 300, max: 1 })
  impatient.on('error', () => {})
  impatient.on('connect', client => client.on('error', () => {}))
  const failing = async (statement: string) => {
    const client = await repeatedly(impatient).connect()
    const error = await client.query(statement).catch(error => error)
    client.release(true)
    return error
  }
  for (const statement of ['select pg_sleep(1)', 'select pg_terminate_backend(pg_backend_pid())']) {
    const { code } = await failing(statement)
    expect(RETRYABLE_ERROR_CODES[code], statement).toBeDefined()
  }
  expect((await failing('select nothing')).code).toBe('42703')
  await impatient.end()
})

it('a database that answers is used as before', async () => {
  const pool = repeatedly(exchange.pool)
  const client = await pool.connect()
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('the jobs of a dead process are taken over soon, also if the first attempt to unlock them fails', async () => {
  let attempts = 0
  const failing = new Proxy(exchange.pool, {
    get(pool, name) {
      const value = Reflect.get(pool, name)
      if (name !== 'query') return typeof value === 'function' ? value.bind(pool) : value
      return (...args: [string]) =>
        args[0].includes('force_unlock_workers') && attempts++ === 0
          ? Promise.reject(new Error('timeout expired'))
          : pool.query(...args)
    },
  })
  await exchange.pool.query(`select graphile_worker.add_job('greet')`)
  await exchange.pool.query(
    `update graphile_worker._private_jobs set locked_at = now() - interval '6 minutes', locked_by = 'dead'`,
  )
  let greetings = 0
  const tasks = { greet: () => void greetings++ }
  const queue = await startQueue({ pool: failing, logger: pino({ level: 'silent' }), tasks, cron: [] })
  await until(() => greetings === 1, 30_000)
  expect(attempts).toBe(2)
  await queue.stop()
}, 60_000)
