import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'

const exchange = useExchange()

/** What each route asks of a key: the whole interface, so that a new route must be entered here. */
const ROUTES = {
  'GET /me': 'read',
  'GET /meta': 'none',
  'GET /properties': 'read',
  'GET /properties/{id}': 'read',
  'GET /properties/clusters': 'read',
  'GET /properties/{id}/similar': 'read',
  'POST /properties': 'write',
  'PUT /properties/{id}': 'write',
  'POST /properties/{id}/images': 'write',
  'PUT /properties/{id}/images': 'write',
  'DELETE /properties/{id}/images/{image_id}': 'write',
  'POST /properties/{id}/publish': 'write',
  'POST /properties/{id}/unpublish': 'write',
  'DELETE /properties/{id}': 'write',
  'GET /my/properties': 'read',
  'GET /my/properties/{external_id}': 'read',
  'PUT /my/properties/{external_id}': 'write',
  'POST /my/properties/batch': 'write',
  'POST /my/properties/{external_id}/publish': 'write',
  'POST /my/properties/{external_id}/unpublish': 'write',
  'DELETE /my/properties/{external_id}': 'write',
  'GET /changes': 'read',
  'GET /digest': 'read',
  'GET /events': 'read',
  'POST /leads': 'write',
  'GET /leads': 'read',
  'PATCH /leads/{id}': 'write',
  'GET /agents': 'read',
  'GET /agencies': 'read',
  'GET /locations': 'read',
  'GET /suggest': 'read',
  'GET /market': 'read',
  'GET /openapi.json': 'none',
} as const
type Route = keyof typeof ROUTES

const BODIES: Partial<Record<Route, object>> = {
  'POST /properties': HOUSE,
  'PUT /properties/{id}': { bedrooms: 3 },
  'PUT /my/properties/{external_id}': HOUSE,
  'POST /my/properties/batch': { items: [] },
  'POST /properties/{id}/images': { urls: ['https://fotos.example.com/1.jpg'] },
  'PUT /properties/{id}/images': { order: [] },
  'POST /leads': { name: 'María López' },
  'PATCH /leads/{id}': { status: 'contacted' },
}

const CALLERS = [
  'no key',
  'unknown key',
  'read key',
  'read-write key',
  'partner key',
  'another’s key',
] as const
type CallerName = (typeof CALLERS)[number]

/** `listing` is a draft, which only its own agent may see. */
function expectedStatus(route: Route, caller: CallerName): number {
  const needed = ROUTES[route]
  const isOnListing = route.includes('{id}')
  const [method] = route.split(' ')
  const isOnOwn = route.includes('{external_id}')
  const success = route === 'POST /properties' || route === 'POST /leads' ? 201 : 200
  if (needed === 'none') return 200
  if (caller === 'no key' || caller === 'unknown key') return 401
  if (caller === 'partner key') return 403
  if (caller === 'read key' && needed === 'write') return 403
  // Each agent has names of their own: this one means nothing to another, who may use it too.
  if (caller === 'another’s key' && isOnOwn) return method === 'PUT' ? 201 : 404
  // Another agent's lead does not exist.
  if (caller === 'another’s key' && route === 'PATCH /leads/{id}') return 404
  if (caller === 'another’s key' && isOnListing) return needed === 'write' ? 403 : 404
  return success
}

let owner: TestAgent
const keys: Partial<Record<CallerName, string>> = {}

beforeAll(async () => {
  owner = await exchange.agent()
  keys['unknown key'] = 'svc_00000000_000000000000000000000000000000000000000000000000'
  keys['read key'] = await exchange.key(owner.email, 'read')
  keys['read-write key'] = owner.key
  keys['partner key'] = await exchange.key(owner.email, 'partner')
  keys['another’s key'] = (await exchange.agent()).key
})

describe('the route table', () => {
  it('is exactly what the description lists', () => {
    const { paths = {} } = exchange.app.swagger() as { paths?: Record<string, object> }
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(Object.keys(ROUTES).sort())
  })

  it('is exactly what the server serves under /api/v1', () => {
    for (const route of Object.keys(ROUTES)) {
      const [method = '', path = ''] = route.split(' ')
      const url = `/api/v1${path.replace(/\{(\w+)\}/g, ':$1')}`
      expect(exchange.app.hasRoute({ method: method as 'GET', url }), route).toBe(true)
    }
    const tree = exchange.app.printRoutes({ commonPrefix: false, includeHooks: false })
    const api = tree.split(/\n {4}(?=[├└])/).filter(branch => branch.slice(4).startsWith('api/v1'))
    const methods = api
      .flatMap(branch => [...branch.matchAll(/\(([A-Z, ]+)\)/g)])
      .flatMap(match => match[1]?.split(', ') ?? [])
    expect(methods.filter(method => method !== 'HEAD')).toHaveLength(Object.keys(ROUTES).length)
  })
})

describe.each(Object.keys(ROUTES) as Route[])('%s', route => {
  const [method = '', template = ''] = route.split(' ')
  it.each(CALLERS.map(caller => [caller, expectedStatus(route, caller)] as const))(
    'with %s answers %i',
    async (caller, status) => {
      const externalId = randomUUID()
      const images = ['https://fotos.example.com/0.jpg']
      const listing = await exchange.listing(owner, { images, external_id: externalId })
      const lead = await exchange.post('/leads', owner.key, { name: 'María López' })
      const path = template
        .replace('/leads/{id}', `/leads/${lead.body.id}`)
        .replace('{id}', listing.id)
        .replace('{image_id}', listing.images[0].id)
        .replace('{external_id}', externalId)
      const answer = await exchange.call(method, path, { key: keys[caller], body: BODIES[route] })
      expect(answer.status, JSON.stringify(answer.body)).toBe(status)
      if (status === 401) expect(answer.body.error).toBe('unauthorized')
      if (status === 403) expect(answer.body.error).toBe('forbidden')
      if (status === 404) expect(answer.body.error).toBe('not_found')
    },
  )
})

describe('a refused write', () => {
  it.each(['no key', 'unknown key', 'read key', 'partner key', 'another’s key'] as const)(
    'with %s changes nothing and tells nobody',
    async caller => {
      const listing = await exchange.listing(owner)
      const path = `/properties/${listing.id}`
      const key = keys[caller]
      await exchange.put(path, key, { title: 'Un título distinto' })
      await exchange.post(`${path}/images`, key, { urls: ['https://fotos.example.com/1.jpg'] })
      await exchange.post(`${path}/publish`, key)
      await exchange.post(`${path}/unpublish`, key)
      await exchange.delete(path, key)
      expect((await exchange.get(path, owner.key)).body).toEqual(listing)
      expect(await exchange.events(listing.id)).toEqual([])
    },
  )
})
