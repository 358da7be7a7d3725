import { beforeAll, describe, expect, it } from 'vitest'
import { markIdentified } from '../../src/leads/service.ts'
import { toLocal } from '../../src/lib/time.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { askForShowing, clock, DAY, market, useClock } from '../support/inquiries.ts'
import { takeMail } from '../support/mail.ts'
import { signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange(useClock())
let agent: TestAgent
let portal: Visitor
let path: string

beforeAll(async () => {
  ;({ agent, visitor: portal } = await signedInAgent(exchange))
  path = (await market(exchange, agent)).listingPath
})

async function identified() {
  const { lead } = await askForShowing(exchange, agent, path)
  await markIdentified(exchange.db, lead.id)
  await takeMail(exchange)
  return lead.id
}

const inDays = (days: number) => toLocal(new Date(clock.now + days * DAY))

async function moveTo(leadId: string, days: number) {
  await portal.open(`/portal/leads/${leadId}`)
  await portal.submit(`/portal/leads/${leadId}/details`, {
    tour_status: 'confirmed',
    showing_at: inDays(days),
  })
  expect(portal.status).toBe(200)
}

/** Queued mails, by the minutes until they are sent. */
async function waiting() {
  const { rows } = await exchange.pool.query<{ minutes: number }>(
    `select round(extract(epoch from run_at - now()) / 60)::int as minutes from graphile_worker.jobs
     where task_identifier = 'notice'`,
  )
  return rows.map(row => row.minutes)
}

describe('a showing that is moved repeatedly', () => {
  it('is mailed once, with its final time', async () => {
    const id = await identified()
    for (let days = 4; days <= 20; days++) await moveTo(id, days)
    expect(await waiting()).toEqual([2])
    const mails = await takeMail(exchange)
    expect(mails).toHaveLength(1)
    const day = new Intl.DateTimeFormat('es-MX', { dateStyle: 'full', timeZone: 'America/Mexico_City' })
    expect(mails[0]?.text).toContain(day.format(new Date(clock.now + 20 * DAY)))
  })

  it('is mailed at most once an hour', async () => {
    const id = await identified()
    await moveTo(id, 4)
    expect(await takeMail(exchange)).toHaveLength(1)
    await moveTo(id, 5)
    await moveTo(id, 6)
    expect(await waiting()).toEqual([60])
    expect(await takeMail(exchange)).toHaveLength(1)
  })

  it('is not mailed if it ends at the time the visitor already knows', async () => {
    const id = await identified()
    const at = clock.now
    await moveTo(id, 4)
    expect(await takeMail(exchange)).toHaveLength(1)
    await moveTo(id, 5)
    clock.now = at
    await moveTo(id, 4)
    expect(await takeMail(exchange)).toEqual([])
  })
})
