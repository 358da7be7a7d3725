import { describe, expect, it } from 'vitest'
import { PRIVACY_EDITION } from '../../src/leads/visitors/service.ts'
import { useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import {
  clock,
  DAY,
  inquire,
  leadsOf,
  market,
  person,
  SECOND,
  showing,
  useClock,
} from '../support/inquiries.ts'
import { takeMail } from '../support/mail.ts'
import { Visitor } from '../support/visitor.ts'

const exchange = useExchange(useClock())

describe('an inquiry on the page of a listing', () => {
  it('becomes a lead of the listing’s agent with all fields of the form', async () => {
    const agent = await exchange.agent()
    const { listing, listingPath } = await market(exchange, agent)
    const fields = person({ phone: '044 55 1234 5678', message: 'Línea uno\r\nLínea dos' })
    const visitor = await inquire(exchange, listingPath, fields)
    expect(visitor.path).toBe(`${listingPath}/gracias?r=info`)
    expect(visitor.text).toContain('Tu mensaje va en camino')
    expect(await leadsOf(exchange, agent.id)).toEqual([
      expect.objectContaining({
        listing_id: listing.id,
        name: fields.name,
        email: fields.email,
        phone: '+525512345678',
        phone_e164: '+525512345678',
        message: 'Línea uno\nLínea dos',
        source: 'site',
        kind: 'info',
        lang: 'es',
        interest: 'sale',
        id_status: null,
        awaiting_id: false,
        consent_at: new Date(clock.now),
        consent_notice: PRIVACY_EDITION,
      }),
    ])
  })

  it('is delivered with the documented data to the agent’s webhooks, and to no one else’s', async () => {
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    const { listing, listingPath } = await market(exchange, agent)
    const fields = person({ phone: '33 1234 5678' })
    await inquire(exchange, listingPath, fields)
    const [lead] = await leadsOf(exchange, agent.id)
    const events = await exchange.events(lead?.id as string)
    expect(events).toMatchObject([
      { event: 'lead.created', agent_id: agent.id, channels: ['webhook', 'notice'] },
    ])
    expect(Object.keys(events[0]?.data as object)).toEqual([
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
    expect(events[0]?.data).toMatchObject({
      phone: '+523312345678',
      kind: 'info',
      id_status: null,
      listing: { id: listing.id, slug: listing.slug, title: listing.title },
      source: 'site',
    })
    expect((await exchange.get('/leads', agent.key)).body.content).toHaveLength(1)
    expect((await exchange.get('/leads', other.key)).body.content).toEqual([])
  })

  it('sends one mail to the agent and one to the visitor, which does not repeat the visitor’s text', async () => {
    const agent = await exchange.agent()
    const { listing, listingPath } = await market(exchange, agent)
    await takeMail(exchange)
    const fields = person({ name: 'Compra en spam.example', message: 'http://spam.example' })
    await inquire(exchange, listingPath, fields)
    const mails = await takeMail(exchange)
    expect(mails.map(mail => [mail.kind, mail.to.address]).sort()).toEqual([
      ['inquiry', fields.email],
      ['lead', agent.email],
    ])
    const thanks = mails.find(mail => mail.kind === 'inquiry')
    expect(thanks?.text).toContain(listing.title)
    expect(JSON.stringify(thanks)).not.toContain('spam.example')
  })

  it('leaves the interest empty if the listing is for both sale and rent', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent, { rent_price: 30_000, rent_period: 'monthly' })
    await inquire(exchange, listingPath)
    expect(await leadsOf(exchange, agent.id)).toMatchObject([{ interest: null }])
  })

  it('is accepted in English too, and answered in English', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    await takeMail(exchange)
    const visitor = await inquire(exchange, `/en${listingPath}`)
    expect(visitor.text).toContain('Your message is on its way')
    expect(await leadsOf(exchange, agent.id)).toMatchObject([{ lang: 'en' }])
    const thanks = (await takeMail(exchange)).find(mail => mail.kind === 'inquiry')
    expect(thanks?.subject).toBe('Your message is on its way')
  })

  it.each([
    ['an email alone', { phone: '' }],
    ['a phone alone', { email: '', phone: '+1 415 555 2671' }],
  ])('needs only a name and %s', async (_what, fields) => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    const visitor = await inquire(exchange, listingPath, person({ ...fields, message: '' }))
    expect(visitor.status).toBe(200)
    expect(await leadsOf(exchange, agent.id)).toHaveLength(1)
  })
})

describe('an inquiry on the page of an agent', () => {
  it('becomes a lead of that agent without a listing', async () => {
    const agent = await exchange.agent()
    const { agentPath } = await market(exchange, agent)
    const visitor = await inquire(exchange, agentPath)
    expect(visitor.path).toBe(`${agentPath}/gracias?r=info`)
    expect(await leadsOf(exchange, agent.id)).toMatchObject([
      { listing_id: null, source: 'site', kind: 'info', interest: null },
    ])
  })

  it('cannot request a showing', async () => {
    const agent = await exchange.agent()
    const { agentPath } = await market(exchange, agent)
    const visitor = await inquire(exchange, agentPath, person(showing()))
    expect(visitor.status).toBe(422)
    expect(await leadsOf(exchange, agent.id)).toEqual([])
  })
})

describe('a request for a showing', () => {
  it('waits for identification: the agent sees it and gets a mail that says so, but no event is sent yet', async () => {
    const agent = await exchange.agent()
    const { listing, listingPath } = await market(exchange, agent)
    await takeMail(exchange)
    const asked = showing(3, '10:30')
    const fields = person(asked)
    const visitor = await inquire(exchange, listingPath, fields)
    expect(visitor.text).toContain('Solo falta que te identifiques')
    const [lead] = await leadsOf(exchange, agent.id)
    expect(lead).toMatchObject({
      listing_id: listing.id,
      kind: 'tour',
      tour_status: 'requested',
      id_status: 'pending',
      awaiting_id: true,
    })
    // Central Mexico is six hours behind UTC all year.
    expect(lead?.tour_at?.toISOString()).toBe(`${asked.date}T16:30:00.000Z`)
    expect(await exchange.events(lead?.id as string)).toEqual([])
    const mails = await takeMail(exchange)
    expect(mails.map(mail => mail.kind).sort()).toEqual(['identify', 'showing-requested'])
    const notice = mails.find(mail => mail.kind === 'showing-requested')
    expect([notice?.to.address, notice?.subject]).toEqual([
      agent.email,
      expect.stringContaining('falta identificarse'),
    ])
    expect((await exchange.get('/leads', agent.key)).body.content).toMatchObject([
      { awaiting_id: true, id_status: 'pending' },
    ])
  })

  it('is at the local time of the listing, which the form and the mails name', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent, { city: 'Cancún', state: 'Quintana Roo' })
    await takeMail(exchange)
    const asked = showing(3, '10:30')
    const visitor = await new Visitor(exchange).open(listingPath)
    expect(visitor.text).toContain('Es la hora de Cancún.')
    expect(visitor.text).toContain('Para una visita hace falta')
    expect(visitor.html).toMatch(/<option value="17:30">5:30\sp\.m\.<\/option>/)
    await inquire(exchange, listingPath, person(asked))
    const [lead] = await leadsOf(exchange, agent.id)
    expect(lead?.tour_at?.toISOString()).toBe(`${asked.date}T15:30:00.000Z`)
    for (const mail of await takeMail(exchange)) {
      expect(mail.text.replace(/\s/g, ' ')).toContain('10:30 a.m. (hora de Cancún)')
    }
  })

  it.each([
    ['without an email for the link', { email: '', phone: '33 1234 5678' }, 'email'],
    ['without a day', { date: '' }, 'date'],
    ['in the year 26', { date: `00${showing().date.slice(2)}` }, 'date'],
    ['without an hour', { time: '' }, 'time'],
    ['at an hour that does not exist', { time: '25:99' }, 'time'],
    ['yesterday', { date: showing(-1).date }, 'date'],
    ['in four months', { date: showing(120).date }, 'date'],
  ])('is rejected %s', async (_what, wrong, field) => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    const visitor = await inquire(exchange, listingPath, person({ ...showing(), ...wrong }))
    expect(visitor.status).toBe(422)
    expect(visitor.html).toContain(`id="visitor-${field}-error"`)
    expect(await leadsOf(exchange, agent.id)).toEqual([])
  })

  it('is rejected for February 30, not read as March 2', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    const today = clock.now
    clock.now = Date.UTC(2027, 1, 10, 18)
    try {
      const on = (date: string) => inquire(exchange, listingPath, person({ ...showing(), date }))
      const visitor = await on('2027-02-30')
      expect([visitor.status, visitor.text]).toEqual([422, expect.stringContaining('Debe ser una fecha.')])
      expect(await leadsOf(exchange, agent.id)).toEqual([])
      expect((await on('2027-03-02')).status).toBe(200)
    } finally {
      clock.now = today
    }
  })

  it('can be up to ninety days ahead and no further', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    const visitor = await inquire(exchange, listingPath, person(showing(91, '23:59')))
    expect(visitor.status).toBe(422)
    expect((await inquire(exchange, listingPath, person(showing(89)))).status).toBe(200)
  })
})

describe('422', () => {
  it.each([
    ['a name', { name: ' ' }, 'name'],
    ['an email or a phone', { email: '' }, 'email'],
    ['an email that looks like one', { email: 'rosa@nowhere' }, 'email'],
    ['a phone that can be called', { phone: '12345' }, 'phone'],
    ['consent', { consent: '' }, 'consent'],
  ])('without %s, with a message next to the field and all input kept', async (_what, wrong, field) => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    const message = 'Con "comillas" & <etiquetas>'
    const visitor = await inquire(exchange, listingPath, person({ message, ...wrong }))
    expect(visitor.status).toBe(422)
    expect(visitor.html).toContain(`id="visitor-${field}-error"`)
    expect(visitor.html).toContain(`href="#visitor-${field}"`)
    expect(htmlFaults(visitor.html)).toEqual([])
    const kept = new Map(visitor.forms().find(form => form.action.endsWith('/contacto'))?.fields)
    expect(kept.get('message')).toBe(message)
    if (!('name' in wrong)) expect(kept.get('name')).toBe('Rosa Elena Cárdenas')
    expect(await leadsOf(exchange, agent.id)).toEqual([])
  })

  it('can be corrected and sent again, and then creates one lead', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    const visitor = await inquire(exchange, listingPath, person({ consent: '' }))
    await visitor.submit(`${listingPath}/contacto`, { consent: 'on' })
    expect(visitor.path).toContain('/gracias')
    expect(await leadsOf(exchange, agent.id)).toHaveLength(1)
  })

  it('when it is sent faster than a person types; the same page sent a moment later is accepted', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    await exchange.search.refresh()
    const visitor = await new Visitor(exchange).open(listingPath)
    clock.now += SECOND
    await visitor.submit(`${listingPath}/contacto`, person())
    expect([visitor.status, visitor.text]).toEqual([422, expect.stringContaining('demasiado rápido')])
    clock.now += 2 * SECOND
    await visitor.submit(`${listingPath}/contacto`)
    expect(visitor.path).toContain('/gracias')
    expect(await leadsOf(exchange, agent.id)).toHaveLength(1)
  })

  it('when the page was open for more than a day; sending again works', async () => {
    const agent = await exchange.agent()
    const { listingPath } = await market(exchange, agent)
    await exchange.search.refresh()
    const visitor = await new Visitor(exchange).open(listingPath)
    clock.now += DAY + SECOND
    await visitor.submit(`${listingPath}/contacto`, person())
    expect([visitor.status, visitor.text]).toEqual([422, expect.stringContaining('abierta demasiado tiempo')])
    clock.now += 5 * SECOND
    await visitor.submit(`${listingPath}/contacto`)
    expect(visitor.path).toContain('/gracias')
    expect(await leadsOf(exchange, agent.id)).toHaveLength(1)
  })
})

describe('404 and 410', () => {
  const knock = async (path: string) => {
    const visitor = new Visitor(exchange)
    await exchange.search.refresh()
    const asked = (await visitor.request('GET', path)).status
    const payload = new URLSearchParams(person()).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return [asked, (await visitor.request('POST', path, { payload, headers })).status]
  }

  it('where the listing or the agent is not public', async () => {
    const agent = await exchange.agent()
    const [draft, gone, hidden] = await Promise.all([
      exchange.listing(agent),
      exchange.published(agent),
      exchange.published(agent, { idx_opt_out: true }),
    ])
    await exchange.setStatus(gone.id, 'sold')
    const test = await exchange.agent({ test: true })
    const tested = await exchange.published(test)
    expect(await knock(`/propiedades/${draft.slug}/contacto`)).toEqual([404, 404])
    expect(await knock(`/propiedades/${gone.slug}/contacto`)).toEqual([410, 410])
    expect(await knock(`/propiedades/${hidden.slug}/contacto`)).toEqual([404, 404])
    expect(await knock(`/propiedades/${tested.slug}/contacto`)).toEqual([404, 404])
    expect(await knock(`/agentes/${test.slug}/contacto`)).toEqual([404, 404])
    expect(await knock('/agentes/nadie/contacto')).toEqual([404, 404])
    expect(await leadsOf(exchange, agent.id)).toEqual([])
  })
})

describe('the privacy notice', () => {
  it.each([
    ['/privacidad', 'Aviso de privacidad', 'derechos ARCO'],
    ['/en/privacy', 'Privacy notice', 'ARCO rights'],
  ])('is at %s and says what is kept for how long', async (path, title, rights) => {
    const visitor = await new Visitor(exchange).open(path)
    expect(visitor.status).toBe(200)
    expect(htmlFaults(visitor.html)).toEqual([])
    for (const words of [title, rights, '30 d']) expect(visitor.text).toContain(words)
  })
})
