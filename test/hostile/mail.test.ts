import { beforeAll, describe, expect, it } from 'vitest'
import { requestLetter, UNPROVEN_PER_HOUR } from '../../src/outbox/letters.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { clock, inquire, market, person, useClock } from '../support/inquiries.ts'
import { PASSWORD, Visitor } from '../support/visitor.ts'

/** Every limit on mail is requested ten times over. */
const TIMES = 10
const isThorough = process.env.THOROUGH === '1'
const NOBODY = '00000000-0000-4000-8000-000000000000'

const exchange = useExchange(useClock())
let agent: TestAgent
let path: string

beforeAll(async () => {
  agent = await exchange.agent()
  path = (await market(exchange, agent)).agentPath
})

/** Queued mail. */
async function waiting(kind?: string): Promise<number> {
  const { rows } = await exchange.pool.query<{ count: number }>(
    `select count(*)::int as count from graphile_worker._private_jobs
     where payload ->> 'agentId' is not null and ($1::text is null or payload ->> 'kind' = $1)`,
    [kind ?? null],
  )
  return rows[0]?.count as number
}
const kept = async () =>
  (await exchange.pool.query<{ count: number }>('select count(*)::int as count from letters')).rows[0]
    ?.count as number

describe('a mailbox whose owner requested nothing', () => {
  it('gets at most three messages per kind of form, from any number of senders', async () => {
    const victim = 'nadie@example.com'
    for (let i = 0; i < 3 * TIMES; i++) {
      // Each from a different address.
      const visitor = await new Visitor(exchange).open('/portal/sign-up')
      const form = { name: `Persona ${i}`, email: victim, phone: '33 1234 5678', password: PASSWORD }
      await visitor.submit('/portal/sign-up', form)
      await visitor.open('/portal/forgotten')
      await visitor.submit('/portal/forgotten', { email: victim })
      await inquire(exchange, path, person({ email: victim }))
    }
    expect((await waiting('confirm')) + (await waiting('reset'))).toBe(3)
    // Each inquiry takes five seconds: the thirtieth is still within ten minutes.
    expect(await waiting('inquiry')).toBe(3)
  })
})

describe('mail per hour', () => {
  it('to unverified addresses is bounded, and so are its records', async () => {
    const now = new Date(clock.now + 48 * 3_600_000)
    const tries = isThorough ? UNPROVEN_PER_HOUR * TIMES : UNPROVEN_PER_HOUR + 50
    if (!isThorough) {
      await exchange.pool.query(
        `insert into letters (recipient, is_known, at)
         select sha256(n::text::bytea), false, $1 from generate_series(1, $2::int) n`,
        [now, UNPROVEN_PER_HOUR - 20],
      )
    }
    const before = await waiting()
    const letter = { kind: 'confirm', agentId: NOBODY, ids: [] } as const
    let sent = 0
    for (let i = isThorough ? 0 : UNPROVEN_PER_HOUR - 20; i < tries; i++) {
      const to = { to: `stranger-${i}@example.com`, isProven: false, now }
      if (await requestLetter(exchange.db, letter, to)) sent++
    }
    expect(sent).toBe(isThorough ? UNPROVEN_PER_HOUR : 20)
    expect((await waiting()) - before).toBe(sent)
    expect(await kept()).toBeLessThan(UNPROVEN_PER_HOUR + 100)
  })
})
