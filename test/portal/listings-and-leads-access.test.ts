import { describe, expect, it } from 'vitest'
import { useExchange } from '../support/exchange.ts'
import { type Route, routesWithoutDatabase } from '../support/routes.ts'
import { signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange()

/** Every route of these screens, as the server lists them: new ones are covered without being named here. */
const ROUTES = (await routesWithoutDatabase()).filter(({ path }) =>
  /^\/portal\/(listings|leads)(\/|$)/.test(path),
)
const WITH_ID = ROUTES.filter(({ path }) => path.includes(':id')).map(
  ({ method, path }) => [method, path] as const,
)
const ALL = ROUTES.map(({ method, path }) => [method, path] as const)

const snapshot = async (ids: { listing: string; lead: string }) =>
  JSON.stringify([
    await exchange.db.selectFrom('listings').selectAll().where('id', '=', ids.listing).execute(),
    await exchange.db
      .selectFrom('listing_images')
      .selectAll()
      .where('listing_id', '=', ids.listing)
      .execute(),
    await exchange.db.selectFrom('leads').selectAll().where('id', '=', ids.lead).execute(),
    await exchange.db.selectFrom('lead_notes').selectAll().where('lead_id', '=', ids.lead).execute(),
    await exchange.events(ids.listing),
  ])

const owned = async () => {
  const { agent, visitor } = await signedInAgent(exchange, { name: 'Olga Owner' })
  const listing = await exchange.published(agent, {
    title: 'Casa secreta de Olga',
    images: ['https://a.example/1.jpg'],
  })
  const lead = (await exchange.post('/leads', agent.key, { name: 'Prospecto secreto' })).body
  return { agent, visitor, ids: { listing: listing.id as string, lead: lead.id as string } }
}

const at = (path: string, ids: { listing: string; lead: string }) =>
  path.replace(':id', path.includes('/leads/') ? ids.lead : ids.listing)

/** All field values our forms use, so that no route stops at an empty field. */
const FIELDS: [string, string][] = [
  ['action', 'withdraw'],
  ['stage', 'lost'],
  ['note', 'x'],
  ['sure', 'on'],
  ['urls', 'https://evil.example/1.jpg'],
  ['title', 'Casa robada por otro'],
  ['interest', 'sale'],
]

const visit = async (visitor: Visitor, method: Route['method'], path: string, token: string) =>
  method === 'GET'
    ? visitor.request('GET', path)
    : visitor.request('POST', path, urlencoded([['_token', token], ...FIELDS]))

describe('the routes of listings and leads', () => {
  it('are all found', () => {
    expect(ALL.length).toBeGreaterThan(20)
    expect(WITH_ID.length).toBeGreaterThan(14)
  })

  it.each(WITH_ID)('%s %s answers 404 to another agent, and nothing changes', async (method, path) => {
    const { ids } = await shared()
    const { visitor } = await otherAgent()
    const before = await snapshot(ids)
    await visitor.open('/portal/listings')
    await visit(visitor, method, at(path, ids), visitor.token)
    expect(visitor.status).toBe(404)
    expect(visitor.html).not.toMatch(/secret/)
    expect(await snapshot(ids)).toBe(before)
  })

  it.each(ALL)('%s %s redirects to sign-in without a session, and nothing changes', async (method, path) => {
    const { ids } = await shared()
    const before = await snapshot(ids)
    const visitor = await new Visitor(exchange).open('/portal/sign-in')
    await visit(visitor, method, at(path, ids), visitor.token)
    expect(visitor.status).toBe(303)
    expect(visitor.headers.location).toMatch(/^\/portal\/sign-in/)
    expect(await snapshot(ids)).toBe(before)
  })

  it.each(ALL.filter(([method]) => method === 'POST'))(
    '%s %s rejects a form without its token',
    async (method, path) => {
      const { visitor, ids } = await shared()
      const before = await snapshot(ids)
      await visit(visitor, method, at(path, ids), 'wrong')
      expect(visitor.status).toBe(403)
      expect(await snapshot(ids)).toBe(before)
    },
  )

  it.each(WITH_ID)('%s %s answers the same to an invalid id as to an unknown one', async (method, path) => {
    const { visitor } = await shared()
    await visitor.open('/portal/listings')
    const { token } = visitor
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '%00', '..%2f..', "' or 1=1"]) {
      await visit(visitor, method, path.replace(':id', encodeURIComponent(id)), token)
      expect([id, visitor.status]).toEqual([id, 404])
    }
  })
})

describe('an agent whose license is not verified', () => {
  it.each(['publish', 'reconfirm'])('cannot %s, one or many, whatever the form says', async action => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.listing(agent)
    await exchange.db.updateTable('agents').set({ verified_at: null }).where('id', '=', agent.id).execute()
    await visitor.open(`/portal/listings/${id}`)
    expect(visitor.text).toContain('Podrás publicarla cuando verifiquemos tu licencia.')
    expect(visitor.html).not.toContain('value="publish"')
    const { token } = visitor
    const send = (path: string, fields: [string, string][]) =>
      visitor.request('POST', path, urlencoded([['_token', token], ...fields]))
    await send('/portal/listings/bulk', [
      ['id', id],
      ['action', action],
    ])
    expect(visitor.status).toBe(403)
    if (action === 'publish') {
      await send(`/portal/listings/${id}/status`, [['action', 'publish']])
      expect(visitor.status).toBe(403)
    }
    const row = await exchange.db
      .selectFrom('listings')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row?.status).toBe('draft')
    expect(await exchange.events(id)).toEqual([])
  })
})

let owner: ReturnType<typeof owned> | undefined
const shared = () => {
  owner ??= owned()
  return owner
}
let stranger: ReturnType<typeof signedInAgent> | undefined
const otherAgent = () => {
  stranger ??= signedInAgent(exchange, { name: 'Otro Agente' })
  return stranger
}
