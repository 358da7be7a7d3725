import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyIdentification } from '../../src/leads/identification/service.ts'
import { changeDetails } from '../../src/leads/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import {
  askForShowing,
  clock,
  DAY,
  identify,
  inquire,
  leadsOf,
  market,
  person,
  useClock,
} from '../support/inquiries.ts'
import { takeMail } from '../support/mail.ts'
import { signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange(useClock())
let agent: TestAgent
let portal: Visitor
let path: string
let listing: { id: string; title: string }

beforeAll(async () => {
  const phone = '33 1234 5678'
  ;({ agent, visitor: portal } = await signedInAgent(exchange, { name: 'Ana Torres', phone }))
  const shown = await market(exchange, agent)
  path = shown.listingPath
  listing = shown.listing
})

beforeEach(async () => {
  await takeMail(exchange)
})

/** A showing whose visitor is identified: the agent can confirm it. */
async function identified(at = path) {
  const asked = await askForShowing(exchange, agent, at)
  expect((await identify(exchange, asked.link)).status).toBe(200)
  await verifyIdentification(exchange.db, asked.lead.id, agent.id)
  await takeMail(exchange)
  return asked
}
const save = async (leadId: string, fields: Record<string, string>) => {
  await portal.open(`/portal/leads/${leadId}`)
  await portal.submit(`/portal/leads/${leadId}/details`, fields)
  return portal.status
}
const confirm = (leadId: string) => save(leadId, { tour_status: 'confirmed' })

describe('a confirmed showing', () => {
  it('is mailed to the visitor: when, what, and who will be there', async () => {
    const { lead, fields } = await identified()
    expect(await confirm(lead.id)).toBe(200)
    const [mail, ...others] = await takeMail(exchange)
    expect([mail?.kind, mail?.to.address, others]).toEqual(['showing-confirmed', fields.email, []])
    const day = new Intl.DateTimeFormat('es-MX', { dateStyle: 'full', timeZone: 'America/Mexico_City' })
    expect(mail?.subject).toContain('Tu visita está confirmada')
    for (const words of [
      day.format(lead.tour_at as Date),
      '10:30',
      listing.title,
      `https://lonja.example${path}`,
      'Ana Torres',
      '33 1234 5678',
    ])
      expect(mail?.text).toContain(words)
    // The mailbox may belong to a stranger.
    expect(JSON.stringify(mail)).not.toMatch(/Cárdenas|Sigue disponible/)
  })

  it('is mailed in English to a visitor who wrote in English', async () => {
    const { lead } = await identified(`/en${path}`)
    await confirm(lead.id)
    const [mail] = await takeMail(exchange)
    expect(mail?.subject).toContain('Your showing is confirmed')
    expect(mail?.text).toContain(`https://lonja.example/en${path}`)
    expect(mail?.text).not.toMatch(/visita|Propiedad/)
  })

  it('is mailed once, again when it moves or is confirmed again, and for no other change', async () => {
    const { lead } = await identified()
    const mails = async (fields: Record<string, string>) => {
      expect(await save(lead.id, fields)).toBe(200)
      return (await takeMail(exchange)).length
    }
    expect(await mails({ showing_at: '2027-01-04T17:00' })).toBe(0)
    expect(await mails({ tour_status: 'confirmed' })).toBe(1)
    expect(await mails({})).toBe(0)
    expect(await mails({ budget_min: '1000000', follow_up_at: '2027-01-03T09:00' })).toBe(0)
    expect(await mails({ showing_at: '2027-01-05T17:00' })).toBe(1)
    expect(await mails({ tour_status: 'cancelled' })).toBe(0)
    expect(await mails({ showing_at: '2027-01-06T17:00' })).toBe(0)
    expect(await mails({ tour_status: 'confirmed' })).toBe(1)
    expect(await mails({ tour_status: 'done' })).toBe(0)
  })

  it('is mailed once when it is confirmed several times at once', async () => {
    const { lead } = await identified()
    const sent = { value: { tour_status: 'confirmed' as const }, issues: [] }
    await Promise.all(Array.from({ length: 5 }, () => changeDetails(exchange.db, agent.id, lead.id, sent)))
    expect(await takeMail(exchange)).toHaveLength(1)
  })

  it('is mailed with its time at sending, and not at all after it is canceled', async () => {
    const [moved, cancelled] = [await identified(), await identified()]
    await confirm(moved.lead.id)
    const later = new Date(clock.now + 9 * DAY)
    await exchange.db
      .updateTable('leads')
      .set({ showing_at: later })
      .where('id', '=', moved.lead.id)
      .execute()
    await confirm(cancelled.lead.id)
    await save(cancelled.lead.id, { tour_status: 'cancelled' })
    const mails = await takeMail(exchange)
    expect(mails.map(mail => mail.to.address)).toEqual([moved.fields.email])
    const day = new Intl.DateTimeFormat('es-MX', { dateStyle: 'full', timeZone: 'America/Mexico_City' })
    expect(mails[0]?.text).toContain(day.format(later))
  })

  it('names a listing that is no longer public without a broken link', async () => {
    const sold = await market(exchange, agent, { title: 'Casa que ya se vendió' })
    const { lead } = await identified(sold.listingPath)
    await exchange.setStatus(sold.listing.id, 'sold')
    await confirm(lead.id)
    const [mail] = await takeMail(exchange)
    expect(mail?.text).toContain('Casa que ya se vendió')
    expect(mail?.text).not.toContain(sold.listingPath)
  })
})

describe('no mail', () => {
  const agreed = { tour_status: 'confirmed', showing_at: '2027-01-05T17:00' }

  it('goes to a lead created by API, whose person never wrote to us', async () => {
    const sent = await exchange.post('/leads', agent.key, { name: 'Luis', email: 'luis@example.com' })
    expect(sent.status).toBe(201)
    await takeMail(exchange)
    expect(await save(sent.body.id, agreed)).toBe(200)
    expect(await takeMail(exchange)).toEqual([])
  })

  it('goes to visitors without an email, or whose data is erased', async () => {
    await inquire(exchange, path, person({ email: '', phone: '33 1234 5678' }))
    const [lead] = await leadsOf(exchange, agent.id)
    const { lead: erased } = await identified()
    await confirm(erased.id)
    await portal.open(`/portal/leads/${erased.id}/erase`)
    await portal.submit(`/portal/leads/${erased.id}/erase`, { sure: 'on' })
    expect(await save(lead?.id as string, agreed)).toBe(200)
    expect((await takeMail(exchange)).filter(mail => mail.kind === 'showing-confirmed')).toEqual([])
  })
})
