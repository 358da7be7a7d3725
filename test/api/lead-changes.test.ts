import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { LEAD_STATUSES } from '../../src/leads/rules.ts'
import { listNotes } from '../../src/leads/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()
let agent: TestAgent
let other: TestAgent

beforeAll(async () => {
  agent = await exchange.agent()
  other = await exchange.agent()
})

const create = async (name = 'Ana', key = agent.key) => (await exchange.post('/leads', key, { name })).body
const patch = (id: string, body: unknown, key = agent.key) =>
  exchange.call('PATCH', `/leads/${id}`, { key, body })
const notesOf = async (id: string) => (await listNotes(exchange.db, id)).map(note => note.text)
const read = (path: string, key = agent.key) => exchange.get(path, key)
const nextOf = (headers: { link?: unknown }) =>
  /^<https:\/\/lonja\.example(.*)>; rel="next"$/.exec(String(headers.link))?.[1] ?? ''

describe('PATCH /leads/{id}: 200', () => {
  it('changes the stage, the follow-up and adds a note, and answers the lead', async () => {
    const lead = await create()
    const body = {
      status: 'contacted',
      follow_up_at: '2026-12-01T10:00:00-06:00',
      note: 'Prefiere la tarde.',
    }
    const answer = await patch(lead.id, body)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...lead,
      status: 'contacted',
      follow_up_at: '2026-12-01T16:00:00.000Z',
      updated_at: expect.any(String),
    })
    expect(answer.body.updated_at > lead.updated_at).toBe(true)
    expect(await notesOf(lead.id)).toEqual(['Prefiere la tarde.'])
    expect((await read('/leads?limit=1')).body.content).toEqual([answer.body])
  })

  it('sends no webhook and leaves no event', async () => {
    const lead = await create()
    const before = await exchange.events(lead.id)
    for (const status of LEAD_STATUSES) expect((await patch(lead.id, { status })).body.status).toBe(status)
    expect(await exchange.events(lead.id)).toEqual(before)
    expect(
      (await read('/events')).body.content.filter((one: { event: string }) => one.event === 'lead.updated'),
    ).toEqual([])
  })

  it('changes only what is sent; null and an empty text clear the follow-up', async () => {
    const lead = await create()
    await patch(lead.id, { status: 'qualified', follow_up_at: '2026-12-01' })
    for (const none of [null, '']) {
      const { body } = await patch(lead.id, { follow_up_at: none })
      expect(body).toMatchObject({ status: 'qualified', follow_up_at: null })
      await patch(lead.id, { follow_up_at: '2026-12-01' })
    }
    expect((await patch(lead.id, { status: 'won' })).body.follow_up_at).toBe('2026-12-01T00:00:00.000Z')
  })

  it.each<[string, { note?: string | null }]>([
    ['nothing', {}],
    ['what it is already', { status: 'new', follow_up_at: null } as object],
    ['a note', { note: 'Llamar otra vez.' }],
    ['no note', { note: null }],
    ['an empty note', { note: ' ' }],
    [
      'fields that are not to be changed',
      { name: 'Otra', email: 'x@example.com', created_at: null, kind: 'tour' } as object,
    ],
  ])('leaves the record as it is with %s', async (_what, body) => {
    const lead = await create()
    expect((await patch(lead.id, body)).body).toEqual(lead)
    expect(await notesOf(lead.id)).toEqual(body.note?.trim() ? [body.note] : [])
  })
})

describe('PATCH /leads/{id}: refused', () => {
  it.each([
    [{ status: 'sold' }, ['status must be one of: new, contacted, qualified']],
    [{ status: null }, ['status cannot be null']],
    [{ status: 5 }, ['status must be one of']],
    [{ follow_up_at: 'mañana' }, ['follow_up_at must be an ISO 8601 time']],
    [{ follow_up_at: '2026-02-30' }, ['follow_up_at must be an ISO 8601 time']],
    [{ follow_up_at: {} }, ['follow_up_at must be an ISO 8601 time']],
    [{ note: 7 }, ['note must be text']],
    [{ note: 'x'.repeat(5_001) }, ['note must be at most 5000 characters']],
    [{ note: 'a\u0000' }, ['note contains characters that cannot be stored']],
    [{ status: 'x', note: 1 }, ['status must be one of', 'note must be text']],
    [[], ['body must be a JSON object']],
  ])('422 %j, and nothing of it is done', async (body, errors) => {
    const lead = await create()
    const answer = await patch(lead.id, Array.isArray(body) ? body : { follow_up_at: '2026-12-01', ...body })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual(errors.map(start => expect.stringContaining(start)))
    expect((await read('/leads?limit=1')).body.content).toEqual([lead])
    expect(await notesOf(lead.id)).toEqual([])
  })

  it('404: another agent’s lead, none, and what is no id, whatever the body', async () => {
    const theirs = await create('Eva', other.key)
    for (const id of [theirs.id, randomUUID(), 'nothing', '%00', "'"]) {
      expect((await patch(id, { status: 'nonsense' })).status, id).toBe(404)
    }
    expect((await read('/leads', other.key)).body.content[0]).toEqual(theirs)
  })

  it('401 without a key, 403 with one that only reads, 415 without a type, 405 for PUT', async () => {
    const { id } = await create()
    expect((await exchange.call('PATCH', `/leads/${id}`, { body: {} })).status).toBe(401)
    expect((await patch(id, {}, await exchange.key(agent.email, 'read'))).status).toBe(403)
    expect((await exchange.call('PATCH', `/leads/${id}`, { key: agent.key, raw: '{}' })).status).toBe(415)
    const put = await exchange.put(`/leads/${id}`, agent.key, {})
    expect([put.status, put.headers.allow]).toEqual([405, 'PATCH'])
  })
})

describe('GET /leads', () => {
  it('updated_since: those changed at or after it, also by the portal, newest first', async () => {
    const one = await exchange.agent()
    const [a, b, c] = [await create('A', one.key), await create('B', one.key), await create('C', one.key)]
    const changed = (await patch(a.id, { status: 'lost' }, one.key)).body
    const idsSince = async (since: string) =>
      (await read(`/leads?updated_since=${encodeURIComponent(since)}`, one.key)).body.content.map(
        (lead: { id: string }) => lead.id,
      )
    expect(await idsSince(c.updated_at)).toEqual([c.id, a.id])
    expect(await idsSince(changed.updated_at)).toEqual([a.id])
    expect(await idsSince('2020-01-01')).toEqual([c.id, b.id, a.id])
    expect(await idsSince('2120-01-01')).toEqual([])
  })

  it('leads on to the 501st, and through leads of the same instant, once each', async () => {
    const large = await exchange.agent()
    await sql`insert into leads (agent_id, name, source, lang, created_at)
      select ${large.id}, 'Ana ' || n, 'api', 'es', date_trunc('day', now()) - (n / 10) * interval '1 second'
      from generate_series(1, 503) n`.execute(exchange.db)
    const first = await read('/leads', large.key)
    expect(first.body.content).toHaveLength(500)
    const rest = await read(nextOf(first.headers), large.key)
    expect([rest.body.content.length, rest.headers.link]).toEqual([3, undefined])
    const ids = [...first.body.content, ...rest.body.content].map(lead => lead.id)
    expect(new Set(ids).size).toBe(503)
    const seen: string[] = []
    for (let path = '/leads?limit=97&fields=id'; path; ) {
      const { body, headers } = await read(path, large.key)
      seen.push(...body.content.map((lead: { id: string }) => lead.id))
      path = headers.link ? nextOf(headers) : ''
    }
    expect(seen).toEqual(ids)
  })

  it('has only the fields asked for', async () => {
    const { id } = await create('María')
    expect((await read('/leads?limit=1&fields=name')).body.content).toEqual([{ id, name: 'María' }])
  })

  it.each([
    ['limit=0', /^limit/],
    ['limit=x', /^limit/],
    ['cursor=x', /^cursor must come from the Link header/],
    ['updated_since=yesterday', /^updated_since must be an ISO 8601 time/],
    ['fields=phone_e164', /^fields "phone_e164" is not a field/],
    ['fields=consent_at', /^fields "consent_at" is not a field/],
  ])('422: %s', async (query, message) => {
    const { status, body } = await read(`/leads?${query}`)
    expect(status).toBe(422)
    expect(body.errors).toEqual([expect.stringMatching(message)])
  })

  it('another agent’s cursor shows nothing of theirs', async () => {
    await create('X', other.key)
    await create('Y', other.key)
    const next = nextOf((await read('/leads?limit=1', other.key)).headers)
    for (const lead of (await read(next)).body.content) expect(lead.name).not.toMatch(/^[XY]$|Eva/)
  })
})
