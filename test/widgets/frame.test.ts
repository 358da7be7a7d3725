import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { createWidget, switchWidget } from '../../src/widgets/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { clock, useClock } from '../support/inquiries.ts'
import { takeMail } from '../support/mail.ts'
import { loopbackNetwork } from '../support/receiver.ts'
import { urlencoded, Visitor } from '../support/visitor.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange({ network: loopbackNetwork(), ...useClock() })

type Kind = 'listings' | 'inquiry'

async function widget(
  kind: Kind,
  wanted: { agent?: TestAgent; domains?: string[]; lang?: 'es' | 'en' } = {},
) {
  const agent = wanted.agent ?? (await exchange.agent({ name: 'Olga Owner', phone: '33 1111 2222' }))
  const { domains = ['www.example.com'], lang = 'es' } = wanted
  const value = { name: 'Mi sitio', kind, domains, lang }
  const id = await createWidget(exchange.db, agent.id, { value, issues: [] })
  return { agent, id, path: `/widget/${id}` }
}

/** As a browser requests a frame on a page of that site. */
const embedded = (path: string, referer?: string) =>
  new Visitor(exchange).request('GET', path, {
    headers: {
      'sec-fetch-dest': 'iframe',
      'sec-fetch-site': 'cross-site',
      ...(referer ? { referer } : {}),
    },
  })

const ancestors = (visitor: Visitor) =>
  /frame-ancestors ([^;]*)/.exec(String(visitor.headers['content-security-policy']))?.[1]

const PERSON = { name: 'Eva Pérez', email: 'eva@example.com', message: '¿Sigue?', consent: 'on' }

async function ask(path: string, fields: Record<string, string> = {}) {
  const visitor = await embedded(path, 'https://www.example.com/')
  clock.now += 5_000
  return visitor.submit(path, { ...PERSON, ...fields })
}

const leadsOf = (agent: { id: string }) =>
  exchange.db.selectFrom('leads').selectAll().where('agent_id', '=', agent.id).execute()

describe('the script', () => {
  it('is served under a fixed name, to every site', async () => {
    const { status, headers, html } = await new Visitor(exchange).open('/widget.js')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['cache-control']).toBe('public, max-age=3600')
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(html).toContain(
      "'allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox'",
    )
  })
})

describe('the frame', () => {
  it('shows the agent’s twelve newest public listings, each in a new tab, and no one else’s', async () => {
    const agent = await exchange.agent({ name: 'Olga Owner' })
    for (let i = 1; i <= 13; i++) await exchange.published(agent, { title: `Casa número ${i} de Olga` })
    await exchange.listing(agent, { title: 'Borrador de Olga' })
    await exchange.published(agent, { title: 'Reservada de Olga', idx_opt_out: true })
    await exchange.published(await exchange.agent(), { title: 'Casa de otra persona' })
    await exchange.search.refresh()
    const { path } = await widget('listings', { agent })
    const visitor = await embedded(path, 'https://www.example.com/')
    expect(visitor.status).toBe(200)
    expect(htmlFaults(visitor.html)).toEqual([])
    expect([...visitor.html.matchAll(/data-listing=/g)]).toHaveLength(12)
    expect(visitor.text).toContain('Casa número 13 de Olga')
    expect(visitor.text).toContain('Ver las 13 propiedades')
    expect(visitor.text).not.toMatch(/Borrador|Reservada|otra persona/)
    expect(visitor.html).toContain('<base target="_blank"')
    expect(visitor.html).toContain('content="noindex"')
  })

  it('of an agent without listings says so', async () => {
    const { path } = await widget('listings')
    expect((await embedded(path)).text).toContain('Por ahora no hay propiedades')
  })

  it.each([
    [['www.example.com'], 'https://www.example.com'],
    [['a.mx', 'www.a.mx'], 'https://a.mx https://www.a.mx'],
    [['localhost'], 'http://localhost:* https://localhost:*'],
  ])('with the domains %j can be framed only by their pages', async (domains, wanted) => {
    const { path } = await widget('inquiry', { domains })
    expect(ancestors(await embedded(path))).toBe(wanted)
  })

  it.each(['listings', 'inquiry'] as const)('of %s is in English if configured', async kind => {
    const { path } = await widget(kind, { lang: 'en' })
    const visitor = await embedded(path)
    expect(visitor.html).toContain('<html lang="en"')
    expect(visitor.text).toMatch(/Listings by Olga Owner|Contact Olga Owner/)
    expect(htmlFaults(visitor.html)).toEqual([])
  })

  it.each([
    ['', 'data-theme="lonja"'],
    ['?theme=dark', 'data-theme="lonja-dark"'],
    ['?theme=<x>', 'data-theme="lonja"'],
  ])('with %j is %s, and its form keeps that', async (query, wanted) => {
    const { path } = await widget('inquiry')
    const visitor = await embedded(path + query)
    expect(visitor.html).toContain(wanted)
    expect(visitor.forms()[0]?.action).toBe(query === '?theme=dark' ? path + query : path)
  })

  it('follows the visitor’s light or dark preference if configured', async () => {
    const { path } = await widget('inquiry')
    expect((await embedded(`${path}?theme=auto`)).html).not.toContain('data-theme')
  })
})

describe('403', () => {
  it.each([
    'https://evil.example/',
    'https://example.com/',
    'http://www.example.com/',
    'https://www.example.com.evil.mx/',
  ])('on a page of %s, without any of the agent’s data', async referer => {
    const { path } = await widget('inquiry')
    const visitor = await embedded(path, referer)
    expect(visitor.status).toBe(403)
    expect(visitor.text).toContain('Sitio no permitido')
    expect(visitor.html).not.toContain('Olga')
    expect(visitor.forms()).toEqual([])
    expect(ancestors(visitor)).toBe('https://www.example.com')
  })

  it('for a form sent by another site, which creates nothing', async () => {
    const { agent, path } = await widget('inquiry')
    const visitor = await embedded(path)
    const form = visitor.forms()[0]?.fields.find(([name]) => name === '_form') as [string, string]
    clock.now += 5_000
    const { payload, headers } = urlencoded([form, ...Object.entries(PERSON)])
    const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    await visitor.request('POST', path, { payload, headers: { ...headers, ...evil } })
    expect(visitor.status).toBe(403)
    expect(await leadsOf(agent)).toEqual([])
  })
})

describe('404', () => {
  it.each([`/widget/${randomUUID()}`, '/widget/x', '/widget/%00', "/widget/'%20or%201=1"])(
    '%s is unknown, and cannot be framed',
    async path => {
      const visitor = await embedded(path)
      expect(visitor.status).toBe(404)
      expect(ancestors(visitor)).toBe("'none'")
    },
  )

  it('while it is off: nothing is shown or accepted', async () => {
    const { agent, id, path } = await widget('inquiry')
    const visitor = await embedded(path)
    await switchWidget(exchange.db, agent.id, id, false)
    clock.now += 5_000
    await visitor.submit(path, PERSON)
    expect([visitor.status, ancestors(visitor)]).toEqual([404, "'none'"])
    expect((await embedded(path)).html).not.toContain('Olga')
    expect(await leadsOf(agent)).toEqual([])
  })

  it('while its agent is not verified', async () => {
    const { agent, path } = await widget('listings')
    await setVerified(exchange.db, agent.email, false)
    expect((await embedded(path)).status).toBe(404)
  })

  it('for an inquiry to a widget that only shows listings', async () => {
    const { agent, path } = await widget('listings')
    const inquiry = await widget('inquiry')
    const visitor = await embedded(inquiry.path)
    const form = visitor.forms()[0]?.fields.find(([name]) => name === '_form') as [string, string]
    clock.now += 5_000
    await visitor.request('POST', path, urlencoded([form, ...Object.entries(PERSON)]))
    expect(visitor.status).toBe(404)
    expect(await leadsOf(agent)).toEqual([])
  })
})

describe('an inquiry', () => {
  it('reaches the widget’s agent by API, mail and webhook, and no one else', async () => {
    const other = await exchange.agent()
    const { agent, id, path } = await widget('inquiry')
    const hook = await subscribe(exchange, agent, 'https://owner.example/x')
    await subscribe(exchange, other, 'https://other.example/x')
    await takeMail(exchange)
    const visitor = await ask(path)
    expect(visitor.status).toBe(200)
    expect(visitor.text).toContain('¡Gracias! Tu mensaje va en camino')
    expect(ancestors(visitor)).toBe('https://www.example.com')
    const { body } = await exchange.get('/leads', agent.key)
    expect(body.content).toMatchObject([
      { name: 'Eva Pérez', source: `widget:${id}`, kind: 'info', listing_id: null, lang: 'es' },
    ])
    const leadId = body.content[0].id
    const sent = await exchange.db
      .selectFrom('webhook_deliveries')
      .select(['webhook_id', 'event'])
      .where('subject_id', '=', leadId)
      .execute()
    expect(sent).toEqual([{ webhook_id: hook.id, event: 'lead.created' }])
    expect(await exchange.events(leadId)).toMatchObject([
      { agent_id: agent.id, data: { source: `widget:${id}`, listing: null } },
    ])
    const mails = await takeMail(exchange)
    expect(mails.map(mail => mail.to.address).sort()).toEqual([agent.email, 'eva@example.com'].sort())
    expect((await exchange.get('/leads', other.key)).body.content).toEqual([])
  })

  it('comes back into the frame with what was typed, and is accepted once corrected', async () => {
    const { agent, path } = await widget('inquiry')
    const visitor = await ask(path, { consent: '', message: 'Una pregunta larga' })
    expect(visitor.status).toBe(422)
    expect(ancestors(visitor)).toBe('https://www.example.com')
    expect(visitor.html).toContain('Una pregunta larga')
    expect(await leadsOf(agent)).toEqual([])
    await visitor.submit(path, { consent: 'on' })
    expect(visitor.text).toContain('¡Gracias!')
    expect(await leadsOf(agent)).toMatchObject([{ message: 'Una pregunta larga' }])
  })

  it('sent twice creates one lead and shows the same thanks', async () => {
    const { agent, path } = await widget('inquiry')
    const visitor = await embedded(path)
    const page = visitor.html
    clock.now += 5_000
    for (let i = 0; i < 2; i++) {
      visitor.html = page
      await visitor.submit(path, PERSON)
      expect(visitor.text).toContain('¡Gracias!')
    }
    expect(await leadsOf(agent)).toHaveLength(1)
  })

  it('never requests a showing, whatever the form says', async () => {
    const { agent, path } = await widget('inquiry')
    const visitor = await ask(path, { kind: 'tour', date: '2026-12-01', time: '10:00' })
    expect(visitor.status).toBe(422)
    expect(await leadsOf(agent)).toEqual([])
  })

  it('answers 429 with the agent’s phone after ten from one address, and others still get through', async () => {
    const { agent, path } = await widget('inquiry')
    const spammer = new Visitor(exchange)
    for (let i = 0; i < 11; i++) {
      await spammer.open(path)
      clock.now += 3_000
      await spammer.submit(path, { ...PERSON, email: `eva${i}@example.com` })
    }
    expect(spammer.status).toBe(429)
    expect(Number(spammer.headers['retry-after'])).toBeGreaterThan(0)
    // In a new tab: WhatsApp cannot be framed.
    expect(spammer.html).toMatch(/href="https:\/\/wa\.me\/[^"]*" target="_blank"/)
    expect(spammer.html).toContain('eva10@example.com')
    expect(await leadsOf(agent)).toHaveLength(10)
    expect((await ask(path)).text).toContain('¡Gracias!')
    expect(await leadsOf(agent)).toHaveLength(11)
  })
})
