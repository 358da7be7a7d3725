import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { type Db, openDatabase, openPool } from '../../src/db/database.ts'
import { answerTo } from '../../src/http/errors.ts'
import { newKey } from '../../src/keys/rules.ts'
import { PUBLIC_URL } from '../support/exchange.ts'

/** Accepts connections and never responds, like a database behind a broken network. */
const sockets = new Set<Socket>()
const silent = createServer(socket => sockets.add(socket))
let app: FastifyInstance
let db: Db

beforeAll(async () => {
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  db = openDatabase(openPool(`postgres://lonja@127.0.0.1:${port}/lonja`, 8))
  const logger = pino({ level: 'silent' })
  app = await buildApp({
    loop: { delayMs: 0 },
    db,
    logger,
    publicUrl: PUBLIC_URL,
    rateLimit: 600,
    trustProxy: [],
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await db.destroy()
  for (const socket of sockets) socket.destroy()
  silent.close()
})

describe('while PostgreSQL accepts connections but does not respond', () => {
  it.concurrent.each([
    ['the API', '/api/v1/me'],
    ['a page', '/agentes/ana-torres'],
    ['the portal', '/portal'],
    ['/ready', '/ready'],
  ])('%s answers 503 quickly, with a time to retry', async (_what, url) => {
    const before = Date.now()
    const headers = {
      authorization: `Bearer ${newKey()}`,
      accept: 'text/html',
      cookie: `__Host-sid=${'a'.repeat(43)}`,
    }
    const answer = await app.inject({ url, headers })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    expect(Date.now() - before).toBeLessThan(8_000)
  })
})

describe('a database error', () => {
  const statusOf = (error: object) => answerTo(Object.assign(new Error('private'), error), 'id').status

  it.each([
    [{ message: 'timeout expired' }],
    [{ message: 'timeout exceeded when trying to connect' }],
    [{ message: 'Connection terminated due to connection timeout' }],
    [{ message: 'Client was closed and is not queryable' }],
    [{ code: 'EHOSTUNREACH' }],
    [{ code: '57P03' }],
    [{ code: '53300' }],
    [{ code: '40P01' }],
  ])('%o is temporary: 503', error => {
    expect(statusOf(error)).toBe(503)
  })

  it.each([[{ code: '22021' }], [{ code: '22P05' }]])('%o is caused by the input: 400', error => {
    expect(statusOf(error)).toBe(400)
  })

  it.each([[{ code: '42601' }], [{ code: '08' }], [{ message: 'the timeout expired of something else' }]])(
    '%o is an internal error: 500',
    error => {
      expect(statusOf(error)).toBe(500)
    },
  )
})
