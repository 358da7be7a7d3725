import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useExchange } from '../support/exchange.ts'
import { signedInAgent } from '../support/visitor.ts'

const RATE_LIMIT = 137
const exchange = useExchange({ rateLimit: RATE_LIMIT })

describe('the displayed rate limit is the configured one', () => {
  it('next to each key of an agent, with its usage', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/keys')
    expect(visitor.text).toContain(`0 de ${RATE_LIMIT} solicitudes en 10 min`)
  })

  it('in the API description, and in response headers', async () => {
    const answer = await exchange.get('/openapi.json')
    expect(answer.body.info.description).toContain(`${RATE_LIMIT} requests in 10 minutes`)
    expect(answer.headers['x-ratelimit-limit']).toBe(String(RATE_LIMIT))
  })
})

describe('each of these is defined in one place', () => {
  const SRC = new URL('../../src/', import.meta.url).pathname
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.tsx?$/.test(name))
    .map(name => ({ name, text: readFileSync(join(SRC, name), 'utf8') }))
  const holding = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ name }) => name)

  it.each([
    ['the time zone', /America\/Mexico_City/, 'lib/time.ts'],
    ['the reminder before a listing is hidden', /REMINDER_DAYS = /, 'listings/confirmation.ts'],
    ['when a listing was last confirmed', /confirmed_at, (l\.)?published_at/, 'listings/confirmation.ts'],
    ['the escaping of LIKE', /replace\(\/\[\\\\%_\]/, 'lib/text.ts'],
    ['the parser of page numbers', /get\('page'\)/, 'ui/pager.tsx'],
    ['the field of a form’s token', /'_token'/, 'ui/context.ts'],
  ])('%s', (_what, pattern, home) => expect(holding(pattern)).toEqual([home]))
})
