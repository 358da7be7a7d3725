import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { assignAgency } from '../../src/agents/operator/service.ts'
import { setOperator, setVerified } from '../../src/agents/service.ts'
import { addTask } from '../../src/leads/contacts/service.ts'
import { handOver } from '../../src/leads/handover.ts'
import { exportPerson } from '../../src/leads/persons.ts'
import { addNote, receiveLead } from '../../src/leads/service.ts'
import { createNeed } from '../../src/needs/service.ts'
import { isShared } from '../../src/portal/assistants.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { takeMail } from '../support/mail.ts'
import { routesOf } from '../support/routes.ts'
import { PASSWORD, signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange()
type Person = { agent: TestAgent; visitor: Visitor }
let owner: Person
let ana: Person
let luis: Person
let stranger: Person
let agencyId: string

beforeAll(async () => {
  ;[owner, ana, luis, stranger] = [
    await signedInAgent(exchange, { agency: 'Casa Grande', name: 'Olga Dueña' }),
    await signedInAgent(exchange, { agency: 'Casa Grande', name: 'Ana Agente' }),
    await signedInAgent(exchange, { agency: 'Casa Grande', name: 'Luis Colega' }),
    await signedInAgent(exchange, { agency: 'Otra Casa', name: 'Eva Ajena' }),
  ]
  const found = await exchange.db
    .selectFrom('agents')
    .select('agency_id')
    .where('id', '=', owner.agent.id)
    .executeTakeFirstOrThrow()
  agencyId = found.agency_id as string
  await assignAgency(exchange.db, owner.agent.id, agencyId, true)
})

const person = (name: string) => ({ value: { name, email: `${randomUUID()}@example.com` }, issues: [] })
const consent = { at: new Date(), notice: '1' }
const receive = (agent: TestAgent, name = 'Rosa Sol', more = {}) =>
  receiveLead(exchange.db, agent.id, person(name), { source: 'site', consent, ...more })

async function post(visitor: Visitor, path: string, fields: [string, string][] = []) {
  await visitor.open('/portal')
  return visitor.request('POST', path, urlencoded([['_token', visitor.token], ...fields]))
}

describe('a lead handed to a colleague', () => {
  it('moves with its notes and tasks in one transaction, with events for both and mail to the colleague and the person', async () => {
    const lead = await receive(ana.agent)
    await addNote(exchange.db, ana.agent.id, lead.id, { value: { note: 'Le gusta el jardín' }, issues: [] })
    const task = { task: 'Llamarle', due_at: new Date('2026-01-05T16:00:00Z') }
    await addTask(exchange.db, ana.agent.id, lead.id, { value: task, issues: [] })
    await exchange.pool.query('delete from graphile_worker._private_jobs')
    await addTask(exchange.db, ana.agent.id, lead.id, { value: { ...task, task: 'Otra' }, issues: [] })
    await ana.visitor.open(`/portal/leads/${lead.id}`)
    await ana.visitor.submit(`/portal/leads/${lead.id}/hand-over`, { to: luis.agent.id })
    expect(ana.visitor.text).toContain('Prospecto entregado')

    expect((await ana.visitor.open(`/portal/leads/${lead.id}`)).status).toBe(404)
    expect((await ana.visitor.open(`/portal/contacts/${lead.id}`)).status).toBe(404)
    const idsOf = async ({ key }: TestAgent) =>
      (await exchange.get('/leads', key)).body.content.map((one: { id: string }) => one.id)
    expect([await idsOf(ana.agent), await idsOf(luis.agent)]).toEqual([[], [lead.id]])
    await luis.visitor.open(`/portal/leads/${lead.id}`)
    expect(luis.visitor.text).toContain('Te lo entregó Ana Agente')
    expect(luis.visitor.text).toContain('Le gusta el jardín')

    const { rows } = await exchange.pool.query(
      'select agent_id, event, data from outbox where subject_id = $1 order by id offset 1',
      [lead.id],
    )
    expect(rows).toEqual([
      {
        agent_id: ana.agent.id,
        event: 'lead.updated',
        data: { id: lead.id, status: 'new', handed_over: true },
      },
      {
        agent_id: luis.agent.id,
        event: 'lead.created',
        data: expect.objectContaining({ id: lead.id, name: 'Rosa Sol', email: lead.email }),
      },
    ])
    const mails = await takeMail(exchange)
    expect(mails.map(({ to }) => to.address).sort()).toEqual(
      // Two reminders and the lead for the colleague; one mail to the person; none to the former agent.
      [lead.email, luis.agent.email, luis.agent.email, luis.agent.email].sort(),
    )
    const told = mails.find(({ to }) => to.address === lead.email)
    expect(told?.subject).toBe('Ahora te atiende Luis Colega')
    const { body } = await exchange.get('/events', ana.agent.key)
    expect(JSON.stringify(body)).toContain('"handed_over":true')
  })

  it('waits for identification like any showing: no lead.created before', async () => {
    const lead = await receive(ana.agent, 'Tomás Cita', { tour: { at: null } })
    await handOver(exchange.db, ana.agent.id, lead.id, luis.agent.id)
    const { rows } = await exchange.pool.query('select agent_id, event from outbox where subject_id = $1', [
      lead.id,
    ])
    expect(rows).toEqual([{ agent_id: ana.agent.id, event: 'lead.updated' }])
  })

  it('can only go to a verified agent of the same agency, and not out of an open cooperation', async () => {
    const lead = await receive(ana.agent)
    const unverified = await exchange.agent({ agency: 'Casa Grande', verified: false })
    for (const to of [stranger.agent.id, unverified.id, ana.agent.id, randomUUID(), 'x']) {
      await expect(handOver(exchange.db, ana.agent.id, lead.id, to)).rejects.toMatchObject({
        details: { issues: [{ code: 'not_a_colleague' }] },
      })
    }
    for (const by of [luis.agent.id, stranger.agent.id])
      await expect(handOver(exchange.db, by, lead.id, luis.agent.id)).rejects.toMatchObject({
        kind: 'not_found',
      })
    const listing = await exchange.published(stranger.agent)
    await exchange.pool.query(
      `insert into cooperations (listing_id, buyer_agent_id, owner_id, awaited, client, split, lead_id)
       values ($1, $2, $3, 'owner', 'R. S.', '3', $4)`,
      [listing.id, ana.agent.id, stranger.agent.id, lead.id],
    )
    await expect(handOver(exchange.db, ana.agent.id, lead.id, luis.agent.id)).rejects.toMatchObject({
      details: { issues: [{ code: 'lead_in_cooperation' }] },
    })
  })

  it('keeps the title of a listing that its new agent cannot see, without the place', async () => {
    const listing = await exchange.published(ana.agent, { title: 'Casa guardada sola', address: 'Secreta 5' })
    const lead = await receive(ana.agent, 'Iván', { listingId: listing.id })
    await exchange.setStatus(listing.id, 'draft')
    await handOver(exchange.db, ana.agent.id, lead.id, luis.agent.id)
    await luis.visitor.open(`/portal/leads/${lead.id}`)
    expect(luis.visitor.text).toContain('Casa guardada sola')
    const kept = await exchange.db
      .selectFrom('leads')
      .select('listing_place')
      .where('id', '=', lead.id)
      .executeTakeFirstOrThrow()
    expect(kept.listing_place).toBeNull()
  })

  it('is erased at every agent who had it', async () => {
    const lead = await receive(ana.agent, 'Ximena Única')
    const deps = { db: exchange.db, search: undefined, now: () => new Date() }
    const wish = new URLSearchParams({ places: 'Mérida', notes: 'Para Ximena', note: 'Para Ximena' })
    await createNeed(deps, ana.agent.id, wish)
    await handOver(exchange.db, ana.agent.id, lead.id, luis.agent.id)
    expect(JSON.stringify(await exportPerson(exchange.db, lead.email as string))).toContain('Ana Agente')
    await luis.visitor.open(`/portal/leads/${lead.id}/erase`)
    await luis.visitor.submit(`/portal/leads/${lead.id}/erase`, { sure: 'on' })
    for (const table of ['outbox', 'needs', 'leads', 'lead_notes']) {
      const { rows } = await exchange.pool.query(`select * from ${table}`)
      expect([table, JSON.stringify(rows).includes('Ximena')]).toEqual([table, false])
    }
  })
})

describe('the owner of an agency', () => {
  it('sees the listings and leads of its agents, without what is private to them, and can hand leads over', async () => {
    const listing = await exchange.listing(ana.agent, {
      title: 'Borrador de Ana sola',
      address: 'Secreta 77',
      shared_commission: '4.25',
    })
    const lead = await receive(ana.agent, 'Nora Luz')
    await addNote(exchange.db, ana.agent.id, lead.id, { value: { note: 'Nota secreta' }, issues: [] })
    const theirs = await receive(stranger.agent, 'Persona Ajena')
    await owner.visitor.open('/portal/team/listings')
    expect(owner.visitor.text).toContain('Borrador de Ana sola')
    expect(owner.visitor.html).not.toMatch(/Secreta 77|4\.25/)
    await owner.visitor.open('/portal/team/leads')
    expect(owner.visitor.text).toContain('Nora Luz')
    expect(owner.visitor.html).not.toMatch(/Persona Ajena|Nota secreta/)
    for (const path of [
      `/portal/leads/${lead.id}`,
      `/portal/contacts/${lead.id}`,
      `/portal/listings/${listing.id}`,
    ])
      expect((await owner.visitor.open(path)).status, path).toBe(404)
    await owner.visitor.open('/portal/team/leads')
    await owner.visitor.submit(`/portal/team/leads/${lead.id}/hand-over`, { to: luis.agent.id })
    expect((await luis.visitor.open(`/portal/leads/${lead.id}`)).status).toBe(200)
    const foreign = `/portal/team/leads/${theirs.id}/hand-over`
    expect((await post(owner.visitor, foreign, [['to', luis.agent.id]])).status).toBe(404)
  })

  it('pages through the listings of all agents together, last changed first', async () => {
    const made: string[] = []
    for (let i = 0; i < 45; i++) {
      const title = `Casa de equipo ${String(i).padStart(2, '0')}`
      await exchange.listing(i % 9 === 0 ? luis.agent : ana.agent, { title })
      made.push(title)
    }
    await exchange.listing(stranger.agent, { title: 'Casa de equipo ajena' })
    const seen: string[] = []
    for (const page of [1, 2]) {
      await owner.visitor.open(`/portal/team/listings?page=${page}`)
      seen.push(...(owner.visitor.text.match(/Casa de equipo (\d\d|ajena)/g) ?? []))
    }
    expect(seen).toEqual(made.reverse())
  })

  it('is the only one who sees them and who invites or removes members', async () => {
    const lead = await receive(luis.agent)
    for (const { visitor } of [ana, stranger]) {
      for (const path of ['/portal/team/listings', '/portal/team/leads'])
        expect((await visitor.open(path)).status, path).toBe(404)
      for (const path of [
        '/portal/team/invite',
        `/portal/team/members/${luis.agent.id}/remove`,
        `/portal/team/leads/${lead.id}/hand-over`,
      ])
        expect(
          (
            await post(visitor, path, [
              ['email', 'x@example.com'],
              ['to', ana.agent.id],
            ])
          ).status,
          path,
        ).toBe(404)
    }
    // Not even another owner.
    const own = `/portal/team/members/${owner.agent.id}/remove`
    expect((await post(owner.visitor, own)).status).toBe(404)
  })
})

/** Invites, signs up with that address and accepts. */
async function join(assists: string) {
  const invited = await exchange.agent({
    verified: false,
    password: PASSWORD,
    name: 'Pepe Apoyo',
  })
  await owner.visitor.open('/portal/team')
  await owner.visitor.submit('/portal/team/invite', { email: invited.email, assists })
  const visitor = await new Visitor(exchange).signIn(invited.email)
  await visitor.open('/portal/team')
  return { agent: invited, visitor, accept: answerPath(visitor) }
}

const answerPath = (visitor: Visitor) =>
  visitor.forms().find(({ action }) => action.endsWith('/answer'))?.action ?? ''

describe('an invitation', () => {
  it('is mailed to the address and accepted only by the account that has it, once', async () => {
    await exchange.pool.query('delete from graphile_worker._private_jobs')
    const { agent, visitor, accept } = await join('')
    const [mail] = await takeMail(exchange)
    expect(mail?.to.address).toBe(agent.email)
    expect(mail?.text).toContain('Casa Grande')
    expect((await post(stranger.visitor, accept, [['answer', 'accept']])).status).toBe(404)
    await visitor.submit(accept, { answer: 'accept' })
    expect(visitor.text).toContain('Integrantes')
    expect((await post(visitor, accept, [['answer', 'accept']])).status).toBe(404)
    await owner.visitor.open('/portal/team')
    await owner.visitor.submit('/portal/team/invite', { email: agent.email })
    expect(owner.visitor.text).toContain('Ya forma parte del equipo')
    await post(visitor, '/portal/team/leave')
    expect((await visitor.open('/portal/team')).text).toContain('Trabajas por tu cuenta')
  })

  it('can be declined or withdrawn, and rejects an address or a colleague that are none', async () => {
    const { visitor, accept } = await join('')
    await visitor.submit(accept, { answer: 'decline' })
    expect(visitor.text).toContain('Trabajas por tu cuenta')
    await owner.visitor.open('/portal/team')
    await owner.visitor.submit('/portal/team/invite', { email: 'no es', assists: stranger.agent.id })
    expect(owner.visitor.status).toBe(422)
    await owner.visitor.submit('/portal/team/invite', { email: 'ok@example.com', assists: stranger.agent.id })
    expect(owner.visitor.status).toBe(422)
    await owner.visitor.submit('/portal/team/invite', { email: 'ok@example.com', assists: '' })
    const form = owner.visitor.forms().find(({ action }) => action.endsWith('/withdraw'))
    await owner.visitor.submit(form?.action ?? '')
    expect(owner.visitor.text).toContain('Invitación retirada')
  })
})

describe('an assistant', () => {
  it('works on listings, leads and contacts in the agent’s name, on nothing else, and until removed', async () => {
    const lead = await receive(ana.agent, 'Clienta de Ana')
    const draft = await exchange.listing(ana.agent, { title: 'Borrador para publicar' })
    const { agent, visitor, accept } = await join(ana.agent.id)
    expect((await visitor.open(`/portal/leads/${lead.id}`)).status).toBe(404)
    await visitor.open('/portal/team')
    await visitor.submit(accept, { answer: 'accept' })

    await visitor.open(`/portal/leads/${lead.id}`)
    expect([visitor.status, visitor.text.includes('Asistente de Ana Agente')]).toEqual([200, true])
    await visitor.open(`/portal/listings/${draft.id}`)
    await visitor.submit(`/portal/listings/${draft.id}/status`, { action: 'publish' })
    expect((await exchange.get(`/properties/${draft.id}`, ana.agent.key)).body.status).toBe('published')
    for (const path of [
      '/portal/leads/export.csv',
      `/portal/leads/${lead.id}/erase`,
      `/portal/leads/${lead.id}/%65rase`,
      '/portal/team/leads',
      '/portal/operator',
    ])
      expect((await visitor.open(path)).status, path).toBeGreaterThanOrEqual(403)
    const handed = await post(visitor, `/portal/leads/${lead.id}/hand-over`, [['to', luis.agent.id]])
    expect(handed.status).toBe(404)
    // For verified agents, which an assistant is not.
    expect((await post(visitor, `/portal/leads/${lead.id}/identification/verify`)).status).toBe(403)
    await visitor.open('/portal/calendar')
    expect(visitor.html).not.toContain('webcal:')
    await visitor.open('/portal/account')
    expect(visitor.html).not.toContain(ana.agent.email)
    expect((await visitor.open('/portal/profile')).html).not.toContain('Ana Agente"')

    await owner.visitor.open('/portal/team')
    await owner.visitor.submit(`/portal/team/members/${agent.id}/remove`)
    expect((await visitor.open(`/portal/leads/${lead.id}`)).status).toBe(404)
    expect((await visitor.open('/portal/listings')).text).not.toContain('Borrador para publicar')
  })

  it('loses access when either leaves the agency, or with a license or the operator’s desk of their own', async () => {
    const lead = await receive(ana.agent)
    const { agent, visitor, accept } = await join(ana.agent.id)
    await visitor.submit(accept, { answer: 'accept' })
    const status = async () => (await visitor.open(`/portal/leads/${lead.id}`)).status
    expect(await status()).toBe(200)
    await setOperator(exchange.db, agent.email, true)
    expect(await status()).toBe(404)
    await setOperator(exchange.db, agent.email, false)
    await setVerified(exchange.db, agent.email, true)
    expect(await status()).toBe(404)
    await exchange.pool.query('update agents set verified_at = null where id = $1', [agent.id])
    expect(await status()).toBe(200)
    await assignAgency(exchange.db, ana.agent.id, '', false)
    expect(await status()).toBe(404)
    await assignAgency(exchange.db, ana.agent.id, agencyId, false)
    expect(await status()).toBe(404)
  })

  it('is rejected if verified: a license is for working in one’s own name', async () => {
    const invited = await signedInAgent(exchange)
    await owner.visitor.open('/portal/team')
    await owner.visitor.submit('/portal/team/invite', { email: invited.agent.email, assists: ana.agent.id })
    await invited.visitor.open('/portal/team')
    await invited.visitor.submit(answerPath(invited.visitor), { answer: 'accept' })
    expect(invited.visitor.text).toContain('no puede ser asistente')
  })

  it('shares these routes and no others', () => {
    const portal = routesOf(exchange.app).filter(({ path }) => path.startsWith('/portal'))
    const roots = new Set(
      portal.filter(({ path }) => isShared(path)).map(({ path }) => path.split('/').slice(0, 3).join('/')),
    )
    expect([...roots].sort()).toEqual([
      '/portal',
      '/portal/calendar',
      '/portal/contacts',
      '/portal/doctor',
      '/portal/leads',
      '/portal/listings',
      '/portal/tasks',
    ])
  })
})
