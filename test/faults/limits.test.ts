import { request } from 'node:http'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Exchange, useExchange } from '../support/exchange.ts'
import { type RunningLonja, useInstallation } from '../support/installation.ts'
import { Relay } from '../support/relay.ts'
import { PASSWORD, Visitor } from '../support/visitor.ts'

const PROCESSES = 3
const LIMIT = 600
const installed = useInstallation()
const exchange = useExchange()
let relay: Relay
let server: RunningLonja
let port = 0

beforeAll(async () => {
  // It would be a fourth process.
  await exchange.app.close()
  const url = exchange.pool.options.connectionString as string
  relay = await Relay.to(url)
  server = installed.lonja.start(['serve', '--processes', String(PROCESSES), '--role', 'web'], {
    DATABASE_URL: relay.urlOf(url),
    PUBLIC_URL: 'https://lonja.example',
    PORT: '0',
    RATE_LIMIT: String(LIMIT),
  })
  await server.says(/"ready":3,"processes":3/)
  port = Number((await server.says(/"port":(\d+)/))[1])
}, 120_000)
afterAll(async () => {
  await server.stop()
  await relay.close()
})

interface Answer {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Each on a connection of its own, so that the processes answer in turn. */
const send = ({ url, method, headers, payload }: InjectOptions): Promise<Answer> =>
  new Promise((done, fail) => {
    const options = {
      port,
      path: String(url),
      method: method ?? 'GET',
      headers: headers as never,
      agent: false,
    }
    const sent = request(options, async answer => {
      const body = (await answer.toArray()).join('')
      done({ statusCode: answer.statusCode ?? 0, headers: answer.headers, body })
    })
    sent.on('error', fail).end(payload)
  })
const ask = (url: string, key: string) => send({ url, headers: { authorization: `Bearer ${key}` } })

/** A browser in front of the processes. */
const visitor = () => new Visitor({ app: { inject: send } } as unknown as Pick<Exchange, 'app'>)

async function hammer(url: string, key: string, requests: number): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let i = 0; i < requests; i += 30) {
    answers.push(...(await Promise.all(Array.from({ length: 30 }, () => ask(url, key)))))
  }
  return answers
}
const statuses = (answers: readonly Answer[]) => new Set(answers.map(({ statusCode }) => statusCode))
const allowed = (answers: readonly Answer[]) => answers.filter(({ statusCode }) => statusCode === 200).length

const newKey = async () => (await exchange.agent()).key

/** Each process knows of the others: what one counts, all of them report. */
async function untilCountedTogether(): Promise<void> {
  const key = await newKey()
  let before = 0
  await expect
    .poll(
      async () => {
        const answers = await hammer('/api/v1/me', key, 30)
        const left = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
        const isKnown = before >= 60 && LIMIT - Math.max(...left) > before - LIMIT * 0.02
        before += allowed(answers)
        return isKnown
      },
      { timeout: 30_000, interval: 1_000 },
    )
    .toBe(true)
}

describe('three processes on one port', () => {
  it('allow a key its limit, and 2 % more at most, however its requests are spread', async () => {
    await untilCountedTogether()
    const answers = await hammer('/api/v1/me', await newKey(), LIMIT * 2)
    expect(statuses(answers)).toEqual(new Set([200, 429]))
    expect(allowed(answers)).toBeGreaterThanOrEqual(LIMIT)
    expect(allowed(answers)).toBeLessThanOrEqual(LIMIT * 1.02)
    const last = answers.at(-1) as Answer
    expect(last.headers['x-ratelimit-remaining']).toBe('0')
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(500)
    expect(Number(last.headers['retry-after'])).toBeLessThanOrEqual(606)
  })

  it('allow ten attempts to sign in, and not one more', async () => {
    const { email } = await exchange.agent({ password: PASSWORD })
    const attempts = Array.from({ length: 14 }, () => visitor().signIn(email, 'wrong wrong wrong'))
    const outcomes = (await Promise.all(attempts)).map(({ status }) => status)
    expect(outcomes.filter(status => status === 429)).toHaveLength(4)
    expect((await visitor().signIn(email)).status).toBe(429)
  })

  it('count each for itself while the database does not answer, and together again afterwards', async () => {
    const key = await newKey()
    await hammer('/api/v1/properties?limit=1', key, 30)
    relay.hold()
    const meanwhile = await hammer('/api/v1/properties?limit=1', key, 90)
    relay.release()
    expect(statuses(meanwhile)).toEqual(new Set([200]))
    await untilCountedTogether()
    const other = await newKey()
    const answers = await hammer('/api/v1/me', other, LIMIT + 90)
    expect(allowed(answers)).toBeGreaterThanOrEqual(LIMIT)
    expect(allowed(answers)).toBeLessThanOrEqual(LIMIT * 1.02)
  })
})
