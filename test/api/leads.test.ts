import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { quoteOf } from '../support/issues.ts'
import { LEAD_FIELDS } from '../support/lead-fields.ts'

const exchange = useExchange()
let agent: TestAgent
let other: TestAgent

beforeAll(async () => {
  agent = await exchange.agent()
  other = await exchange.agent()
})

const create = (body: unknown, key = agent.key) => exchange.post('/leads', key, body)
const created = async (body: object, key = agent.key) => {
  const answer = await create(body, key)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const leadsOf = async ({ key }: TestAgent) => (await exchange.get('/leads', key)).body.content
const rowOf = (id: string) =>
  exchange.db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const NOTHING_LINKED = { listing_id: null, listing_title: null, listing_slug: null }

describe('POST /leads: 201', () => {
  it('answers with the whole record, exactly the documented fields', async () => {
    const listing = await exchange.listing(agent)
    const lead = await created({
      name: 'María López',
      email: 'maria@example.com',
      phone: '33 1234 5678',
      message: 'Me interesa.\n¿Cuándo puedo verla?',
      property_id: listing.id,
      source: 'mi sitio',
    })
    expect(Object.keys(lead).sort()).toEqual([...LEAD_FIELDS].sort())
    expect(lead).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      listing_id: listing.id,
      listing_title: listing.title,
      listing_slug: listing.slug,
      name: 'María López',
      email: 'maria@example.com',
      phone: '33 1234 5678',
      message: 'Me interesa.\n¿Cuándo puedo verla?',
      source: 'mi sitio',
      status: 'new',
      kind: 'info',
      lang: 'es',
      interest: null,
      budget_min: null,
      budget_max: null,
      follow_up_at: null,
      tour_at: null,
      tour_status: null,
      showing_at: null,
      id_status: null,
      awaiting_id: false,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: expect.stringMatching(TIMESTAMP),
    })
  })

  it('needs only a name, and says where the lead is to be read', async () => {
    const answer = await create({ name: 'Ana' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      ...NOTHING_LINKED,
      email: null,
      phone: null,
      message: null,
      source: 'api',
    })
    expect(answer.headers.location).toBe('https://lonja.example/api/v1/leads')
  })

  it('keeps a normalized copy of the phone that no answer shows', async () => {
    const lead = await created({ name: 'Ana', phone: '044 (33) 1234-5678' })
    expect(lead.phone).toBe('044 (33) 1234-5678')
    expect((await rowOf(lead.id)).phone_e164).toBe('+523312345678')
    const free = await created({ name: 'Ana', phone: 'ext. cinco' })
    expect((await rowOf(free.id)).phone_e164).toBeNull()
  })

  it('links a listing of the caller by UUID or slug, in any status', async () => {
    for (const status of ['draft', 'published', 'withdrawn', 'sold', 'suspended']) {
      const listing = await exchange.listing(agent)
      await exchange.setStatus(listing.id, status)
      for (const property_id of [listing.id, listing.id.toUpperCase(), listing.slug]) {
        expect((await created({ name: 'Ana', property_id })).listing_title, status).toBe(listing.title)
      }
    }
  })

  it('gives the same answer for another’s, an unknown and a malformed property_id: nothing linked', async () => {
    const foreign = await exchange.published(other)
    const hidden = await exchange.listing(other)
    const imported = await exchange.listing(agent)
    await exchange.db.updateTable('listings').set({ imported: true }).where('id', '=', imported.id).execute()
    const ids = [foreign.id, foreign.slug, hidden.id, imported.id, randomUUID(), 'no-such-slug', '%%%', '']
    for (const property_id of ids) {
      expect(await created({ name: 'Ana', property_id }), property_id).toMatchObject(NOTHING_LINKED)
    }
    expect(await created({ name: 'Ana', property_id: null })).toMatchObject(NOTHING_LINKED)
  })

  it('ignores what a caller may not decide', async () => {
    const id = randomUUID()
    const lead = await created({
      name: 'Ana',
      id,
      agent_id: other.id,
      kind: 'tour',
      status: 'won',
      id_status: 'verified',
      awaiting_id: true,
      listing_id: id,
      created_at: '2020-01-01T00:00:00.000Z',
      anything: {},
    })
    expect(lead).toMatchObject({
      kind: 'info',
      status: 'new',
      id_status: null,
      awaiting_id: false,
      ...NOTHING_LINKED,
    })
    expect(lead.id).not.toBe(id)
    expect(lead.created_at > '2025').toBe(true)
    expect((await rowOf(lead.id)).agent_id).toBe(agent.id)
  })

  it('keeps every lead, the same person twice included', async () => {
    const [one, two] = [await created({ name: 'Eva' }), await created({ name: 'Eva' })]
    expect(one.id).not.toBe(two.id)
  })

  it('keeps markup as it was written', async () => {
    const message = `<script>alert(1)</script> & "quotes" '; drop table leads; --`
    expect((await created({ name: '<b>Ana</b>', message })).message).toBe(message)
  })

  it.each([
    ['name', ' Ana '.padEnd(300), 'Ana'],
    ['name', 'ñ'.repeat(200), 'ñ'.repeat(200)],
    ['message', 'x'.repeat(5_000), 'x'.repeat(5_000)],
    ['message', '   ', null],
    ['email', `${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
    ['email', '', null],
    ['phone', '12345', '12345'],
    ['source', 's'.repeat(60), 's'.repeat(60)],
    ['source', '', 'api'],
    ['source', 'widgets', 'widgets'],
  ])('takes %s to its limit', async (field, sent, kept) => {
    expect((await created({ name: 'Ana', [field]: sent }))[field]).toBe(kept)
  })

  it('tells the agent by notice and no webhook', async () => {
    const lead = await created({ name: 'Ana', email: 'ana@example.com' })
    expect(await exchange.events(lead.id)).toEqual([
      {
        event: 'lead.created',
        agent_id: agent.id,
        data: { id: lead.id },
        channels: ['notice'],
        created_at: new Date(lead.created_at),
      },
    ])
  })
})

describe('POST /leads: 422', () => {
  it.each<[string, unknown, string]>([
    ['no name', {}, 'name is required'],
    ['an empty name', { name: '  ' }, 'name must not be empty'],
    ['a null name', { name: null }, 'name cannot be null'],
    ['a name that is no text', { name: ['Ana'] }, 'name must be text'],
    [
      'a name of 201 characters',
      { name: 'x'.repeat(201) },
      `name must be at most 200 characters${quoteOf('x'.repeat(201))}`,
    ],
    [
      'a name with NUL',
      { name: 'A\0na' },
      'name contains characters that cannot be stored (sent: "A\\u0000na")',
    ],
    [
      'a message of 5,001',
      { name: 'A', message: 'x'.repeat(5_001) },
      `message must be at most 5000 characters (sent: "${'x'.repeat(40)}…")`,
    ],
    ['a phone of 4', { name: 'A', phone: '1234' }, 'phone must be at least 5 characters (sent: "1234")'],
    [
      'a phone of 41',
      { name: 'A', phone: '1'.repeat(41) },
      `phone must be at most 40 characters (sent: "${'1'.repeat(40)}…")`,
    ],
    ['a phone as number', { name: 'A', phone: 3312345678 }, 'phone must be text (sent: 3312345678)'],
    [
      'a source of 61',
      { name: 'A', source: 'x'.repeat(61) },
      `source must be at most 60 characters${quoteOf('x'.repeat(61))}`,
    ],
    ['property_id as number', { name: 'A', property_id: 7 }, 'property_id must be text (sent: 7)'],
  ])('%s', async (_what, body, error) => {
    const answer = await create(body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ error: 'validation', errors: [error] })
  })

  it.each([
    'nobody',
    'a@b',
    '@example.com',
    'a@',
    'a b@example.com',
    'a@exam ple.com',
    'a@@example.com',
    'a@b..mx',
  ])('email %s', async email => {
    expect((await create({ name: 'A', email })).body.errors).toEqual([
      `email must look like name@example.com${quoteOf(email)}`,
    ])
  })

  it.each(['widget:7', 'WIDGET:7', ' widget:', 'collection:1', 'site', 'Portal', 'test'])(
    'a source that pretends to be ours: %s',
    async source => {
      const answer = await create({ name: 'A', source })
      expect(answer.body.errors).toEqual([
        `source must not be a name the service itself uses${quoteOf(source)}`,
      ])
    },
  )

  it.each([[[]], ['x'], [null], [7], [true]])('the body %j', async body => {
    expect((await create(body)).body.errors?.[0]).toBe('body must be a JSON object')
  })

  it('names every problem at once, and keeps nothing', async () => {
    const before = (await leadsOf(agent)).length
    const answer = await create({ email: 'x', phone: 1, message: false })
    expect(answer.body.errors).toHaveLength(4)
    expect(await leadsOf(agent)).toHaveLength(before)
  })
})

describe('POST /leads: 500', () => {
  it('keeps neither the lead nor its notice when one of them cannot be written', async () => {
    const unlucky = await exchange.agent()
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`.execute(
      exchange.db,
    )
    await sql`create trigger refuse before insert on outbox for each row
      when (new.agent_id = ${sql.lit(unlucky.id)}) execute function refuse()`.execute(exchange.db)
    expect((await create({ name: 'Ana' }, unlucky.key)).status).toBe(500)
    expect(await leadsOf(unlucky)).toEqual([])
    expect((await create({ name: 'Ana' })).status).toBe(201)
  })
})

describe('GET /leads', () => {
  it('holds the caller’s leads and nobody else’s, for a read-only key too', async () => {
    const [one, two] = [await exchange.agent(), await exchange.agent()]
    const mine = await created({ name: 'Ana' }, one.key)
    await created({ name: 'Eva' }, two.key)
    expect(await leadsOf(one)).toEqual([mine])
    const reader = await exchange.key(one.email, 'read')
    expect((await exchange.get('/leads', reader)).body).toEqual({ content: [mine] })
    expect(await leadsOf(await exchange.agent())).toEqual([])
  })

  it('holds the latest 500, newest first, equal times by id', async () => {
    const busy = await exchange.agent()
    await sql`insert into leads (agent_id, name, source, created_at)
      select ${busy.id}, 'Lead ' || n, 'api', timestamptz '2026-01-01' + (n / 2) * interval '1 minute'
      from generate_series(1, 503) n`.execute(exchange.db)
    const leads: { id: string; name: string; created_at: string }[] = await leadsOf(busy)
    expect(leads).toHaveLength(500)
    const sorted = [...leads].sort((a, b) => {
      return b.created_at.localeCompare(a.created_at) || (a.id < b.id ? 1 : -1)
    })
    expect(leads.map(lead => lead.id)).toEqual(sorted.map(lead => lead.id))
    expect(leads.map(lead => lead.name)).not.toContain('Lead 1')
    expect(leads.map(lead => lead.name)).toContain('Lead 503')
  })

  it('shows a showing request that still awaits identification, with types as documented', async () => {
    const host = await exchange.agent()
    const listing = await exchange.listing(host)
    await sql`insert into leads (agent_id, listing_id, name, source, kind, lang, interest, budget_min, budget_max,
        tour_at, tour_status, showing_at, follow_up_at, id_status, awaiting_id)
      values (${host.id}, ${listing.id}, 'Eva', 'widget:7', 'tour', 'en', 'rental', 15000.50, 20000,
        '2026-02-01T16:00:00Z', 'requested', null, '2026-02-02T16:00:00.5Z', 'pending', true)`.execute(
      exchange.db,
    )
    expect(await leadsOf(host)).toMatchObject([
      {
        kind: 'tour',
        lang: 'en',
        interest: 'rental',
        source: 'widget:7',
        budget_min: 15000.5,
        budget_max: 20000,
        tour_at: '2026-02-01T16:00:00.000Z',
        follow_up_at: '2026-02-02T16:00:00.500Z',
        tour_status: 'requested',
        id_status: 'pending',
        awaiting_id: true,
        listing_slug: listing.slug,
      },
    ])
  })

  it('tells the title the listing has now', async () => {
    const host = await exchange.agent()
    const listing = await exchange.listing(host)
    await created({ name: 'Ana', property_id: listing.id }, host.key)
    await exchange.put(`/properties/${listing.id}`, host.key, { title: 'Casa remodelada' })
    expect((await leadsOf(host))[0].listing_title).toBe('Casa remodelada')
  })
})
