import Fastify from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openDatabase, openPool } from '../../src/db/database.ts'
import { sendError } from '../../src/http/errors.ts'
import { LoopDelay, registerLoad } from '../../src/http/load.ts'
import { PUBLIC_URL } from '../support/exchange.ts'

describe('an event loop that is late', () => {
  const loop = { delayMs: 0 }
  const db = openDatabase(openPool('postgres://nobody@127.0.0.1:1/nothing', 1))
  let app: Awaited<ReturnType<typeof buildApp>>
  beforeAll(async () => {
    const logger = pino({ level: 'silent' })
    app = await buildApp({ db, loop, logger, publicUrl: PUBLIC_URL, rateLimit: 600, trustProxy: [] })
  })
  afterAll(async () => {
    await app.close()
    await db.destroy()
  })

  it.each([
    [0, 200, 200],
    [700, 200, 503],
    [1_500, 503, 503],
  ])('by %i ms answers %i in the API and %i on pages, and 200 at /health', async (delayMs, api, page) => {
    loop.delayMs = delayMs
    const answers = await Promise.all(['/api/v1/meta', '/privacidad', '/health'].map(url => app.inject(url)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([api, page, 200])
    for (const { statusCode, headers } of answers)
      if (statusCode === 503) expect(headers['retry-after']).toMatch(/^\d+$/)
  })
})

it('beyond the limit of requests in progress, the next one is refused at once; those that wait for changes do not count', async () => {
  const app = Fastify({ routerOptions: { querystringParser: text => new URLSearchParams(text) as never } })
  app.setErrorHandler(sendError)
  registerLoad(app, { running: 2, delayMs: 1_000 }, { delayMs: 0 })
  let finish = () => {}
  const finished = new Promise<void>(done => {
    finish = done
  })
  app.get('/', async () => {
    await finished
    return {}
  })
  const running = ['/', '/?wait=20', '/'].map(url => app.inject(url))
  await new Promise(setImmediate)
  expect((await app.inject('/')).statusCode).toBe(503)
  finish()
  for (const { statusCode } of await Promise.all(running)) expect(statusCode).toBe(200)
  await expect.poll(async () => (await app.inject('/')).statusCode).toBe(200)
  await app.close()
})

it('the delay of the loop is measured: one long task hardly counts, several in a row do', async () => {
  const loop = new LoopDelay()
  const block = () => {
    const until = performance.now() + 200
    while (performance.now() < until);
  }
  for (let i = 0; i < 8; i++) {
    await new Promise(done => setTimeout(done, 60))
    block()
  }
  await new Promise(done => setTimeout(done, 0))
  expect(loop.delayMs).toBeGreaterThan(50)
  loop.close()
})
