import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { invite } from '../../src/agents/teams/service.ts'
import { addListing, createCollection } from '../../src/collections/service.ts'
import { propose } from '../../src/cooperation/proposals.ts'
import { addSource, openImportBox } from '../../src/imports/connections.ts'
import { addTask } from '../../src/leads/contacts/service.ts'
import { createNeed } from '../../src/needs/service.ts'
import { createWidget } from '../../src/widgets/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { newFeed } from '../support/feeds.ts'
import { check } from '../support/imports.ts'
import { loopbackNetwork } from '../support/receiver.ts'
import { type Route, routesOf } from '../support/routes.ts'
import { PASSWORD, signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange({ network: loopbackNetwork() })

const portalRoutes = () => routesOf(exchange.app).filter(({ path }) => /^\/portal(\/|$)/.test(path))

/** What a stranger gets where no session is needed; 404 where a link from a mail is needed. */
const OPEN: Record<string, string> = {
  'GET /portal/sign-in': '200',
  'POST /portal/sign-in': '422',
  'GET /portal/sign-up': '200',
  'POST /portal/sign-up': '422',
  'GET /portal/check-mail': '200',
  'POST /portal/check-mail': '303 /portal/check-mail',
  'GET /portal/confirm': '404',
  'POST /portal/confirm': '404',
  'GET /portal/forgotten': '200',
  'POST /portal/forgotten': '303 /portal/check-mail',
  'GET /portal/reset': '404',
  'POST /portal/reset': '404',
  'POST /portal/preferences': '303 /portal',
}
const nameOf = ({ method, path }: Route) => `${method} ${path}`
const isOpen = (route: Route) => Object.hasOwn(OPEN, nameOf(route))
const isOperators = ({ path }: Route) => path === '/portal/operator' || path.startsWith('/portal/operator/')
const hasParameter = ({ path }: Route) => path.includes(':')

let owner: TestAgent
/** A record of the owner for each parameter. */
let things: Record<string, string>

beforeAll(async () => {
  owner = (await signedInAgent(exchange)).agent
  const listing = await exchange.published(owner)
  const draft = await exchange.listing(owner)
  const lead = await exchange.post('/leads', owner.key, { name: 'Eva', property_id: listing.id })
  const other = { ...(await exchange.agent()), isTest: false }
  const cooperation = await propose(exchange.db, other, listing.id, { client: 'A. B.', split: '3' })
  const needDeps = { db: exchange.db, search: undefined, now: () => new Date() }
  const need = await createNeed(needDeps, owner.id, new URLSearchParams({ places: 'Mérida' }))
  const webhook = await subscribe(exchange, owner, 'https://hook.example/x')
  const collection = await createCollection(exchange.db, owner.id, { value: { title: 'Mine' }, issues: [] })
  await addListing(exchange.db, owner.id, collection, listing.id)
  const ofWidget = { name: 'Mine', kind: 'inquiry' as const, domains: ['mine.example'] }
  const widget = await createWidget(exchange.db, owner.id, { value: ofWidget, issues: [] })
  const feed = await newFeed(exchange, owner)
  const source = await addSource(
    exchange.db,
    { box: openImportBox('a key'), policy: { allowPrivate: false, publicUrl: 'https://lonja.example' } },
    owner.id,
    { kind: 'easybroker', name: 'Mine', address: 'secret' },
  )
  const imported = await check(
    exchange,
    owner,
    'Clave,Título,Precio venta,Ciudad,Estado\nA-1,Casa sola,2 MDP,León,Gto.\n',
  )
  const session = await exchange.db
    .selectFrom('sessions')
    .select('id')
    .where('agent_id', '=', owner.id)
    .executeTakeFirstOrThrow()
  await addTask(exchange.db, owner.id, lead.body.id, {
    value: { task: 'Call Eva', due_at: new Date() },
    issues: [],
  })
  const task = await exchange.db.selectFrom('lead_tasks').select('id').executeTakeFirstOrThrow()
  // An agency of its own, with a member and an invitation.
  const { rows } = await exchange.pool.query<{ id: string }>(
    `insert into agencies (name, name_fold, slug) values ('Casa Uno', 'casa uno', 'casa-uno') returning id`,
  )
  const member = await exchange.agent()
  await exchange.pool.query(
    'update agents set agency_id = $1, is_agency_admin = id = $2 where id = any($3::uuid[])',
    [rows[0]?.id, owner.id, [owner.id, member.id]],
  )
  await invite(exchange.db, owner.id, { email: 'nueva@example.com', assists: '' })
  const invitation = await exchange.db.selectFrom('agency_invitations').select('id').executeTakeFirstOrThrow()
  things = {
    '/portal/team/invitations/:id': `/portal/team/invitations/${invitation.id}`,
    '/portal/team/members/:id': `/portal/team/members/${member.id}`,
    '/portal/team/leads/:id': `/portal/team/leads/${lead.body.id}`,
    '/portal/contacts/:id': `/portal/contacts/${lead.body.id}`,
    '/portal/tasks/:id': `/portal/tasks/${task.id}`,
    '/portal/doctor/:id/:kind': `/portal/doctor/${listing.id}/capitals`,
    '/portal/listings/:id': `/portal/listings/${listing.id}`,
    // A draft: other agents can see published listings.
    '/portal/market/:id': `/portal/market/${draft.id}`,
    '/portal/cooperations/:id': `/portal/cooperations/${cooperation}`,
    '/portal/needs/:id': `/portal/needs/${need}`,
    '/portal/leads/:id': `/portal/leads/${lead.body.id}`,
    '/portal/collections/:id': `/portal/collections/${collection}`,
    '/portal/widgets/:id': `/portal/widgets/${widget}`,
    '/portal/feeds/:id': `/portal/feeds/${feed.id}`,
    '/portal/import/sources/:source': `/portal/import/sources/${source}`,
    '/portal/import/:id': `/portal/import/${imported.id}`,
    '/portal/webhooks/:id/deliveries/:uid': `/portal/webhooks/${webhook.id}/deliveries/${randomUUID()}`,
    '/portal/webhooks/:id': `/portal/webhooks/${webhook.id}`,
    '/portal/keys/:prefix': `/portal/keys/${owner.key.slice(4, 12)}`,
    '/portal/account/sessions/:id': `/portal/account/sessions/${session.id}`,
  }
})

function pathTo({ path }: Route): string {
  const start = Object.keys(things).find(prefix => path === prefix || path.startsWith(`${prefix}/`))
  if (start) return things[start] + path.slice(start.length)
  if (path.includes(':') && !path.startsWith('/portal/operator/')) {
    throw new Error(`${path} is new: add what it is about to "things", so that this test can try it`)
  }
  return path.replace(/:\w+/g, randomUUID())
}

const knock = (visitor: Visitor, route: Route, token = visitor.token) => {
  const fields: [string, string][] = [
    ['_token', token],
    ['password', PASSWORD],
    ['action', 'withdraw'],
    ['stage', 'lost'],
    ['title', 'Taken over by somebody else'],
    ['note', 'a note'],
    ['events', 'lead.created'],
    ['sure', 'on'],
    ['listing', randomUUID()],
    ['name', 'Taken over'],
    ['kind', 'inquiry'],
    ['domains', 'evil.example'],
  ]
  return visitor.request(route.method, pathTo(route), route.method === 'POST' ? urlencoded(fields) : {})
}

/** All of the owner's data, as one text. */
async function belongings(): Promise<string> {
  const tables = [
    'listings',
    'leads',
    'webhooks',
    'api_keys',
    'sessions',
    'collections',
    'widgets',
    'feeds',
    'imports',
    'import_sources',
  ]
  const rows = await Promise.all([
    ...tables.map(table =>
      exchange.pool.query(`select * from ${table} where agent_id = $1 order by 1`, [owner.id]),
    ),
    exchange.pool.query('select calendar_key from agents where id = $1', [owner.id]),
    exchange.pool.query('select * from collection_listings order by 1, 2'),
    exchange.pool.query('select * from agency_invitations order by 1'),
    exchange.pool.query('select id, agency_id, assists_id, is_agency_admin from agents order by 1'),
    exchange.pool.query('select * from lead_tasks order by 1'),
    exchange.pool.query('select * from lead_notes order by 1'),
    exchange.pool.query('select * from cooperations order by 1'),
    exchange.pool.query('select * from cooperation_entries order by 1'),
  ])
  return JSON.stringify(rows.map(result => result.rows))
}

describe('every portal route', () => {
  it('is found by this test', () => {
    expect(portalRoutes().length).toBeGreaterThan(70)
    expect(portalRoutes()).toContainEqual({ method: 'POST', path: '/portal/keys/:prefix/revoke' })
  })

  it('redirects a stranger to sign-in, except for the public forms', async () => {
    const visitor = await new Visitor(exchange).open('/portal/sign-in')
    const { token } = visitor
    const open: Record<string, string> = {}
    for (const route of portalRoutes()) {
      await knock(visitor, route, token)
      const { status, headers } = visitor
      const seen = `${nameOf(route)}: ${status}`
      if (isOperators(route)) expect(seen).toBe(`${nameOf(route)}: 404`)
      else if (isOpen(route)) open[nameOf(route)] = [status, headers.location].filter(Boolean).join(' ')
      else {
        expect(seen).toBe(`${nameOf(route)}: 303`)
        expect(headers.location, seen).toMatch(/^\/portal\/sign-in/)
      }
    }
    expect(open).toEqual(OPEN)
  })

  it('answers 404 to another agent, and changes nothing', async () => {
    const { visitor } = await signedInAgent(exchange)
    const { token } = visitor
    const before = await belongings()
    for (const route of portalRoutes().filter(one => hasParameter(one) || isOperators(one))) {
      await knock(visitor, route, token)
      expect(`${route.method} ${route.path}: ${visitor.status}`).toBe(`${route.method} ${route.path}: 404`)
    }
    expect(await belongings()).toBe(before)
  })

  it('opens for an unverified agent, except for keys, webhooks, collections, widgets, feeds and operator pages', async () => {
    const { agent, visitor } = await signedInAgent(exchange, { verified: false })
    const { token } = visitor
    const closed = [
      '/portal/webhooks/check',
      '/portal/leads/export.csv',
      '/portal/leads/new',
      '/portal/market/map.json',
      '/portal/market/map.svg',
    ]
    const owners = ['/portal/team/listings', '/portal/team/leads']
    for (const path of owners)
      expect((await knock(visitor, { method: 'GET', path }, token)).status, path).toBe(404)
    for (const route of portalRoutes().filter(one => !hasParameter(one) && !owners.includes(one.path))) {
      const isOwnPage = route.method === 'GET' && !isOperators(route) && !isOpen(route)
      if (isOwnPage && !closed.includes(route.path)) {
        expect(`${route.path}: ${(await knock(visitor, route, token)).status}`).toBe(`${route.path}: 200`)
      }
      if (isOperators(route)) expect((await knock(visitor, route, token)).status, route.path).toBe(404)
    }
    const refused: Route[] = [
      { method: 'POST', path: '/portal/keys' },
      { method: 'POST', path: '/portal/leads/new' },
      { method: 'POST', path: '/portal/webhooks' },
      { method: 'POST', path: '/portal/collections' },
      { method: 'POST', path: '/portal/widgets' },
      { method: 'POST', path: '/portal/feeds' },
      { method: 'POST', path: '/portal/import' },
      { method: 'POST', path: '/portal/import/sources' },
      { method: 'POST', path: '/portal/market/columns' },
      ...closed.map((path): Route => ({ method: 'GET', path })),
    ]
    for (const route of refused) expect((await knock(visitor, route, token)).status, route.path).toBe(403)
    const keys = await exchange.db
      .selectFrom('api_keys')
      .select('label')
      .where('agent_id', '=', agent.id)
      .execute()
    expect(keys).toEqual([{ label: 'test' }])
  })

  it('does not let an unverified agent publish', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const draft = await exchange.listing(agent)
    await setVerified(exchange.db, agent.email, false)
    await visitor.signIn(agent.email)
    await visitor.open(`/portal/listings/${draft.id}`)
    await visitor.request(
      'POST',
      `/portal/listings/${draft.id}/status`,
      urlencoded([
        ['_token', visitor.token],
        ['action', 'publish'],
      ]),
    )
    const { status } = await exchange.db
      .selectFrom('listings')
      .select('status')
      .where('id', '=', draft.id)
      .executeTakeFirstOrThrow()
    expect([visitor.status, status]).toEqual([403, 'draft'])
  })

  it('changes nothing without the page’s token', async () => {
    const visitor = await new Visitor(exchange).signIn(owner.email)
    const before = await belongings()
    for (const route of portalRoutes().filter(({ method }) => method === 'POST')) {
      await knock(visitor, route, 'x'.repeat(43))
      expect(`${route.path}: ${visitor.status}`).toBe(`${route.path}: ${isOperators(route) ? 404 : 403}`)
    }
    expect(await belongings()).toBe(before)
  })

  it('changes nothing when sent from another site', async () => {
    const visitor = await new Visitor(exchange).signIn(owner.email)
    const { token } = visitor
    const before = await belongings()
    for (const route of portalRoutes().filter(one => one.method === 'POST' && !isOperators(one))) {
      const { payload, headers } = urlencoded([['_token', token]])
      const evil = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      await visitor.request('POST', pathTo(route), { payload, headers: { ...headers, ...evil } })
      expect(`${route.path}: ${visitor.status}`).toBe(`${route.path}: 403`)
    }
    expect(await belongings()).toBe(before)
  })
})
