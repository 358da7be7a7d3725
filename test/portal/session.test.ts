import { describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { deleteOldSessions } from '../../src/portal/sessions.ts'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'
import { PASSWORD, signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'

let clock = Date.now()
const exchange = useExchange({ now: () => clock })
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

describe('signing in', () => {
  it('opens the home page and greets the agent by name', async () => {
    const { visitor } = await signedInAgent(exchange)
    expect(visitor.path).toBe('/portal')
    expect(visitor.text).toContain('Hola, Ana')
  })

  it('sets a host-bound cookie that scripts and other sites cannot use', async () => {
    const visitor = await new Visitor(exchange).open('/portal/sign-in')
    expect(visitor.headers['set-cookie']).toMatch(
      /^__Host-sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })

  it('changes the session id, so that a planted one is useless', async () => {
    const agent = await exchange.agent({ password: PASSWORD })
    const visitor = await new Visitor(exchange).open('/portal/sign-in')
    const before = visitor.cookies.get('__Host-sid')
    await visitor.submit('/portal/sign-in', { email: agent.email, password: PASSWORD })
    const after = visitor.cookies.get('__Host-sid') as string
    expect(after).not.toBe(before)
    const planted = new Visitor(exchange)
    planted.cookies.set('__Host-sid', before as string)
    expect((await planted.open('/portal')).path).toBe('/portal/sign-in?next=%2Fportal'.split('?')[0])
  })

  it('keeps only a hash of the id in the database', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const rows = await exchange.db
      .selectFrom('sessions')
      .selectAll()
      .where('agent_id', '=', agent.id)
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(visitor.cookies.get('__Host-sid'))
  })

  it.each([
    ['a wrong password', (email: string) => ({ email, password: 'not the password' })],
    ['an unknown email', () => ({ email: 'nobody@example.mx', password: PASSWORD })],
    ['nothing at all', () => ({ email: '', password: '' })],
  ])('answers %s with the same text', async (_name, fields) => {
    const agent = await exchange.agent({ password: PASSWORD })
    const visitor = await new Visitor(exchange).open('/portal/sign-in')
    await visitor.submit('/portal/sign-in', fields(agent.email))
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('El correo o la contraseña no son correctos.')
  })

  it('rejects an agent who has no password yet', async () => {
    const agent = await exchange.agent()
    const visitor = await new Visitor(exchange).signIn(agent.email, '')
    expect(visitor.status).toBe(422)
  })

  it('never sends a typed password back', async () => {
    const visitor = await new Visitor(exchange).signIn('nobody@example.mx', 'secret-words-typed')
    // The input is kept, except for the password.
    expect(visitor.status).toBe(422)
    expect(visitor.html).toContain('value="nobody@example.mx"')
    expect(visitor.html).not.toContain('secret-words-typed')
  })

  it('stops after ten attempts on one account, even with the right password, and works again later', async () => {
    const agent = await exchange.agent({ password: PASSWORD })
    const visitor = new Visitor(exchange)
    for (let i = 0; i < 10; i++) {
      clock += 1
      expect((await visitor.signIn(agent.email, 'wrong wrong wrong')).status).toBe(422)
    }
    expect((await visitor.signIn(agent.email)).status).toBe(429)
    clock += 11 * MINUTE_MS
    expect((await visitor.signIn(agent.email)).path).toBe('/portal')
  })

  it('stops an address after fifty attempts on different accounts', async () => {
    const visitor = new Visitor(exchange)
    for (let i = 0; i < 50; i++) await visitor.signIn(`nobody-${i}@example.mx`)
    expect(visitor.status).toBe(422)
    expect((await visitor.signIn('nobody-51@example.mx')).status).toBe(429)
    expect((await new Visitor(exchange).signIn('nobody-51@example.mx')).status).toBe(422)
  })

  it('counts an IPv6 /64 network as one address, and the next one separately', async () => {
    const from = (address: string) => Object.assign(new Visitor(exchange), { address })
    for (let i = 0; i < 50; i++) await from(`2001:db8:0:7:${i}::1`).signIn(`somebody-${i}@example.mx`)
    expect((await from('2001:db8:0:7:ffff::1').signIn('somebody-51@example.mx')).status).toBe(429)
    expect((await from('2001:db8:0:8::1').signIn('somebody-52@example.mx')).status).toBe(422)
  })

  it('returns to the requested page', async () => {
    const agent = await exchange.agent({ password: PASSWORD })
    const visitor = await new Visitor(exchange).open('/portal/account')
    expect(visitor.path).toBe('/portal/sign-in?next=%2Fportal%2Faccount')
    await visitor.submit('/portal/sign-in', { email: agent.email, password: PASSWORD })
    expect(visitor.path).toBe('/portal/account')
  })

  it.each([
    '//evil.example',
    'https://evil.example',
    '/portal/../x',
    '/other',
    'javascript:alert(1)',
    '/portal\\evil',
  ])('never redirects to %s', async next => {
    const agent = await exchange.agent({ password: PASSWORD })
    const visitor = await new Visitor(exchange).open(`/portal/sign-in?next=${encodeURIComponent(next)}`)
    await visitor.submit('/portal/sign-in', { email: agent.email, password: PASSWORD })
    expect(visitor.path).toBe('/portal')
  })
})

describe('a session', () => {
  it('ends after an hour without a click', async () => {
    const { visitor } = await signedInAgent(exchange)
    clock += 59 * MINUTE_MS
    expect((await visitor.open('/portal')).path).toBe('/portal')
    clock += 61 * MINUTE_MS
    expect((await visitor.open('/portal')).path).toBe('/portal/sign-in')
  })

  it('lasts thirty days if the agent asks for it, is listed as such, and ends when revoked', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const keptIn = async () => {
      const browser = await new Visitor(exchange).open('/portal/sign-in')
      return browser.submit('/portal/sign-in', { email: agent.email, password: PASSWORD, remember: 'on' })
    }
    const [phone, tablet] = [await keptIn(), await keptIn()]
    await visitor.open('/portal/account')
    expect(visitor.text.match(/30 días/g)).toHaveLength(3)
    clock += 29 * DAY_MS
    await deleteOldSessions(exchange.db, new Date(clock))
    expect((await phone.open('/portal/account')).path).toBe('/portal/account')
    const [, other] = await exchange.db
      .selectFrom('sessions')
      .select('id')
      .where('agent_id', '=', agent.id)
      .orderBy('seen_at', 'desc')
      .execute()
    await phone.submit(`/portal/account/sessions/${other?.id}/end`)
    expect((await tablet.open('/portal')).path).toBe('/portal/sign-in')
    clock += 2 * DAY_MS
    expect((await phone.open('/portal')).path).toBe('/portal/sign-in')
  })

  it('is never that long for an operator', async () => {
    const agent = await exchange.agent({ password: PASSWORD })
    await setOperator(exchange.db, agent.email, true)
    const visitor = await new Visitor(exchange).open('/portal/sign-in')
    await visitor.submit('/portal/sign-in', { email: agent.email, password: PASSWORD, remember: 'on' })
    expect(visitor.path).toBe('/portal')
    clock += 13 * 60 * MINUTE_MS
    expect((await visitor.open('/portal')).path).toBe('/portal/sign-in')
  })

  it('ends after twelve hours, even if active', async () => {
    const { visitor } = await signedInAgent(exchange)
    for (let minutes = 0; minutes < 12 * 60 - 30; minutes += 30) {
      clock += 30 * MINUTE_MS
      expect((await visitor.open('/portal')).path).toBe('/portal')
    }
    clock += 31 * MINUTE_MS
    expect((await visitor.open('/portal')).path).toBe('/portal/sign-in')
  })

  it('ends at sign-out, also for a copied cookie', async () => {
    const { visitor } = await signedInAgent(exchange)
    const thief = new Visitor(exchange)
    for (const [name, value] of visitor.cookies) thief.cookies.set(name, value)
    await visitor.submit('/portal/sign-out')
    expect(visitor.path).toBe('/portal/sign-in')
    expect(visitor.text).toContain('Cerraste tu sesión.')
    expect((await thief.open('/portal')).path).toBe('/portal/sign-in')
  })

  it('leaves no page in a cache', async () => {
    const { visitor } = await signedInAgent(exchange)
    expect(visitor.headers['cache-control']).toBe('no-store')
  })
})

describe('the form guard', () => {
  const change = (visitor: Visitor, headers: Record<string, string>, token = visitor.token) => {
    const sent = urlencoded([
      ['_token', token],
      ['lang', 'en'],
    ])
    return visitor.request('POST', '/portal/preferences', {
      payload: sent.payload,
      headers: { ...sent.headers, ...headers },
    })
  }

  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    [
      'from another site by a browser that sends only the origin',
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
    ],
    ['from a sibling host', { 'sec-fetch-site': 'same-site', origin: 'https://blog.lonja.example' }],
    ['from a page without an origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['with a forged origin next to the real one', { 'sec-fetch-site': 'cross-site', origin: PUBLIC_URL }],
  ])('rejects a form %s, even with the right token', async (_name, headers) => {
    const { visitor } = await signedInAgent(exchange)
    await change(visitor, headers)
    expect(visitor.status).toBe(403)
    expect(visitor.text).toContain('Este formulario venció')
  })

  it.each([
    ['without a token', ''],
    ['with a token of the same length', 'x'.repeat(43)],
  ])('rejects a form of our own page %s', async (_name, token) => {
    const { visitor } = await signedInAgent(exchange)
    expect((await change(visitor, {}, token)).status).toBe(403)
  })

  it('rejects the token of another agent', async () => {
    const [one, other] = [await signedInAgent(exchange), await signedInAgent(exchange)]
    expect((await change(one.visitor, {}, other.visitor.token)).status).toBe(403)
  })

  it('rejects files where no form sends any', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.request('POST', '/portal/preferences', {
      payload: '--b\r\nContent-Disposition: form-data; name="_token"\r\n\r\nx\r\n--b--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
    expect(visitor.status).toBe(415)
  })
})

describe('the layout', () => {
  it('switches to English with one click and remembers it for the agent', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await visitor.submit('/portal/preferences', { lang: 'en' })
    expect(visitor.text).toContain('Hello, Ana')
    const row = await exchange.db
      .selectFrom('agents')
      .select('lang')
      .where('id', '=', agent.id)
      .executeTakeFirst()
    expect(row?.lang).toBe('en')
  })

  it('is in English for a visitor who prefers it', async () => {
    const visitor = await new Visitor(exchange).open('/portal/sign-in')
    await visitor.submit('/portal/preferences', { lang: 'en' })
    expect(visitor.path).toBe('/portal/sign-in')
    expect(visitor.text).toContain('Sign in')
  })

  it('keeps the chosen theme', async () => {
    const { visitor } = await signedInAgent(exchange)
    expect(visitor.html).not.toContain('data-theme')
    await visitor.submit('/portal/preferences', { theme: 'dark' })
    expect(visitor.html).toContain('data-theme="lonja-dark"')
  })

  it('shows an error page for unknown paths', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/nothing/here')
    expect(visitor.status).toBe(404)
    expect(visitor.text).toContain('No encontramos esta página')
  })

  it('escapes a hostile name everywhere', async () => {
    const { visitor } = await signedInAgent(exchange, { name: '<img src=x onerror=alert(1)> "Ana"' })
    expect(visitor.html).not.toContain('<img src=x')
    expect(visitor.headers['content-security-policy']).toContain("script-src 'self'")
  })
})
