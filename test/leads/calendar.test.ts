import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { monthAfter, rangeOf, weeksOf } from '../../src/leads/calendar/calendar.ts'
import type { TOUR_STATUSES } from '../../src/leads/rules.ts'
import { receiveLead } from '../../src/leads/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { icalValue, readIcalendar } from '../support/icalendar.ts'
import { signedInAgent, Visitor } from '../support/visitor.ts'

const NOW = new Date('2026-03-10T18:00:00Z')
const exchange = useExchange({ now: () => NOW.getTime() })

interface Wanted {
  name?: string
  phone?: string
  at?: string | null
  status?: (typeof TOUR_STATUSES)[number]
  listing?: { id: string }
  awaiting?: boolean
}

/** A lead whose showing is confirmed. */
async function showing(agent: TestAgent, wanted: Wanted = {}) {
  const { name = 'María López', phone = '33 1234 5678', at = '2026-03-14T17:30:00Z' } = wanted
  const person = { name, phone, email: 'maria@example.com', message: 'Me interesa' }
  const lead = await receiveLead(
    exchange.db,
    agent.id,
    { value: person, issues: [] },
    { source: 'site', listingId: wanted.listing?.id ?? null },
  )
  await exchange.db
    .updateTable('leads')
    .set({
      tour_status: wanted.status ?? 'confirmed',
      showing_at: at === null ? null : new Date(at),
      awaiting_id: wanted.awaiting ?? false,
      ...(wanted.awaiting ? { id_status: 'pending' as const } : {}),
    })
    .where('id', '=', lead.id)
    .execute()
  return lead
}

const feedPath = async (agent: { id: string }) => {
  const { calendar_key: key } = await exchange.db
    .selectFrom('agents')
    .select('calendar_key')
    .where('id', '=', agent.id)
    .executeTakeFirstOrThrow()
  return `/calendario/${key}.ics`
}

const fetchFeed = async (agent: { id: string }) => {
  const answer = await exchange.app.inject({ method: 'GET', url: await feedPath(agent) })
  expect(answer.statusCode).toBe(200)
  return { answer, calendar: readIcalendar(answer.rawPayload) }
}

describe('the feed', () => {
  it('has each confirmed showing as an event, in UTC, one hour long', async () => {
    const agent = await exchange.agent()
    const listing = await exchange.published(agent, {
      address: 'Av. Pablo Neruda 2711',
      neighborhood: 'Providencia',
    })
    const lead = await showing(agent, { listing })
    const { answer, calendar } = await fetchFeed(agent)
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(answer.headers['cache-control']).toContain('no-store')
    const [event, ...others] = calendar.components
    expect(others).toEqual([])
    const read = (name: string) => event && icalValue(event, name)
    expect(read('UID')).toBe(lead.id)
    expect(read('DTSTART')).toBe('20260314T173000Z')
    expect(read('DTEND')).toBe('20260314T183000Z')
    expect(read('STATUS')).toBe('CONFIRMED')
    expect(read('SUMMARY')).toBe('Visita: María López')
    expect(read('LOCATION')).toBe('Av. Pablo Neruda 2711, Providencia, Guadalajara')
    expect(read('DESCRIPTION')).toBe(
      `Casa con jardín en Providencia\nTeléfono: 33 1234 5678\nhttps://lonja.example/portal/leads/${lead.id}`,
    )
  })

  it.each([
    ['separators', 'Ana; O’Hara, "la Güera" \\ Pérez: x'],
    ['a line that would end the event', 'Ana\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:evil'],
    ['lone line breaks', 'Ana\nLuz\rEva'],
    ['a name longer than a line', 'Ñandú 🏡 '.repeat(24).trim()],
    ['flags and families of emoji, never split by folding', '👩‍👩‍👧‍👦🇲🇽'.repeat(12)],
    ['control characters', 'A\u0001n\u007fa\u0085'],
  ])('survives %s in a name', async (_what, name) => {
    const agent = await exchange.agent()
    const lead = await showing(agent)
    await exchange.db.updateTable('leads').set({ name }).where('id', '=', lead.id).execute()
    const { calendar } = await fetchFeed(agent)
    expect(calendar.components).toHaveLength(1)
    const clean = name.replace(/\r\n|\r/g, '\n').replace(/(?!\n)\p{Cc}/gu, '')
    expect(icalValue(calendar.components[0] as never, 'SUMMARY')).toBe(`Visita: ${clean}`)
  })

  it('keeps the UID and raises SEQUENCE and DTSTAMP when a showing moves or is canceled', async () => {
    const agent = await exchange.agent()
    const lead = await showing(agent)
    const stamp = async () => {
      const { calendar } = await fetchFeed(agent)
      const event = calendar.components[0] as never
      const read = (name: string) => icalValue(event, name) as string
      return {
        uid: read('UID'),
        sequence: Number(read('SEQUENCE')),
        at: read('DTSTAMP'),
        status: read('STATUS'),
      }
    }
    const before = await stamp()
    await exchange.db
      .updateTable('leads')
      .set({ tour_status: 'cancelled', updated_at: new Date(lead.updated_at.getTime() + 5_000) })
      .where('id', '=', lead.id)
      .execute()
    const after = await stamp()
    expect(after.uid).toBe(before.uid)
    expect(after.sequence).toBeGreaterThan(before.sequence)
    expect(after.at > before.at).toBe(true)
    expect([before.status, after.status]).toEqual(['CONFIRMED', 'CANCELLED'])
  })

  it('contains only the person’s name and phone', async () => {
    const agent = await exchange.agent()
    const lead = await showing(agent)
    await exchange.db
      .insertInto('identifications')
      .values({
        lead_id: lead.id,
        status: 'submitted',
        submitted_at: NOW,
        details: Buffer.from('sealed-details'),
        picture: Buffer.from('sealed-picture'),
      })
      .execute()
    const { answer } = await fetchFeed(agent)
    for (const secret of ['maria@example.com', 'Me interesa', 'sealed', agent.email]) {
      expect(answer.body.replaceAll('\r\n ', '')).not.toContain(secret)
    }
  })

  it.each<[string, Wanted]>([
    ['only requested', { status: 'requested' }],
    ['without an hour', { at: null }],
    ['whose visitor is not identified', { awaiting: true }],
    ['from four months ago', { at: '2025-11-01T17:00:00Z' }],
  ])('leaves out a showing %s', async (_what, wanted) => {
    const agent = await exchange.agent()
    await showing(agent, wanted)
    expect((await fetchFeed(agent)).calendar.components).toEqual([])
  })

  it('leaves out the showings of other agents', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    await showing(other, { name: 'De Otro' })
    const { answer, calendar } = await fetchFeed(agent)
    expect(calendar.components).toEqual([])
    expect(answer.body).not.toContain('De Otro')
  })

  it('does not reveal the hidden address of another agent’s listing', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    const listing = await exchange.published(other, { address: 'Calle Oculta 5', neighborhood: 'Americana' })
    await showing(agent, { listing })
    const { calendar } = await fetchFeed(agent)
    expect(icalValue(calendar.components[0] as never, 'LOCATION')).toBe('Americana, Guadalajara')
  })

  it('keeps the time but not the person after the person’s data is erased', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const lead = await showing(agent)
    await visitor.open(`/portal/leads/${lead.id}/erase`)
    await visitor.submit(`/portal/leads/${lead.id}/erase`, { sure: 'on' })
    const { answer, calendar } = await fetchFeed(agent)
    expect(icalValue(calendar.components[0] as never, 'SUMMARY')).toBe('Visita: datos eliminados')
    expect(answer.body).not.toMatch(/María|1234 5678/)
  })

  it('answers 404 for an agent who is not verified', async () => {
    const agent = await exchange.agent()
    const path = await feedPath(agent)
    expect((await exchange.app.inject(path)).statusCode).toBe(200)
    await setVerified(exchange.db, agent.email, false)
    expect((await exchange.app.inject(path)).statusCode).toBe(404)
  })

  it.each([
    `/calendario/${randomUUID()}.ics`,
    '/calendario/x.ics',
    '/calendario/%00.ics',
    "/calendario/'%20or%201=1.ics",
    '/calendario/.ics',
  ])('answers 404 to the unknown path %s', async path => {
    expect((await exchange.app.inject(path)).statusCode).toBe(404)
  })

  it('keeps its address out of the log', async () => {
    const agent = await exchange.agent()
    const path = await feedPath(agent)
    await exchange.app.inject(path)
    expect(exchange.log.join()).toContain('/calendario/')
    expect(exchange.log.join()).not.toContain(path.slice('/calendario/'.length, -'.ics'.length))
  })

  it('answers 404 to a token without its ending', async () => {
    const agent = await exchange.agent()
    const path = (await feedPath(agent)).replace('.ics', '')
    expect((await exchange.app.inject(path)).statusCode).toBe(404)
  })
})

describe('the calendar in the portal', () => {
  it('shows the month’s showings by day, at local time on a 12-hour clock', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const listing = await exchange.published(agent)
    await showing(agent, { listing })
    // 00:30 UTC on the 21st is still the 20th there.
    await showing(agent, { name: 'Nora Noche', at: '2026-03-21T00:30:00Z' })
    await visitor.open('/portal/calendar')
    expect(visitor.status).toBe(200)
    expect(visitor.text).toMatch(/Sábado, 14 de marzo 11:30 a\.m\. María López Confirmada Casa con jardín/)
    expect(visitor.text).toMatch(/Viernes, 20 de marzo 6:30 p\.m\. Nora Noche/)
    expect(visitor.html).toContain('href="#day-2026-03-20"')
  })

  it('shows nothing of other agents', async () => {
    const { visitor } = await signedInAgent(exchange)
    await showing(await exchange.agent(), { name: 'Secreta Ajena' })
    await visitor.open('/portal/calendar')
    expect(visitor.text).toContain('No hay más visitas este mes')
    expect(visitor.text).not.toContain('Secreta')
  })

  it('links to the month of the next showing', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await showing(agent, { at: '2026-05-02T17:00:00Z' })
    await visitor.open('/portal/calendar')
    expect(visitor.html).toContain('href="/portal/calendar?month=2026-05"')
    await visitor.open('/portal/calendar?month=2026-05')
    expect(visitor.text).toContain('María López')
  })

  it.each(['x', '2026-13', '1999-01', '2026-3', '%27'])(
    'shows the current month for month=%s',
    async month => {
      const { visitor } = await signedInAgent(exchange)
      await visitor.open(`/portal/calendar?month=${month}`)
      expect(visitor.text).toContain('Marzo de 2026')
    },
  )

  it('can replace the feed’s address, and the old one stops working at once', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/calendar')
    const old = await feedPath(agent)
    expect(visitor.html).toContain(`https://lonja.example${old}`)
    await visitor.submit('/portal/calendar/renew')
    expect(visitor.text).toContain('Tu calendario tiene una dirección nueva')
    const renewed = await feedPath(agent)
    expect(visitor.html).toContain(renewed)
    expect(visitor.html).not.toContain(old)
    expect((await exchange.app.inject(old)).statusCode).toBe(404)
    expect((await exchange.app.inject(renewed)).statusCode).toBe(200)
  })

  it('does not show the address to an agent who is not verified', async () => {
    const { agent, visitor } = await signedInAgent(exchange, { verified: false })
    await visitor.open('/portal/calendar')
    expect(visitor.status).toBe(200)
    expect(visitor.html).not.toContain(await feedPath(agent))
  })

  it('redirects to sign-in without a session', async () => {
    const visitor = await new Visitor(exchange).open('/portal/calendar')
    expect(visitor.path).toContain('/portal/sign-in')
  })
})

describe('months', () => {
  it.each([
    ['2026-01', -1, '2025-12'],
    ['2026-12', 1, '2027-01'],
    ['2026-03', 12, '2027-03'],
  ])('%s and %i is %s', (month, steps, wanted) => expect(monthAfter(month, steps)).toBe(wanted))

  it('start and end at midnight in central Mexico', () => {
    expect(rangeOf('2026-03')).toEqual({
      from: new Date('2026-03-01T06:00:00Z'),
      to: new Date('2026-04-01T06:00:00Z'),
    })
  })

  it('are whole weeks starting on Monday', () => {
    const weeks = weeksOf('2026-02')
    expect(weeks).toHaveLength(5)
    expect(weeks.every(week => week.length === 7)).toBe(true)
    expect(weeks[0]).toEqual([undefined, undefined, undefined, undefined, undefined, undefined, '2026-02-01'])
    expect(weeks.flat().filter(Boolean)).toHaveLength(28)
  })
})
