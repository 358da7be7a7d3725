import { describe, expect, it } from 'vitest'
import { receiveLead } from '../../src/leads/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { takeMail } from '../support/mail.ts'
import { signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const PERSON = {
  name: 'María López',
  email: 'maria@example.com',
  phone: '33 1234 5678',
  message: '¿Sigue disponible?',
}

const leadOf = async (agent: TestAgent, fields: Record<string, unknown> = {}) => {
  const created = await exchange.post('/leads', agent.key, { ...PERSON, ...fields })
  expect(created.status).toBe(201)
  return created.body as { id: string }
}

/** Like one from the public page: with an event for webhooks. */
const fromSite = (agent: TestAgent, tour?: { at: Date | null }) =>
  receiveLead(
    exchange.db,
    agent.id,
    { value: PERSON, issues: [] },
    { source: 'site', ...(tour ? { tour } : {}) },
  )

const rowOf = (id: string) =>
  exchange.db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const page = async (visitor: Visitor, id: string) => visitor.open(`/portal/leads/${id}`)

describe('a lead entered by hand', () => {
  it('is the agent’s, notifies the agent’s systems and sends no mail', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await takeMail(exchange)
    await visitor.open('/portal/leads/new')
    await visitor.submit('/portal/leads/new', { ...PERSON, email: '' })
    const id = visitor.path.slice('/portal/leads/'.length)
    expect(await rowOf(id)).toMatchObject({
      agent_id: agent.id,
      email: null,
      source: 'portal',
      status: 'new',
    })
    expect(visitor.text).toContain('Capturado por ti')
    expect((await exchange.events(id)).map(({ event }) => event)).toEqual(['lead.created'])
    expect(await takeMail(exchange)).toEqual([])
    const stranger = await signedInAgent(exchange)
    expect((await page(stranger.visitor, id)).status).toBe(404)
  })

  it('comes back with what was typed when the name is missing or the email is none', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/leads/new')
    await visitor.submit('/portal/leads/new', { ...PERSON, name: ' ', email: 'nowhere' })
    expect(visitor.status).toBe(422)
    expect(visitor.html).toContain('value="nowhere"')
  })

  it('is for verified agents only', async () => {
    const { visitor } = await signedInAgent(exchange, { verified: false })
    expect((await visitor.open('/portal/leads/new')).status).toBe(403)
  })
})

describe('the inbox', () => {
  it('shows each lead once on the board, in the column of its stage', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await leadOf(agent)
    await exchange.db.updateTable('leads').set({ status: 'showing' }).where('id', '=', id).execute()
    await visitor.open('/portal/leads')
    const column = /<section[^>]*data-stage="showing".*?<\/section>/s.exec(visitor.html)?.[0]
    expect(column).toContain('María López')
    expect(visitor.html.split(`href="/portal/leads/${id}"`)).toHaveLength(2)
  })

  it('filters the table by stage and finds people by name, email, phone or listing', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const listing = await exchange.listing(agent, { title: 'Loft con terraza' })
    await leadOf(agent, { property_id: listing.id })
    const { id } = await leadOf(agent, { name: 'Pedro Páramo', email: null, phone: null })
    await exchange.db.updateTable('leads').set({ status: 'lost' }).where('id', '=', id).execute()
    const names = async (query: string) => {
      await visitor.open(`/portal/leads?view=table&${query}`)
      return ['María López', 'Pedro Páramo'].filter(name => visitor.text.includes(name))
    }
    expect(await names('')).toHaveLength(2)
    expect(await names('status=lost')).toEqual(['Pedro Páramo'])
    for (const q of ['maría', 'MARIA@', '33-1234-5678', 'terraza']) {
      expect([q, await names(`q=${encodeURIComponent(q)}`)]).toEqual([q, ['María López']])
    }
    expect(await names('q=100%25')).toEqual([])
    expect(await names('status=nonsense&page=0')).toHaveLength(2)
  })

  it('shows a hint to agents without leads', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/leads')
    expect(visitor.text).toContain('Aún no tienes prospectos')
  })
})

describe('the stage', () => {
  it('changes to any other and creates one lead.updated', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const lead = await fromSite(agent)
    for (const stage of ['won', 'new', 'new', 'negotiation']) {
      await page(visitor, lead.id)
      await visitor.submit(`/portal/leads/${lead.id}/stage`, { stage })
    }
    const told = (await exchange.events(lead.id)).filter(({ event }) => event === 'lead.updated')
    expect(told.map(({ data }) => data)).toEqual(
      ['won', 'new', 'negotiation'].map(status => ({ id: lead.id, status })),
    )
    expect((await rowOf(lead.id)).status).toBe('negotiation')
  })

  it.each(['nonsense', '', 'NEW'])('is never %j', async stage => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await leadOf(agent)
    await page(visitor, id)
    await visitor.submit(`/portal/leads/${id}/stage`, { stage })
    expect(visitor.status).toBe(400)
    expect((await rowOf(id)).status).toBe('new')
  })
})

describe('a lead’s page', () => {
  it('shows everything known, and that a showing waits for identification', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const lead = await fromSite(agent, { at: new Date('2026-12-01T16:30:00Z') })
    await page(visitor, lead.id)
    for (const text of [
      'María López',
      'maria@example.com',
      '33 1234 5678',
      '¿Sigue disponible?',
      'Solicita visita',
    ])
      expect(visitor.text).toContain(text)
    expect(visitor.text).toContain('Falta identificarse')
    expect(visitor.html).toContain('value="2026-12-01T10:30"')
  })

  it('offers call, WhatsApp and email links, and nothing that runs code', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const evil = {
      name: '"><script>alert(1)</script>',
      email: 'a"onclick=b@example.com',
      message: '<img src=x>',
    }
    const { id } = await leadOf(agent, { ...evil, email: null })
    await page(visitor, id)
    expect(visitor.html).toContain('href="tel:+523312345678"')
    expect(visitor.html).toContain('href="https://wa.me/523312345678?text=')
    expect(visitor.html).not.toContain('<script>alert')
    expect(visitor.html).not.toContain('<img src=x')
    const second = await leadOf(agent)
    await page(visitor, second.id)
    expect(visitor.html).toContain('href="mailto:maria@example.com?subject=')
  })

  it('stores follow-up, interest, budget and showing, and notifies no one', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await leadOf(agent)
    await page(visitor, id)
    await visitor.submit(`/portal/leads/${id}/details`, {
      follow_up_at: '2026-12-24',
      interest: 'rental',
      budget_min: '15,000',
      budget_max: '$20,000.50',
      tour_at: '2026-12-20T17:00',
      tour_status: 'confirmed',
      showing_at: '2026-12-21T09:15',
    })
    expect(visitor.text).toContain('Guardado.')
    expect(await rowOf(id)).toMatchObject({
      follow_up_at: new Date('2026-12-24T15:00:00Z'),
      interest: 'rental',
      budget_min: 15_000,
      budget_max: 20_000.5,
      tour_at: new Date('2026-12-20T23:00:00Z'),
      tour_status: 'confirmed',
      showing_at: new Date('2026-12-21T15:15:00Z'),
      status: 'new',
    })
    expect((await exchange.events(id)).map(({ event }) => event)).toEqual(['lead.created'])
    await visitor.submit(`/portal/leads/${id}/details`, { interest: '', budget_min: '', follow_up_at: '' })
    expect(await rowOf(id)).toMatchObject({ interest: null, budget_min: null, follow_up_at: null })
  })

  it.each([
    ['budget_min', { budget_min: 'mucho' }, 'Debe ser un número.'],
    ['budget_max', { budget_min: '5', budget_max: '4' }, 'No puede ser menor que el mínimo.'],
    ['tour_at', { tour_at: '2026-02-30T10:00' }, 'Debe ser una fecha.'],
    ['interest', { interest: 'both' }, 'Debe ser uno de: sale, rental.'],
  ])('shows next to %s what is wrong with %o', async (field, wrong, message) => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await leadOf(agent)
    await page(visitor, id)
    await visitor.submit(`/portal/leads/${id}/details`, wrong)
    expect(visitor.status).toBe(422)
    expect(new RegExp(`id="${field}-error"[^>]*>([^<]*)<`).exec(visitor.html)?.[1]).toBe(message)
  })

  it('stores notes, newest first, and deletes them', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await leadOf(agent)
    for (const note of ['Llamé, no contestó', 'Quiere <b>verla</b> el sábado']) {
      await page(visitor, id)
      await visitor.submit(`/portal/leads/${id}/notes`, { note })
    }
    expect(visitor.text).toMatch(/Quiere <b>verla<\/b> el sábado.*Llamé, no contestó/)
    expect(visitor.html).not.toContain('<b>verla')
    await visitor.submit(`/portal/leads/${id}/notes/remove`)
    expect(visitor.text).not.toContain('verla')
    expect(visitor.text).toContain('Llamé, no contestó')
    await visitor.submit(`/portal/leads/${id}/notes`, { note: '  ' })
    expect(visitor.status).toBe(422)
  })
})

describe('the CSV file', () => {
  it('contains no formula, whatever a stranger wrote', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const cells = ['=1+1', '+cmd', '-2', '@SUM(A1)', '\t=1', '  =HYPERLINK("x")', '＝1', '%x', '|x']
    for (const name of cells) await leadOf(agent, { name, message: `${name}\n"quoted", and more` })
    await visitor.open('/portal/leads/export.csv')
    expect(visitor.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename="lonja-leads-[\d-]+\.csv"$/),
      'x-content-type-options': 'nosniff',
    })
    expect(visitor.html.charCodeAt(0)).toBe(0xfeff)
    const parsed = parseCsv(visitor.html.slice(1))
    expect(parsed).toHaveLength(cells.length + 1)
    for (const cell of parsed.flat()) expect(cell).not.toMatch(/^[\s\p{Cc}]*[=+\-@＝%|]/u)
    expect(parsed[1]?.[4]).toContain('"quoted", and more')
  })

  it('contains only the agent’s own leads', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const other = await exchange.agent()
    await leadOf(agent)
    await leadOf(other, { name: 'De otro agente' })
    await visitor.open('/portal/leads/export.csv')
    expect(visitor.html).toContain('María López')
    expect(visitor.html).not.toContain('De otro agente')
  })
})

describe('erasing a person', () => {
  it('leaves nothing that identifies them, neither here nor in webhooks', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const lead = await fromSite(agent)
    await page(visitor, lead.id)
    await visitor.submit(`/portal/leads/${lead.id}/notes`, { note: 'Su hermana es Lucía' })
    await visitor.open(`/portal/leads/${lead.id}/erase`)
    await visitor.submit(`/portal/leads/${lead.id}/erase`, { sure: 'on' })
    expect(visitor.text).toContain('Los datos de la persona se eliminaron.')
    const row = await rowOf(lead.id)
    expect(row).toMatchObject({ email: null, phone: null, phone_e164: null, message: null, status: 'new' })
    const [created] = await exchange.events(lead.id)
    expect(Object.keys(created?.data as object)).toEqual([
      'id',
      'name',
      'email',
      'phone',
      'message',
      'kind',
      'id_status',
      'listing',
      'source',
    ])
    const everything = JSON.stringify([
      row,
      created,
      await exchange.db.selectFrom('lead_notes').selectAll().where('lead_id', '=', lead.id).execute(),
    ])
    expect(everything).not.toMatch(/María|maria@|1234 ?5678|disponible|Lucía/)
    const listed = (await exchange.get('/leads', agent.key)).body.content
    expect(listed).toHaveLength(1)
    expect(listed[0].id).toBe(lead.id)
  })

  it('asks for confirmation first', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await leadOf(agent)
    await visitor.open(`/portal/leads/${id}/erase`)
    await visitor.submit(`/portal/leads/${id}/erase`)
    expect(visitor.status).toBe(422)
    expect((await rowOf(id)).name).toBe('María López')
  })
})

/** Quoted cells only, like ours. */
function parseCsv(text: string): string[][] {
  return text
    .split('\r\n')
    .filter(Boolean)
    .map(line =>
      [...line.matchAll(/"((?:[^"]|"")*)"(?:,|$)/g)].map(([, cell = '']) => cell.replaceAll('""', '"')),
    )
}
