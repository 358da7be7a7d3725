import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FORM_FIELD, TRAP_FIELD } from '../../src/leads/visitors/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { clock, inquire, leadsOf, market, person, SECOND, showing, useClock } from '../support/inquiries.ts'
import { takeMail } from '../support/mail.ts'
import { urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange(useClock())
let agent: TestAgent
let path: string

beforeAll(async () => {
  agent = await exchange.agent({ phone: '+523312345678' })
  path = (await market(exchange, agent)).listingPath
})

beforeEach(async () => {
  await exchange.db.deleteFrom('leads').execute()
  await takeMail(exchange)
  clock.now += 600 * SECOND
})

/** A form token that is five seconds old. */
async function freshToken(): Promise<string> {
  const visitor = await new Visitor(exchange).open(path)
  const form = visitor.forms().find(one => one.action === `${path}/contacto`)
  return new Map(form?.fields).get(FORM_FIELD) as string
}

/** That many posts of one program, from one address. Returns how often each response came. */
async function run(posts: number, fields: (i: number) => Record<string, string>) {
  const program = new Visitor(exchange)
  const answers: Record<string, number> = {}
  for (let i = 0; i < posts; i++) {
    const sent = urlencoded(Object.entries(fields(i)))
    await program.request('POST', `${path}/contacto`, sent)
    answers[program.status] = (answers[program.status] ?? 0) + 1
  }
  return answers
}

/** No lead or mail was created, and someone else's inquiry is accepted. */
async function expectNothing(leads = 0) {
  expect(await leadsOf(exchange, agent.id)).toHaveLength(leads)
  const mails = (await takeMail(exchange)).filter(mail => mail.kind !== 'lead')
  expect(mails.length).toBeLessThanOrEqual(leads)
  expect((await inquire(exchange, path)).path).toBe(`${path}/gracias?r=info`)
  expect(await leadsOf(exchange, agent.id)).toHaveLength(leads + 1)
}

describe('posts of one program', () => {
  it('without our form create nothing', async () => {
    expect(await run(50, () => person())).toEqual({ 422: 50 })
    await expectNothing()
  })

  it('with a forged form create nothing', async () => {
    const [time, nonce, signature] = (await freshToken()).split('.') as [string, string, string]
    clock.now += 5 * SECOND
    const forged = [
      `${time}.${nonce}.${'A'.repeat(43)}`,
      `${(Number.parseInt(time, 36) - 9_000).toString(36)}.${nonce}.${signature}`,
      `${time}.${'B'.repeat(22)}.${signature}`,
      `${time}.${nonce}`,
    ]
    const fields = (i: number) => ({ ...person(), [FORM_FIELD]: forged[i % forged.length] as string })
    expect(await run(50, fields)).toEqual({ 422: 50 })
    await expectNothing()
  })

  it('that fill in the hidden field create nothing', async () => {
    const token = await freshToken()
    clock.now += 5 * SECOND
    const fields = () => ({ ...person(), [FORM_FIELD]: token, [TRAP_FIELD]: 'https://spam.example' })
    expect(await run(50, fields)).toEqual({ 422: 50 })
    await expectNothing()
  })

  it('that are faster than people create nothing', async () => {
    const token = await freshToken()
    expect(await run(50, () => ({ ...person(), [FORM_FIELD]: token }))).toEqual({ 422: 50 })
    await expectNothing()
  })

  it('with the same form create one lead, and block no one at that address', async () => {
    const token = await freshToken()
    clock.now += 5 * SECOND
    expect(await run(50, () => ({ ...person(), [FORM_FIELD]: token }))).toEqual({ 303: 50 })
    await expectNothing(1)
  })

  it('a thousand valid ones create ten leads, and do not block other addresses', async () => {
    const tokens: string[] = []
    for (let i = 0; i < 40; i++) tokens.push(await freshToken())
    clock.now += 5 * SECOND
    const fields = (i: number) => ({ ...person(), [FORM_FIELD]: tokens[i % 40] as string })
    // The ten accepted forms get the same response as the first time.
    expect(await run(1_000, fields)).toEqual({ 303: 250, 429: 750 })
    await expectNothing(10)
  })
})

describe('a program with a network of IPv6 addresses', () => {
  it('is one sender, and the neighboring network another', async () => {
    const from = async (address: string) => {
      const visitor = new Visitor(exchange)
      visitor.address = address
      return (await inquire(exchange, path, person(), visitor)).status
    }
    for (let i = 1; i <= 10; i++) expect(await from(`2001:db8:0:7:${i}::${i}`)).toBe(200)
    expect(await from('2001:db8:0:7:ffff::1')).toBe(429)
    expect(await from('2001:db8:0:8::1')).toBe(200)
  })
})

describe('429', () => {
  it('keeps the input, and says when to try again and how else to reach the agent', async () => {
    const visitor = new Visitor(exchange)
    for (let i = 0; i < 10; i++) await inquire(exchange, path, person(), visitor)
    await inquire(exchange, path, person({ message: 'Lo que escribí' }), visitor)
    expect(visitor.status).toBe(429)
    expect(Number(visitor.headers['retry-after'])).toBeGreaterThan(0)
    expect(visitor.html).toContain('Lo que escribí')
    expect(visitor.html).toContain('https://wa.me/523312345678')
    clock.now += 600 * SECOND
    await visitor.submit(`${path}/contacto`)
    expect(visitor.path).toBe(`${path}/gracias?r=info`)
    expect((await leadsOf(exchange, agent.id))[0]).toMatchObject({ message: 'Lo que escribí' })
  })
})

describe('a form sent twice', () => {
  it('at the same moment creates one lead, and both get the thank-you page', async () => {
    const token = await freshToken()
    clock.now += 5 * SECOND
    const sent = urlencoded(Object.entries({ ...person(), [FORM_FIELD]: token }))
    const visitors = await Promise.all(
      Array.from({ length: 8 }, () => new Visitor(exchange).request('POST', `${path}/contacto`, sent)),
    )
    expect(visitors.map(one => one.status)).toEqual(Array(8).fill(303))
    expect(visitors.filter(one => String(one.headers.location).endsWith('?r=info'))).toHaveLength(1)
    expect(await leadsOf(exchange, agent.id)).toHaveLength(1)
    expect(await takeMail(exchange)).toHaveLength(2)
  })

  it('later says that it was not sent again, and how to write more', async () => {
    const visitor = new Visitor(exchange)
    const token = await freshToken()
    clock.now += 5 * SECOND
    const sent = urlencoded(Object.entries({ ...person(), [FORM_FIELD]: token }))
    await visitor.request('POST', `${path}/contacto`, sent)
    await visitor.request('POST', `${path}/contacto`, sent)
    await visitor.open(String(visitor.headers.location))
    expect(visitor.text).toContain('Ya teníamos tu mensaje')
    expect(visitor.html).toContain(`href="${path}/contacto"`)
  })
})

describe('a person whose browser filled in the hidden field', () => {
  it('only has to send it again', async () => {
    const visitor = await inquire(exchange, path, { ...person(), [TRAP_FIELD]: 'https://mi-sitio.example' })
    expect([visitor.status, visitor.text]).toEqual([422, expect.stringContaining('ya lo vaciamos')])
    await visitor.submit(`${path}/contacto`)
    expect(visitor.path).toBe(`${path}/gracias?r=info`)
  })
})

describe('a mailbox', () => {
  it.each([
    ['inquiries', {}],
    ['showings', showing()],
  ])('gets three mails in ten minutes however many %s name it; every lead is stored', async (_what, more) => {
    const fields = person({ email: 'Victima@example.com', ...more })
    for (let i = 0; i < 6; i++) {
      const email = i % 2 ? 'VICTIMA@example.com' : 'victima@example.com'
      expect((await inquire(exchange, path, { ...fields, email })).status).toBe(200)
    }
    expect(await leadsOf(exchange, agent.id)).toHaveLength(6)
    const mails = await takeMail(exchange)
    expect(mails.filter(mail => mail.to.address.toLowerCase() === 'victima@example.com')).toHaveLength(3)
  })
})

describe('a showing whose mail is skipped', () => {
  it('does not keep the visitor waiting: the page says who can send the link', async () => {
    const fields = person(showing())
    for (let i = 0; i < 3; i++) {
      expect((await inquire(exchange, path, fields)).path).toBe(`${path}/gracias?r=tour`)
    }
    const visitor = await inquire(exchange, path, fields)
    expect(visitor.path).toBe(`${path}/gracias?r=unmailed`)
    expect(visitor.text).toContain('pídele el enlace a Ana Torres')
    expect(visitor.html).toContain('https://wa.me/523312345678')
  })
})

describe('a mailbox with several spellings', () => {
  it('counts as one mailbox', async () => {
    for (let i = 0; i < 5; i++) await inquire(exchange, path, person({ email: `otra+${i}@example.com` }))
    const mails = await takeMail(exchange)
    expect(mails.filter(mail => mail.to.address.startsWith('otra+'))).toHaveLength(3)
    expect(await leadsOf(exchange, agent.id)).toHaveLength(5)
  })
})

describe('what is not a form', () => {
  it.each([
    ['JSON', 'application/json', '{"name":"x"}', 415],
    ['plain text', 'text/plain', 'name=x', 415],
    ['an oversized form', 'application/x-www-form-urlencoded', `name=${'x'.repeat(200_000)}`, 413],
  ])('%s is rejected with a page', async (_what, type, payload, status) => {
    const visitor = new Visitor(exchange)
    await visitor.request('POST', `${path}/contacto`, { payload, headers: { 'content-type': type } })
    expect([visitor.status, visitor.html]).toEqual([status, expect.stringContaining('</html>')])
    expect(await leadsOf(exchange, agent.id)).toEqual([])
  })
})
