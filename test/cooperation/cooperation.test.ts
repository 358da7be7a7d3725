import { describe, expect, it } from 'vitest'
import { expireUnanswered } from '../../src/cooperation/service.ts'
import { broughtTo, proposed, soon, step, verifyBuyer } from '../support/cooperation.ts'
import { useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { documentPhoto, identify } from '../support/inquiries.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { signedInAgent, urlencoded } from '../support/visitor.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange()
const DAY = 86_400_000

const stateOf = async (id: string) =>
  (await exchange.pool.query('select * from cooperations where id = $1', [id])).rows[0]
const kindsOf = async (id: string) =>
  (
    await exchange.pool.query('select kind from cooperation_entries where cooperation_id = $1 order by id', [
      id,
    ])
  ).rows.map(row => row.kind)

describe('a cooperation', () => {
  it('goes from a proposal to a closed deal, each step mailed to the other side', async () => {
    const one = await proposed(exchange)
    const { owner, buyer } = one
    await takeMail(exchange)
    await step(one, owner, 'counter', { split: '2.5', text: 'Puedo con 2.5' })
    expect(await stateOf(one.id)).toMatchObject({ state: 'proposed', awaited: 'buyer', split: '2.5' })
    await step(one, buyer, 'accept')
    expect(await stateOf(one.id)).toMatchObject({ state: 'accepted', awaited: null })
    await verifyBuyer(exchange, one.leadId)
    await step(one, owner, 'showing', { showing_at: soon() })
    await step(one, buyer, 'message', { text: 'Le encantó' })
    await step(one, buyer, 'offer', { text: 'Cuatro millones' })
    await step(one, owner, 'close')
    expect(await stateOf(one.id)).toMatchObject({ state: 'closed' })
    expect(await kindsOf(one.id)).toEqual([
      'propose',
      'counter',
      'accept',
      'showing',
      'message',
      'offer',
      'close',
    ])
    const mails = await takeMail(exchange)
    expect(
      mails.map(mail => `${mail.to.address === owner.agent.email ? 'O' : 'P'} ${mail.subject.split(':')[0]}`),
    ).toEqual([
      'P Olga Owner propone otra comisión',
      'O Pedro Propone aceptó cooperar',
      'P Olga Owner agendó una visita',
      'O Pedro Propone te escribió',
      'O Pedro Propone registró una oferta',
      'P Olga Owner cerró la operación',
    ])
    for (const { text, html } of mails) {
      expect(text).toContain(`/portal/cooperations/${one.id}`)
      expect(text + html).not.toMatch(/2\.5|encantó|millones|Rosa/)
    }
    for (const { visitor } of [owner, buyer]) {
      await visitor.open(one.path)
      expect(visitor.text).toContain('Le encantó')
      expect(visitor.text).toContain('2.5% = $112,500 MXN')
      expect(htmlFaults(visitor.html)).toEqual([])
    }
  })

  it('mails several messages in a row once, with the last', async () => {
    const one = await proposed(exchange)
    await takeMail(exchange)
    for (const text of ['uno', 'dos', 'tres']) await step(one, one.buyer, 'message', { text })
    expect(await takeMail(exchange)).toHaveLength(1)
  })

  it('starts with the split the listing shares, or the one proposed, and needs one', async () => {
    const one = await proposed(exchange)
    expect(await stateOf(one.id)).toMatchObject({ split: '3%', client: 'R. E. C.' })
    const bare = await exchange.published(one.owner.agent, { title: 'Casa sin comisión' })
    const { visitor } = one.buyer
    await visitor.open(`/portal/market/${bare.slug}/propose`)
    await visitor.submit(`/portal/market/${bare.slug}/propose`, { message: 'Hola' })
    expect(visitor.status).toBe(422)
    expect(visitor.html).toMatch(/id="client-error"/)
    expect(visitor.html).toMatch(/id="split-error"/)
    expect(visitor.text).toContain('Hola')
  })

  it('keeps the client’s name and contact with the buyer until they are shared', async () => {
    const one = await proposed(exchange)
    const secret = /Rosa|Cárdenas|3355667788|rosa-/
    await step(one, one.owner, 'accept')
    await one.owner.visitor.open(one.path)
    expect(one.owner.visitor.text).toContain('R. E. C.')
    expect(one.owner.visitor.html).not.toMatch(secret)
    expect(one.owner.visitor.html).not.toContain(one.leadId)
    await step(one, one.buyer, 'share')
    await one.owner.visitor.open(one.path)
    expect(one.owner.visitor.text).toContain('Rosa Elena Cárdenas, 33 5566 7788')
    await step(one, one.owner, 'lose', { text: 'Se vendió' })
    await one.owner.visitor.open(one.path)
    expect(one.owner.visitor.html).not.toMatch(secret)
  })

  it('shows the exact address to the buyer once it is accepted, and not after it is lost', async () => {
    const one = await proposed(exchange)
    const seen = async () => (await one.buyer.visitor.open(one.path)).text.includes('Av. Secreta 123')
    expect(await seen()).toBe(false)
    await step(one, one.owner, 'accept')
    expect(await seen()).toBe(true)
    await step(one, one.owner, 'lose', { text: 'Se vendió' })
    expect(await seen()).toBe(false)
  })

  it('has no showing until the buyer is identified by the link, and then has it in the calendar too', async () => {
    const one = await proposed(exchange)
    const { buyer, owner } = one
    await exchange.pool.query('update leads set listing_id = $1 where id = $2', [one.listing.id, one.leadId])
    await step(one, owner, 'accept')
    const post = (fields: [string, string][]) =>
      owner.visitor.request(
        'POST',
        `${one.path}/showing`,
        urlencoded([['_token', owner.visitor.token], ...fields]),
      )
    await owner.visitor.open(one.path)
    expect(owner.visitor.forms().map(form => form.action)).not.toContain(`${one.path}/showing`)
    await post([['showing_at', soon()]])
    expect(owner.visitor.status).toBe(422)
    expect(owner.visitor.text).toContain('No hay visita sin la identificación aceptada del comprador')
    await takeMail(exchange)
    await step(one, buyer, 'identify')
    const mail = (await takeMail(exchange)).find(letter => letter.to.address.startsWith('rosa-'))
    await identify(exchange, linkIn(mail))
    const before = await exchange.events(one.leadId)
    await buyer.visitor.open(`/portal/leads/${one.leadId}`)
    await buyer.visitor.submit(`/portal/leads/${one.leadId}/identification/verify`)
    // Its own system made the lead: no webhook tells it again.
    expect(await exchange.events(one.leadId)).toEqual(before)
    await step(one, owner, 'showing', { showing_at: soon() })
    expect(await stateOf(one.id)).toMatchObject({ state: 'showing' })
    const { rows } = await exchange.pool.query('select tour_status, showing_at from leads where id = $1', [
      one.leadId,
    ])
    expect(rows[0]).toMatchObject({ tour_status: 'confirmed', showing_at: expect.any(Date) })
    await buyer.visitor.open(one.path)
    expect(buyer.visitor.text).toContain('Identificado')
  })

  it.each([
    ['showing', { showing_at: '2020-01-01T10:00' }, /ya pasó|pasad|futur/i],
    ['showing', { showing_at: 'mañana' }, /fecha/i],
    ['offer', { text: ' ' }, /obligatorio|vac/i],
    ['lose', { text: '' }, /3 caracteres|obligatorio|vac/i],
  ] as const)('does not take %s with %j, and nothing is written', async (name, fields, message) => {
    const one = await broughtTo(exchange, name === 'offer' ? 'showing' : 'accepted')
    const before = await kindsOf(one.id)
    await step(one, one.buyer, name, fields as Record<string, string>)
    expect(one.buyer.visitor.status).toBe(422)
    expect(one.buyer.visitor.text).toMatch(message)
    expect(await kindsOf(one.id)).toEqual(before)
  })

  it('is proposed once for a client and a listing, never to oneself or by a test account', async () => {
    const one = await proposed(exchange)
    const { visitor } = one.buyer
    await visitor.open(`/portal/market/${one.listing.slug}/propose?lead=${one.leadId}`)
    await visitor.submit(`/portal/market/${one.listing.slug}/propose`)
    expect(visitor.text).toContain('Ya tienes una cooperación abierta')
    await one.owner.visitor.open(`/portal/market/${one.listing.slug}/propose`)
    expect(one.owner.visitor.status).toBe(404)
    const test = await signedInAgent(exchange, { test: true })
    await test.visitor.open(`/portal/market/${one.listing.slug}/propose`)
    await test.visitor.submit(`/portal/market/${one.listing.slug}/propose`, { client: 'X. Y.' })
    expect(test.visitor.status).toBe(403)
  })

  it('is not proposed for another agent’s lead or a listing off the market', async () => {
    const one = await proposed(exchange)
    const stranger = await signedInAgent(exchange)
    const send = (slug: string, lead: string) =>
      stranger.visitor.request(
        'POST',
        `/portal/market/${slug}/propose`,
        urlencoded([
          ['_token', stranger.visitor.token],
          ['client', 'A.'],
          ['split', '3'],
          ['lead', lead],
        ]),
      )
    await stranger.visitor.open('/portal/market')
    expect((await send(one.listing.slug, one.leadId)).status).toBe(404)
    await exchange.setStatus(one.listing.id, 'sold')
    expect((await send(one.listing.slug, '')).status).toBe(404)
  })

  it('holds at two answers at the same moment: one counts', async () => {
    const one = await proposed(exchange)
    const { visitor } = one.owner
    await visitor.open(one.path)
    const post = (name: string, text: string) =>
      exchange.app.inject({
        method: 'POST',
        url: `${one.path}/${name}`,
        payload: new URLSearchParams([
          ['_token', visitor.token],
          ['text', text],
        ]).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          host: 'lonja.example',
          origin: 'https://lonja.example',
          cookie: [...visitor.cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        },
      })
    const answers = await Promise.all([post('accept', ''), post('decline', 'No se puede')])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 422])
    expect(await kindsOf(one.id)).toHaveLength(2)
  })
})

describe('the thread', () => {
  it('is never changed or removed, not even by SQL', async () => {
    const one = await proposed(exchange)
    for (const statement of [
      `update cooperation_entries set text = 'x' where cooperation_id = $1`,
      'delete from cooperation_entries where cooperation_id = $1',
    ])
      await expect(exchange.pool.query(statement, [one.id])).rejects.toThrow('never changed')
  })

  it('takes files that only the two can download', async () => {
    const one = await proposed(exchange)
    const { visitor } = one.buyer
    await visitor.open(one.path)
    const photo = { field: 'file', name: 'carta.jpg', bytes: await documentPhoto() }
    await visitor.submit(`${one.path}/file`, {}, [photo])
    const href = /href="([^"]+\/files\/\d+)"/.exec(visitor.html)?.[1] as string
    await one.owner.visitor.request('GET', href)
    expect(one.owner.visitor.status).toBe(200)
    expect(one.owner.visitor.headers['content-disposition']).toContain('attachment')
    const stranger = await signedInAgent(exchange)
    expect((await stranger.visitor.request('GET', href)).status).toBe(404)
    await visitor.open(one.path)
    await visitor.submit(`${one.path}/file`, {}, [
      { field: 'file', name: 'x.exe', bytes: Buffer.from('MZ not a picture') },
    ])
    expect(visitor.status).toBe(422)
    // What a thread refers to is in use: the daily sweep leaves it alone.
    const { rows } = await exchange.pool.query(
      'select count(*)::int as used from upload_uses where agent_id = $1',
      [one.buyer.agent.id],
    )
    expect(rows[0].used).toBe(1)
  })

  it('is the same in the agreement: one page, both parties, the split and the hash', async () => {
    const one = await broughtTo(exchange, 'accepted')
    for (const { visitor } of [one.owner, one.buyer]) {
      await visitor.open(one.path)
      const hash = /SHA-256: ([0-9a-f]{64})/.exec(visitor.text)?.[1]
      await visitor.request('GET', `${one.path}/agreement.pdf`)
      expect(visitor.headers['content-type']).toBe('application/pdf')
      const pdf = visitor.html
      expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1)
      for (const part of ['Olga Owner', 'Pedro Propone', '3% = $135,000 MXN', hash as string])
        expect(pdf).toContain(part)
      expect(pdf).not.toMatch(/Secreta|Rosa/)
    }
    const early = await proposed(exchange)
    await early.owner.visitor.request('GET', `${early.path}/agreement.pdf`)
    expect(early.owner.visitor.status).toBe(404)
  })
})

describe('time', () => {
  it('ends a proposal without an answer after seven days, and tells both', async () => {
    const one = await proposed(exchange)
    const answered = await broughtTo(exchange, 'accepted')
    await takeMail(exchange)
    const at = (days: number) => new Date(Date.now() + days * DAY)
    expect(await expireUnanswered(exchange.db, 7, at(6.9))).toBe(0)
    expect(await expireUnanswered(exchange.db, 7, at(7.1))).toBeGreaterThanOrEqual(1)
    expect(await stateOf(one.id)).toMatchObject({ state: 'expired', awaited: null })
    expect(await stateOf(answered.id)).toMatchObject({ state: 'accepted' })
    const mails = (await takeMail(exchange)).filter(mail => mail.text.includes(one.id))
    expect(mails.map(mail => mail.to.address).sort()).toEqual(
      [one.owner.agent.email, one.buyer.agent.email].sort(),
    )
    await step(one, one.owner, 'dispute', { text: 'No me llegó el aviso' })
    expect(await stateOf(one.id)).toMatchObject({ state: 'expired' })
  })

  it('starts anew with another split', async () => {
    const one = await proposed(exchange)
    await exchange.pool.query(
      `update cooperations set awaited_since = now() - interval '6 days' where id = $1`,
      [one.id],
    )
    await step(one, one.owner, 'counter', { split: '2' })
    await expireUnanswered(exchange.db, 7, new Date(Date.now() + 2 * DAY))
    expect(await stateOf(one.id)).toMatchObject({ state: 'proposed' })
  })
})

describe('webhooks', () => {
  it('get the events only if they chose them, without split or client, for both agents', async () => {
    const owner = await signedInAgent(exchange, { name: 'Olga Owner' })
    const chosen = await subscribe(exchange, owner.agent, 'https://hook.example/chosen', [
      'cooperation.created',
      'cooperation.updated',
    ])
    const usual = await subscribe(exchange, owner.agent, 'https://hook.example/usual')
    const one = await proposed(exchange, { owner })
    await step(one, one.owner, 'counter', { split: '1.75' })
    await step(one, one.buyer, 'message', { text: 'Va' })
    const events = await exchange.events(one.id)
    expect(events.map(({ event, agent_id }) => [event, agent_id === owner.agent.id])).toEqual([
      ['cooperation.created', false],
      ['cooperation.created', true],
      ['cooperation.updated', false],
      ['cooperation.updated', true],
    ])
    expect(events[1]?.data).toEqual({
      id: one.id,
      state: 'proposed',
      role: 'owner',
      is_offer: false,
      listing: { id: one.listing.id, slug: one.listing.slug, title: one.listing.title },
    })
    expect(JSON.stringify(events)).not.toMatch(/1\.75|Rosa|R\. E\. C\./)
    const { rows } = await exchange.pool.query(
      'select webhook_id, event from webhook_deliveries where subject_id = $1 order by id',
      [one.id],
    )
    expect(rows).toEqual(
      ['cooperation.created', 'cooperation.updated'].map(event => ({ webhook_id: chosen.id, event })),
    )
    expect(usual.id).not.toBe(chosen.id)
    const api = await exchange.get('/events', owner.agent.key)
    expect(api.status).toBe(200)
  })

  it('do not name a listing that is not for other agents’ sites to the other agent', async () => {
    const one = await proposed(exchange, { fields: { idx_opt_out: true } })
    const events = await exchange.events(one.id)
    expect(events.map(({ data }) => (data as { listing: unknown }).listing === null)).toEqual([true, false])
  })

  it('are not ticked for a new subscription', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/webhooks')
    const form = visitor.forms().find(one => one.action === '/portal/webhooks')
    const ticked = form?.fields.filter(([name]) => name === 'events').map(([, value]) => value)
    expect(ticked).toEqual([
      'lead.created',
      'lead.updated',
      'listing.published',
      'listing.unpublished',
      'listing.updated',
    ])
  })
})

describe('an inquiry about another agent’s listing', () => {
  it('offers to start a cooperation, filled in', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const other = await exchange.agent()
    const listing = await exchange.published(other, { shared_commission: '2' })
    await exchange.search.refresh()
    const { rows } = await exchange.pool.query(
      `insert into leads (agent_id, listing_id, name, message, source) values ($1, $2, 'Eva Luna', 'Busco con jardín', 'collection:x') returning id`,
      [agent.id, listing.id],
    )
    await visitor.open(`/portal/leads/${rows[0].id}`)
    expect(visitor.text).toContain('Iniciar una cooperación')
    const href = /href="(\/portal\/market\/[^"]+\/propose\?lead=[^"]+)"/.exec(visitor.html)?.[1] as string
    await visitor.open(href)
    const form = visitor.forms().find(one => one.action.endsWith('/propose'))
    expect(Object.fromEntries(form?.fields ?? [])).toMatchObject({
      lead: rows[0].id,
      wish: 'Busco con jardín',
      split: '2%',
    })
    const own = await exchange.post('/leads', agent.key, {
      name: 'Eva',
      property_id: (await exchange.published(agent)).id,
    })
    await visitor.open(`/portal/leads/${own.body.id}`)
    expect(visitor.text).not.toContain('Iniciar una cooperación')
  })
})

describe('a dispute', () => {
  it('opens the thread to the operator, on record, until it is resolved', async () => {
    const operator = await signedInAgent(exchange, { name: 'Op Erador' })
    await exchange.pool.query('update agents set is_operator = true where id = $1', [operator.agent.id])
    const one = await broughtTo(exchange, 'accepted')
    const desk = `/portal/operator/disputes/${one.id}`
    await operator.visitor.open('/portal/operator/disputes')
    expect(operator.visitor.html).not.toContain(desk)
    expect((await operator.visitor.open(desk)).status).toBe(404)
    expect((await operator.visitor.open(one.path)).status).toBe(404)
    await step(one, one.buyer, 'dispute', { text: 'Vendió directo a mi cliente' })
    await operator.visitor.open('/portal/operator/disputes')
    expect(operator.visitor.html).toContain(desk)
    await operator.visitor.open(desk)
    expect(operator.visitor.text).toContain('Tengo a la compradora ideal.')
    expect(operator.visitor.html).not.toContain('Rosa')
    await operator.visitor.submit(`${desk}/resolve`, { text: 'Se respeta el acuerdo' })
    expect((await operator.visitor.open(desk)).status).toBe(404)
    await one.owner.visitor.open(one.path)
    expect(one.owner.visitor.text).toContain('Se respeta el acuerdo')
    const { rows } = await exchange.pool.query(
      'select action from audit_log where subject_id = $1 order by id',
      [one.id],
    )
    expect(rows.map(row => row.action)).toEqual(['cooperation.open', 'cooperation.resolve'])
  })
})
