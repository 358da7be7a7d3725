import { describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { addListing, createCollection, shareCollection } from '../../src/collections/service.ts'
import { markIdentified } from '../../src/leads/service.ts'
import { icalMoment } from '../../src/lib/icalendar.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { icalValue, readIcalendar } from '../support/icalendar.ts'
import { clock, showing, useClock } from '../support/inquiries.ts'
import { takeMail } from '../support/mail.ts'
import { loopbackNetwork } from '../support/receiver.ts'
import { PASSWORD, Visitor } from '../support/visitor.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange({ network: loopbackNetwork(), ...useClock() })

async function shared(listings: { id: string }[], owner?: TestAgent) {
  const agent = owner ?? (await exchange.agent({ name: 'Olga Owner', password: PASSWORD }))
  const value = { title: 'Casas para los López', message: 'Con jardín,\ncomo pidieron.' }
  const id = await createCollection(exchange.db, agent.id, { value, issues: [] })
  for (const listing of listings) await addListing(exchange.db, agent.id, id, listing.id)
  const { token } = await exchange.db
    .selectFrom('collections')
    .select('token')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { agent, id, path: `/c/${token}` }
}

const PERSON = { name: 'Eva Pérez', email: 'eva@example.com', message: '¿Sigue?', consent: 'on' }

/** Opens the page, waits as long as a person would, and sends its form. */
async function ask(path: string, fields: Record<string, string> = {}) {
  const visitor = await new Visitor(exchange).open(path)
  clock.now += 5_000
  return visitor.submit(`${path}/contacto`, { ...PERSON, ...fields })
}

const leadsOf = (agent: { id: string }) =>
  exchange.db.selectFrom('leads').selectAll().where('agent_id', '=', agent.id).execute()
const countLeads = async () =>
  (await exchange.db.selectFrom('leads').select(exchange.db.fn.countAll<number>().as('n')).executeTakeFirst())
    ?.n

describe('the shared page', () => {
  it('shows its listings in order, with the agent’s message', async () => {
    const other = await exchange.agent({ name: 'Otro Agente' })
    const first = await exchange.published(other, { title: 'Primera casa de todas' })
    const owner = await exchange.agent({ name: 'Olga Owner', phone: '33 1111 2222' })
    const second = await exchange.published(owner, { title: 'Segunda casa de todas' })
    const { path } = await shared([first, second], owner)
    const visitor = await new Visitor(exchange).open(path)
    expect(visitor.status).toBe(200)
    expect(htmlFaults(visitor.html)).toEqual([])
    expect(visitor.text).toMatch(
      /Una selección de Olga Owner Casas para los López Con jardín, como pidieron\./,
    )
    expect(visitor.text).toMatch(/2 propiedades.*Primera casa de todas.*Segunda casa de todas/)
    expect(visitor.html).toContain('content="noindex, follow"')
    expect(String(visitor.headers['content-security-policy'])).toContain("frame-ancestors 'none'")
    expect(visitor.headers['referrer-policy']).toBe('no-referrer')
    await visitor.open(`/en${path}`)
    expect(htmlFaults(visitor.html)).toEqual([])
    expect(visitor.text).toMatch(/Picked for you by Olga Owner.*2 properties/)
  })

  const VANISH: [string, (id: string, agent: TestAgent) => Promise<unknown>][] = [
    ['withdrawn', id => exchange.setStatus(id, 'withdrawn')],
    ['sold', id => exchange.setStatus(id, 'sold')],
    ['suspended', id => exchange.setStatus(id, 'suspended')],
    ['made a draft again', id => exchange.setStatus(id, 'draft')],
    [
      'opted out',
      id => exchange.db.updateTable('listings').set({ idx_opt_out: true }).where('id', '=', id).execute(),
    ],
    ['left without a verified agent', (_, agent) => setVerified(exchange.db, agent.email, false)],
  ]

  it.each(VANISH)(
    'neither shows nor offers a listing that was %s, and says that one is gone',
    async (_how, hide) => {
      const other = await exchange.agent()
      const gone = await exchange.published(other, { title: 'Casa que se esfuma pronto' })
      const { path } = await shared([await exchange.published(await exchange.agent()), gone])
      expect((await new Visitor(exchange).open(path)).text).toContain('Casa que se esfuma')
      await hide(gone.id, other)
      const visitor = await new Visitor(exchange).open(path)
      expect(visitor.html).not.toContain('se esfuma')
      expect(visitor.html).not.toContain(gone.id)
      expect(visitor.text).toContain('1 propiedad de esta selección ya no está disponible.')
    },
  )

  it('opens a listing with the contact of the agent who shared it, and names the listing agent', async () => {
    const other = await exchange.agent({ name: 'Otro Agente', phone: '55 9999 8888' })
    const listing = await exchange.published(other, { title: 'Casa dentro de la selección' })
    const unshared = await exchange.published(other, { title: 'Casa fuera de la selección' })
    const owner = await exchange.agent({ name: 'Olga Owner', phone: '33 1111 2222' })
    const { path } = await shared([listing], owner)
    const list = await new Visitor(exchange).open(path)
    expect(list.html).toContain(`href="${path}/propiedades/${listing.slug}"`)
    const visitor = await new Visitor(exchange).open(`${path}/propiedades/${listing.slug}`)
    expect(visitor.text).toContain('Propiedad de Otro Agente')
    expect(visitor.html).toContain('https://wa.me/523311112222')
    expect(visitor.html).not.toMatch(/9999[- ]?8888/)
    expect(visitor.html).toContain('noindex')
    expect(await htmlFaults(visitor.html)).toEqual([])
    clock.now += 5_000
    await visitor.submit(`${path}/contacto`, { ...PERSON, listing: listing.id })
    expect(await leadsOf(owner)).toMatchObject([{ listing_id: listing.id }])
    expect(await leadsOf(other)).toEqual([])
    await visitor.open(`${path}/propiedades/${unshared.slug}`)
    expect(visitor.status).toBe(404)
    await exchange.post(`/properties/${listing.id}/unpublish`, other.key)
    await visitor.open(`${path}/propiedades/${listing.slug}`)
    expect(visitor.status).toBe(404)
  })

  it('keeps its address out of the log', async () => {
    const { path } = await shared([])
    for (const page of [path, `/en${path}`, `${path}/contacto`, `${path}/gracias`]) {
      await new Visitor(exchange).open(page)
    }
    expect(exchange.log.join()).toContain('/c/')
    expect(exchange.log.join()).not.toContain(path.slice('/c/'.length))
  })

  it('shows the owner in the portal that one is gone, without its title', async () => {
    const other = await exchange.agent()
    const gone = await exchange.published(other, { title: 'Casa que se esfuma pronto' })
    const { agent, id } = await shared([gone])
    await exchange.setStatus(gone.id, 'withdrawn')
    const visitor = await new Visitor(exchange).signIn(agent.email)
    await visitor.open(`/portal/collections/${id}`)
    expect(visitor.text).toContain('Ya no disponible No se muestra a tu cliente.')
    expect(visitor.text).not.toContain('se esfuma')
  })
})

describe('404 and 410', () => {
  it.each([
    '/c/x',
    '/c/AAAAAAAAAAAAAAAAAAAAAA',
    '/c/%00',
    '/en/c/AAAAAAAAAAAAAAAAAAAAAA',
    "/c/'%20or%201=1--%20aaaaaaaaaaaaaaa",
  ])('%s answers 404', async path => expect((await new Visitor(exchange).open(path)).status).toBe(404))

  it('answers 404 while its agent is not verified', async () => {
    const { agent, path } = await shared([])
    await setVerified(exchange.db, agent.email, false)
    expect((await new Visitor(exchange).open(path)).status).toBe(404)
  })

  it('shows nothing and accepts nothing while it is not shared', async () => {
    const { agent, id, path } = await shared([await exchange.published(await exchange.agent())])
    const visitor = await new Visitor(exchange).open(path)
    await shareCollection(exchange.db, agent.id, id, false)
    clock.now += 5_000
    await visitor.submit(`${path}/contacto`, PERSON)
    expect(visitor.status).toBe(410)
    expect(await leadsOf(agent)).toEqual([])
    for (const page of [path, `/en${path}`, `${path}/contacto`, `${path}/gracias`]) {
      await visitor.open(page)
      expect([page, visitor.status, visitor.forms().length]).toEqual([page, 410, 0])
      expect(visitor.html).not.toContain('López')
    }
  })
})

describe('an inquiry', () => {
  it('about another agent’s listing goes to the owner of the collection', async () => {
    const other = await exchange.agent({ name: 'Otro Agente', password: PASSWORD })
    const listing = await exchange.published(other)
    const { agent, id, path } = await shared([listing])
    const [mine, theirs] = [
      await subscribe(exchange, agent, 'https://owner.example/x'),
      await subscribe(exchange, other, 'https://other.example/x'),
    ]
    await takeMail(exchange)
    const visitor = await ask(path, { listing: listing.id, phone: '3312345678' })
    expect(visitor.path).toBe(`${path}/gracias?r=info`)
    expect(visitor.text).toContain('Olga Owner lo recibió')

    const { body } = await exchange.get('/leads', agent.key)
    expect(body.content).toMatchObject([
      {
        name: 'Eva Pérez',
        email: 'eva@example.com',
        source: `collection:${id}`,
        kind: 'info',
        interest: 'sale',
        listing_id: listing.id,
        listing_title: listing.title,
      },
    ])
    const [lead] = await leadsOf(agent)
    expect(lead?.consent_at).toBeInstanceOf(Date)
    const [event, ...others] = await exchange.events(lead?.id as string)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      event: 'lead.created',
      agent_id: agent.id,
      data: { source: `collection:${id}`, listing: { id: listing.id, title: listing.title } },
    })

    // Nothing reaches the listing's agent: no API answer, screen, webhook or mail.
    expect(JSON.stringify((await exchange.get('/leads', other.key)).body)).not.toContain('Eva')
    const deliveries = await exchange.db
      .selectFrom('webhook_deliveries')
      .select(['webhook_id', 'event'])
      .where('subject_id', '=', lead?.id as string)
      .execute()
    expect(deliveries).toEqual([{ webhook_id: mine.id, event: 'lead.created' }])
    expect(deliveries.map(one => one.webhook_id)).not.toContain(theirs.id)
    const mails = await takeMail(exchange)
    expect(mails.map(mail => mail.to.address).sort()).toEqual([agent.email, 'eva@example.com'].sort())
    const own = await new Visitor(exchange).signIn(agent.email)
    await own.open(`/portal/leads/${lead?.id}`)
    expect(own.text).toContain('Colección compartida')
    expect(own.html).toContain(`href="/propiedades/${listing.slug}"`)
    const screens = await new Visitor(exchange).signIn(other.email)
    for (const screen of [
      '',
      '/leads',
      '/leads?view=table',
      '/leads/export.csv',
      `/listings/${listing.id}`,
    ]) {
      await screens.open(`/portal${screen}`)
      expect(screens.html, screen).not.toContain('Eva')
    }
    await screens.open('/portal/listings?view=cards')
    expect(screens.text).toContain('· 0 prospectos')
    await screens.open(`/portal/listings/${listing.id}`)
    expect(screens.text).toContain('0 personas preguntaron')
    await screens.open(`/portal/leads/${lead?.id}`)
    expect(screens.status).toBe(404)
  })

  it('for a showing is mailed to the owner, sends no event until the visitor is identified, and then is in the calendar', async () => {
    const other = await exchange.agent()
    const listing = await exchange.published(other)
    const { agent, id, path } = await shared([listing])
    await subscribe(exchange, agent, 'https://owner.example/y')
    await takeMail(exchange)
    const visitor = await ask(path, { ...showing(), listing: listing.id })
    expect(visitor.path).toBe(`${path}/gracias?r=tour`)
    const [lead] = await leadsOf(agent)
    const leadId = lead?.id as string
    expect(lead).toMatchObject({
      kind: 'tour',
      awaiting_id: true,
      source: `collection:${id}`,
      listing_id: listing.id,
    })
    expect(await exchange.events(leadId)).toEqual([])
    expect((await takeMail(exchange)).map(mail => mail.to.address).sort()).toEqual(
      [agent.email, 'eva@example.com'].sort(),
    )

    await markIdentified(exchange.db, leadId)
    expect(await exchange.events(leadId)).toMatchObject([{ event: 'lead.created', agent_id: agent.id }])
    const desk = await new Visitor(exchange).signIn(agent.email)
    await desk.open(`/portal/leads/${leadId}`)
    await desk.submit(`/portal/leads/${leadId}/details`, { tour_status: 'confirmed' })
    const { calendar_key: key } = await exchange.db
      .selectFrom('agents')
      .select('calendar_key')
      .where('id', '=', agent.id)
      .executeTakeFirstOrThrow()
    const feed = await exchange.app.inject(`/calendario/${key}.ics`)
    const [event] = readIcalendar(feed.rawPayload).components
    expect(event && icalValue(event, 'UID')).toBe(leadId)
    expect(event && icalValue(event, 'DTSTART')).toBe(icalMoment(lead?.tour_at as Date))
  })

  it('for a showing is rejected without a listing, and the form says so', async () => {
    const { agent, path } = await shared([await exchange.published(await exchange.agent())])
    const visitor = await ask(path, { ...showing(), listing: '' })
    expect(visitor.status).toBe(422)
    expect(visitor.html).toContain('visitor-listing-error')
    expect(await leadsOf(agent)).toEqual([])
  })

  it('about no particular listing keeps the language', async () => {
    const { agent, path } = await shared([await exchange.published(await exchange.agent())])
    const visitor = await ask(`/en${path}`)
    expect(visitor.path).toBe(`/en${path}/gracias?r=info`)
    expect(await leadsOf(agent)).toMatchObject([{ lang: 'en', listing_id: null, interest: null }])
  })

  it.each([
    ['is in no collection', false],
    ['was taken from the market meanwhile', true],
  ])('about a listing that %s still arrives, without the listing', async (_what, isInside) => {
    const other = await exchange.agent()
    const listing = await exchange.published(other)
    const { agent, path } = await shared(isInside ? [listing] : [])
    const visitor = await new Visitor(exchange).open(path)
    if (isInside) await exchange.setStatus(listing.id, 'withdrawn')
    clock.now += 5_000
    await visitor.submit(`${path}/contacto`, { ...PERSON, listing: listing.id })
    expect(visitor.path).toBe(`${path}/gracias?r=info`)
    expect(await leadsOf(agent)).toMatchObject([{ name: 'Eva Pérez', listing_id: null }])
    expect(await leadsOf(other)).toEqual([])
  })

  it('sent twice creates one lead', async () => {
    const { agent, path } = await shared([])
    const visitor = await new Visitor(exchange).open(path)
    const page = visitor.html
    clock.now += 5_000
    await visitor.submit(`${path}/contacto`, PERSON)
    visitor.html = page
    await visitor.submit(`${path}/contacto`, PERSON)
    expect(visitor.path).toBe(`${path}/gracias?r=again`)
    expect(await leadsOf(agent)).toHaveLength(1)
  })

  it('comes back with the typed and selected values when something is missing', async () => {
    const listing = await exchange.published(await exchange.agent())
    const { agent, path } = await shared([listing])
    const visitor = await ask(path, { email: '', listing: listing.id, message: 'Una pregunta larga' })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('No pudimos enviarlo.')
    expect(visitor.html).toContain('Una pregunta larga')
    expect(visitor.html).toMatch(new RegExp(`<option[^>]*value="${listing.id}"[^>]*selected`))
    expect(await leadsOf(agent)).toEqual([])
    await visitor.submit(`${path}/contacto`, { email: 'eva@example.com' })
    expect(visitor.path).toBe(`${path}/gracias?r=info`)
    expect(await leadsOf(agent)).toMatchObject([{ listing_id: listing.id, message: 'Una pregunta larga' }])
  })

  it.each([
    ['the hidden field filled in', { website: 'https://spam.example' }],
    ['a token from another server', { _form: 'x.y.z' }],
    ['no consent', { consent: '' }],
  ])('with %s creates nothing', async (_what, fields) => {
    const { path } = await shared([])
    const before = await countLeads()
    expect((await ask(path, fields)).status).toBe(422)
    expect(await countLeads()).toBe(before)
  })
})
