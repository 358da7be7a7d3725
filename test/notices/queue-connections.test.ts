import { RETRYABLE_ERROR_CODES } from 'graphile-worker/dist/lib.js'
import pg from 'pg'
import { expect, it } from 'vitest'
import { repeatedly } from '../../src/jobs/queue.ts'
import { useExchange } from '../support/exchange.ts'

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
