import { describe, expect, it } from 'vitest'
import { requestLetter, UNPROVEN_PER_HOUR } from '../../src/outbox/letters.ts'
import { useExchange } from '../support/exchange.ts'
import { clock, useClock } from '../support/inquiries.ts'
import { takeMail } from '../support/mail.ts'
import { PASSWORD, signedInAgent, Visitor } from '../support/visitor.ts'

const exchange = useExchange(useClock())
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const SPAM = 'Gana dinero\r\nhttps://evil.example/x?y evil-shop.com\nHaz clic'

async function signUp(fields: Record<string, string> = {}) {
  const visitor = await new Visitor(exchange).open('/portal/sign-up')
  return visitor.submit('/portal/sign-up', {
    name: 'Eva Pérez',
    email: 'eva@example.com',
    phone: '33 1234 5678',
    password: PASSWORD,
    ...fields,
  })
}

describe('a name that a stranger types', () => {
  it.each([
    SPAM,
    'https://evil.example',
    'Compra en evil.com hoy',
    'escribe a x@evil.example',
    'www.evil.example',
  ])('%j is rejected, and no mail is sent', async name => {
    const visitor = await signUp({ name })
    expect([visitor.status, visitor.text]).toEqual([422, expect.stringContaining('Debe ser un nombre')])
    expect(await takeMail(exchange)).toEqual([])
  })

  it.each(['Ma.Elena Ruiz', 'J.R. Pérez', 'Fco. Javier de la O.', 'D’Angelo Núñez-Peña', '李小龍 Li'])(
    '%j is accepted',
    async name => {
      const visitor = await signUp({ name, email: `${Buffer.from(name).toString('hex')}@example.com` })
      expect(visitor.path).toBe('/portal/check-mail')
    },
  )

  it('is one line, and is in no mail before the address is verified', async () => {
    await takeMail(exchange)
    await signUp({ name: 'Gana\r\nmucho\u2028dinero\u202e', email: 'victima@example.com' })
    const [mail] = await takeMail(exchange)
    expect(mail).toMatchObject({ kind: 'confirm', to: { name: '', address: 'victima@example.com' } })
    expect(JSON.stringify(mail)).not.toMatch(/Gana|dinero/)
    const { name } = await exchange.db
      .selectFrom('agents')
      .select('name')
      .where('email', '=', 'victima@example.com')
      .executeTakeFirstOrThrow()
    expect(name).toBe('Gana mucho dinero')
    const visitor = await new Visitor(exchange).open('/portal/forgotten')
    await visitor.submit('/portal/forgotten', { email: 'victima@example.com' })
    const [reset] = await takeMail(exchange)
    expect(reset?.kind).toBe('reset')
    expect(JSON.stringify(reset)).not.toMatch(/Gana|dinero/)
  })

  it('of a lead, from any source, is one short line without links in the agent’s mail', async () => {
    const agent = await exchange.agent()
    await takeMail(exchange)
    const created = await exchange.post('/leads', agent.key, {
      name: `${SPAM} ${'x'.repeat(100)}`,
      email: 'lead@example.com',
    })
    expect(created.status).toBe(201)
    expect(created.body.name).not.toMatch(/[\r\n]/)
    const [mail] = await takeMail(exchange)
    expect(mail?.subject).toMatch(/^Nuevo prospecto: Gana dinero … … Haz clic x+$/)
    expect(mail?.replyTo?.name).toMatch(/^Gana dinero … … Haz clic x+$/)
    expect(JSON.stringify(mail)).not.toMatch(/evil/)
  })

  it('of an older account is cleaned in every mail', async () => {
    const agent = await exchange.agent({ password: PASSWORD })
    await exchange.db.updateTable('agents').set({ name: SPAM }).where('id', '=', agent.id).execute()
    await takeMail(exchange)
    const visitor = await new Visitor(exchange).open('/portal/forgotten')
    await visitor.submit('/portal/forgotten', { email: agent.email })
    const [mail] = await takeMail(exchange)
    expect(mail?.to.name).toBe('Gana dinero … … Haz clic')
    expect(mail?.text).toContain('Hola, Gana dinero … … Haz clic:')
  })
})

/** The mails sent for ten requests, one per second. */
async function mailsOfTen(work: (i: number) => Promise<unknown>) {
  await takeMail(exchange)
  for (let i = 0; i < 10; i++) {
    clock.now += 1_000
    await work(i)
  }
  return takeMail(exchange)
}

describe('one mailbox', () => {
  it('gets three mails for ten sign-ups in ten minutes, however its address is written', async () => {
    const mails = await mailsOfTen(i =>
      signUp({ email: i % 2 ? `Luis+${i}@example.com` : 'luis@example.com' }),
    )
    expect(mails.map(mail => mail.kind)).toEqual(['confirm', 'confirm', 'confirm'])
    clock.now += 11 * MINUTE
    await signUp({ email: 'luis@example.com' })
    expect(await takeMail(exchange)).toHaveLength(1)
  })

  it('gets three of ten mails that its account exists', async () => {
    const agent = await exchange.agent()
    const mails = await mailsOfTen(() => signUp({ email: agent.email }))
    expect(mails.map(mail => mail.kind)).toEqual(['exists', 'exists', 'exists'])
  })

  it('gets three of ten password reset links', async () => {
    const agent = await exchange.agent()
    const mails = await mailsOfTen(async () => {
      const visitor = await new Visitor(exchange).open('/portal/forgotten')
      await visitor.submit('/portal/forgotten', { email: agent.email })
    })
    expect(mails.map(mail => mail.kind)).toEqual(['reset', 'reset', 'reset'])
  })

  it('gets three of ten confirmation links, even with the right password', async () => {
    await signUp({ email: 'olvida@example.com' })
    clock.now += 11 * MINUTE
    const mails = await mailsOfTen(() => new Visitor(exchange).signIn('olvida@example.com'))
    expect(mails.map(mail => mail.kind)).toEqual(['confirm', 'confirm', 'confirm'])
  })

  it('gets ten in a day and then one an hour: no one is blocked for longer', async () => {
    const letter = { kind: 'reset', agentId: '00000000-0000-4000-8000-000000000000', ids: [] } as const
    const ask = (at: number) =>
      requestLetter(exchange.db, letter, { to: 'dia@example.com', isProven: true, now: new Date(at) })
    const start = Date.now()
    let sent = 0
    for (let at = start; at < start + 24 * HOUR; at += 10 * MINUTE) if (await ask(at)) sent++
    expect(sent).toBeGreaterThan(10)
    expect(sent).toBeLessThanOrEqual(10 + 24)
    expect(await ask(start + 25 * HOUR)).toBe(true)
  })

  it('does not get more from concurrent requests', async () => {
    const letter = { kind: 'inquiry', agentId: '00000000-0000-4000-8000-000000000000', ids: [] } as const
    const to = { to: 'muchos@example.com', isProven: false }
    const ends = await Promise.all(Array.from({ length: 12 }, () => requestLetter(exchange.db, letter, to)))
    expect(ends.filter(Boolean)).toHaveLength(3)
  })
})

describe('an agent', () => {
  it('gets mail about thirty leads in ten minutes; the rest are only in the inbox', async () => {
    const { agent } = await signedInAgent(exchange)
    const { receiveLead } = await import('../../src/leads/service.ts')
    await takeMail(exchange)
    for (let i = 0; i < 40; i++) {
      await receiveLead(
        exchange.db,
        agent.id,
        { value: { name: `Eva ${i}` }, issues: [] },
        { source: 'site' },
      )
    }
    expect(await takeMail(exchange)).toHaveLength(30)
    expect((await exchange.get('/leads', agent.key)).body.content).toHaveLength(40)
  })

  it('gets mail about every lead that the agent’s own system creates', async () => {
    const agent = await exchange.agent()
    await takeMail(exchange)
    for (let i = 0; i < 40; i++) await exchange.post('/leads', agent.key, { name: `Eva ${i}` })
    expect(await takeMail(exchange)).toHaveLength(40)
  })
})

describe('all unverified addresses together', () => {
  it('get a bounded number of mails per hour; accounts still get theirs', async () => {
    const now = new Date(Date.now() + 100 * HOUR)
    await exchange.pool.query(
      `insert into letters (recipient, is_known, at)
       select sha256(n::text::bytea), false, $1 from generate_series(1, $2::int) n`,
      [now, UNPROVEN_PER_HOUR - 1],
    )
    const letter = { kind: 'confirm', agentId: '00000000-0000-4000-8000-000000000000', ids: [] } as const
    const ask = (to: string, isProven: boolean) => requestLetter(exchange.db, letter, { to, isProven, now })
    expect(await ask('a@example.com', false)).toBe(true)
    expect(await ask('b@example.com', false)).toBe(false)
    expect(await ask('c@example.com', true)).toBe(true)
  })
})
