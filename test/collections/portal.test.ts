import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { moved, newToken } from '../../src/collections/rules.ts'
import { addListing } from '../../src/collections/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { signedInAgent, urlencoded, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

async function withCollection(title = 'Casas para los López') {
  const { agent, visitor } = await signedInAgent(exchange, { name: 'Olga Owner' })
  await visitor.open('/portal/collections')
  await visitor.submit('/portal/collections', { title, message: 'Con jardín, como pidieron.' })
  expect(visitor.path).toMatch(/^\/portal\/collections\/[0-9a-f-]{36}$/)
  return { agent, visitor, path: visitor.path, id: visitor.path.split('/').at(-1) as string }
}

const inside = async (id: string) =>
  (
    await exchange.db
      .selectFrom('collection_listings')
      .select('listing_id')
      .where('collection_id', '=', id)
      .orderBy('position')
      .execute()
  ).map(row => row.listing_id)

const post = (visitor: Visitor, path: string, fields: Record<string, string>) =>
  visitor.request('POST', path, urlencoded([['_token', visitor.token], ...Object.entries(fields)]))

describe('a collection', () => {
  it('takes the agent’s own and other agents’ listings, in any order, and lets them be removed', async () => {
    const other = await exchange.agent({ name: 'Otro Agente' })
    const theirs = await exchange.published(other, { title: 'Casa ajena con vista' })
    const { agent, visitor, path, id } = await withCollection()
    const mine = await exchange.published(agent, { title: 'Casa propia con patio' })
    await exchange.search.refresh()

    await visitor.open(path)
    expect(visitor.text).toContain('Casa propia con patio')
    expect(visitor.text).not.toContain('Casa ajena')
    await post(visitor, `${path}/add`, { listing: mine.id })
    await visitor.open(`${path}?of=all&q=ajena+vista`)
    expect(visitor.text).toContain('Casa ajena con vista')
    await visitor.submit(`${path}/add`, { listing: theirs.id })
    expect(visitor.path).toBe(`${path}?q=ajena+vista&of=all`)
    expect(await inside(id)).toEqual([mine.id, theirs.id])

    await post(visitor, `${path}/move`, { listing: theirs.id, to: 'up' })
    expect(await inside(id)).toEqual([theirs.id, mine.id])
    await post(visitor, `${path}/add`, { listing: theirs.id })
    expect(await inside(id)).toEqual([theirs.id, mine.id])
    await post(visitor, `${path}/drop`, { listing: theirs.id })
    expect(await inside(id)).toEqual([mine.id])
  })

  it('can be edited, withdrawn, shared again and removed', async () => {
    const { visitor, path, id } = await withCollection()
    const row = () =>
      exchange.db.selectFrom('collections').selectAll().where('id', '=', id).executeTakeFirst()
    await visitor.submit(`${path}/edit`, { title: 'Otra cosa', message: '', lang: 'en' })
    expect(visitor.text).toContain('Guardado.')
    expect(await row()).toMatchObject({ title: 'Otra cosa', message: null, lang: 'en', active: true })
    expect(visitor.html).toMatch(/https:\/\/lonja\.example\/en\/c\/[\w-]{22}"/)
    await visitor.submit(`${path}/pause`)
    expect(await row()).toMatchObject({ active: false })
    await visitor.submit(`${path}/resume`)
    expect(await row()).toMatchObject({ active: true })
    await visitor.submit(`${path}/remove`)
    expect(visitor.path).toBe('/portal/collections')
    expect(await row()).toBeUndefined()
  })

  it.each([
    ['no title', { title: ' ' }, 'Es obligatorio.'],
    ['a title of 121 characters', { title: 'x'.repeat(121) }, 'Debe tener 120 caracteres como máximo.'],
    [
      'a message of 1,001',
      { title: 'Bien', message: 'x'.repeat(1_001) },
      'Debe tener 1000 caracteres como máximo.',
    ],
    ['an unsupported language', { title: 'Bien', lang: 'fr' }, 'Debe ser uno de: es, en.'],
  ])('is not created with %s, and the form keeps what was typed', async (_what, fields, message) => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/collections')
    await visitor.submit('/portal/collections', fields)
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain(message)
    if (fields.title.trim()) expect(visitor.html).toContain(`value="${fields.title}"`)
  })

  it('has an address of at least 128 random bits', () => {
    const tokens = new Set(Array.from({ length: 1_000 }, newToken))
    expect(tokens.size).toBe(1_000)
    for (const token of tokens) expect(token).toMatch(/^[\w-]{22}$/)
  })

  it('counts only its own leads in the list', async () => {
    const { agent, visitor, id } = await withCollection()
    const lead = { agent_id: agent.id, name: 'Eva', source: `collection:${id}` }
    const stranger = await exchange.agent()
    await exchange.db
      .insertInto('leads')
      .values([lead, { ...lead, agent_id: stranger.id }])
      .execute()
    await visitor.open('/portal/collections')
    expect(visitor.text).toContain('0 propiedades · 1 prospecto')
  })
})

describe('listings that cannot be added', () => {
  const listing = (agent: TestAgent, fields = {}) => exchange.published(agent, fields)
  const CASES: [string, (owner: TestAgent, other: TestAgent) => Promise<string>][] = [
    ['one’s own draft', async owner => (await exchange.listing(owner)).id],
    ['another’s draft', async (_, other) => (await exchange.listing(other)).id],
    ['one’s own that is opted out', async owner => (await listing(owner, { idx_opt_out: true })).id],
    ['another’s that is opted out', async (_, other) => (await listing(other, { idx_opt_out: true })).id],
    [
      'another’s that was withdrawn',
      async (_, other) => {
        const { id } = await listing(other)
        await exchange.setStatus(id, 'withdrawn')
        return id
      },
    ],
    [
      'a licensed import',
      async (_, other) => {
        const { id } = await listing(other)
        await exchange.db.updateTable('listings').set({ imported: true }).where('id', '=', id).execute()
        return id
      },
    ],
    ['one of a test account', async () => (await listing(await exchange.agent({ test: true }))).id],
    [
      'one of an agent who is no longer verified',
      async () => {
        const agent = await exchange.agent()
        const { id } = await listing(agent)
        await setVerified(exchange.db, agent.email, false)
        return id
      },
    ],
    ['an unknown id', async () => randomUUID()],
    ['an invalid id', async () => "x' or 1=1"],
    ['nothing', async () => ''],
  ]

  it.each(CASES)('%s: answers the same 404 and adds nothing', async (_what, make) => {
    const { agent, visitor, path, id } = await withCollection()
    const listingId = await make(agent, await exchange.agent())
    await visitor.open(path)
    await post(visitor, `${path}/add`, { listing: listingId })
    expect(visitor.status).toBe(404)
    expect(visitor.text).toContain('No encontramos esta página o no tienes acceso.')
    expect(await inside(id)).toEqual([])
  })

  it('are not offered by the collection’s search', async () => {
    const other = await exchange.agent()
    await exchange.listing(other, { title: 'Quimera borrador' })
    await listing(other, { title: 'Quimera reservada', idx_opt_out: true })
    await listing(other, { title: 'Quimera pública' })
    const { agent, visitor, path } = await withCollection()
    await exchange.listing(agent, { title: 'Quimera propia en borrador' })
    await exchange.search.refresh()
    await visitor.open(`${path}?of=all&q=quimera`)
    expect(visitor.text).toContain('Quimera pública')
    expect(visitor.text).not.toMatch(/Quimera (borrador|reservada|propia)/)
    await visitor.open(`${path}?q=quimera`)
    expect(visitor.text).toContain('Sin resultados')
  })
})

describe('limits', () => {
  it('are 50 listings, even when three are added at once', async () => {
    const { agent, visitor, path, id } = await withCollection()
    const ids: string[] = []
    for (let i = 0; i < 52; i++) ids.push((await exchange.published(agent, { title: `Casa número ${i}` })).id)
    const first = ids.slice(0, 49)
    await exchange.db
      .insertInto('collection_listings')
      .values(first.map((listing_id, i) => ({ collection_id: id, listing_id, position: i + 1 })))
      .execute()
    const tries = ids.slice(49).map(listingId => addListing(exchange.db, agent.id, id, listingId))
    const outcomes = (await Promise.allSettled(tries)).map(one => one.status)
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await inside(id)).toHaveLength(50)
    await visitor.open(path)
    await post(visitor, `${path}/add`, { listing: ids[51] as string })
    await visitor.open(path)
    expect(visitor.text).toContain('Caben 50 propiedades: quita una primero.')
  })

  it('are 100 collections', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    await exchange.db
      .insertInto('collections')
      .values(
        Array.from({ length: 100 }, (_, i) => ({ agent_id: agent.id, token: newToken(), title: `C${i}` })),
      )
      .execute()
    await visitor.open('/portal/collections')
    await visitor.submit('/portal/collections', { title: 'Una más' })
    expect(visitor.status).toBe(422)
    expect(visitor.text).toContain('Puedes tener 100 colecciones: quita una primero.')
  })
})

describe('an agent who is not verified', () => {
  it('cannot create a collection', async () => {
    const { agent, visitor } = await signedInAgent(exchange, { verified: false })
    await visitor.open('/portal/collections')
    expect(visitor.status).toBe(200)
    expect(visitor.forms().some(form => form.action === '/portal/collections')).toBe(false)
    await post(visitor, '/portal/collections', { title: 'Aun así' })
    expect(visitor.status).toBe(403)
    const made = await exchange.db
      .selectFrom('collections')
      .select('id')
      .where('agent_id', '=', agent.id)
      .execute()
    expect(made).toEqual([])
  })
})

describe('moving', () => {
  it.each([
    ['b', -1, ['b', 'a', 'c']],
    ['b', 1, ['a', 'c', 'b']],
    ['a', -1, ['a', 'b', 'c']],
    ['c', 1, ['a', 'b', 'c']],
    ['x', 1, ['a', 'b', 'c']],
  ] as const)('%s by %i', (id, step, wanted) => expect(moved(['a', 'b', 'c'], id, step)).toEqual(wanted))
})
