import { sql } from 'kysely'
import pg from 'pg'
import { expect, it } from 'vitest'
import { long, openDatabase } from '../../src/db/database.ts'
import { useExchange } from '../support/exchange.ts'

const exchange = useExchange()

/** One connection that waits for half a second. */
const impatientPool = () => {
  const pool = new pg.Pool({ ...exchange.pool.options, query_timeout: 500, max: 1 })
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

const pidOf = async (pool: pg.Pool) => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid

it('a statement that gets no answer in time fails, with those that wait behind it, and its connection is not used again', async () => {
  const pool = impatientPool()
  const pid = await pidOf(pool)
  const client = await pool.connect()
  const outcomes = await Promise.allSettled([client.query('select pg_sleep(5)'), client.query('select 1')])
  client.release()
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'Query read timeout' } })
  expect(await pidOf(pool)).not.toBe(pid)
  await pool.end()
})

it('a long statement has as much time as the database gives it', async () => {
  const pool = impatientPool()
  const db = openDatabase(pool)
  const { rows } = await sql`${long} select 1 as one from pg_sleep(1)`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
  await sql`set statement_timeout = 800`.execute(db)
  await expect(sql`${long} select pg_sleep(5)`.execute(db)).rejects.toMatchObject({ code: '57014' })
  await db.destroy()
})

it('a pool goes on after a statement without an answer, also when nobody held its connection', async () => {
  const pool = impatientPool()
  await expect(pool.query('select pg_sleep(5)')).rejects.toThrow('Query read timeout')
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
})

it('a statement is sent with values or without, as text or as an object, to a promise or a callback', async () => {
  const { pool } = exchange
  const client = await pool.connect()
  const [text, named] = ['select $1::int as n', { name: 'n', text: 'select $1::int as n' }]
  const results = [
    await client.query('select 1 as n'),
    await client.query(text, [2]),
    await client.query({ text, values: [3] }),
    await client.query(named, [4]),
    await client.query(named, [5]),
    await new Promise<pg.QueryResult>((resolve, reject) =>
      client.query(text, [6], (error, result) => (error ? reject(error) : resolve(result))),
    ),
    await new Promise<pg.QueryResult>((resolve, reject) =>
      client.query({ text, values: [7] }, (error, result) => (error ? reject(error) : resolve(result))),
    ),
    await pool.query(text, [8]),
  ]
  client.release()
  expect(results.map(({ rows }) => rows[0].n)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(named).toEqual({ name: 'n', text })
})

it('an error of a statement leads to the caller', async () => {
  const askWrongly = async () => await sql`select nothing_of_this_name`.execute(openDatabase(exchange.pool))
  const error = await askWrongly().catch(error => error)
  expect(error).toMatchObject({ code: '42703' })
  expect(error.stack).toContain('askWrongly')
})
