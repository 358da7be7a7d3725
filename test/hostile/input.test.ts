import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { addListing, createCollection } from '../../src/collections/service.ts'
import { createWidget } from '../../src/widgets/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { newFeed } from '../support/feeds.ts'
import { loopbackNetwork } from '../support/receiver.ts'
import { type Route, routesOf } from '../support/routes.ts'
import { multipart, PASSWORD, Visitor } from '../support/visitor.ts'
import { subscribe } from '../support/webhooks.ts'

// Every route with every kind of value.
vi.setConfig({ testTimeout: 120_000 })

const SRC = join(import.meta.dirname, '../../src')
const exchange = useExchange({ network: loopbackNetwork() })

/** As they appear in a URL or a form. The fourth is half of a surrogate pair, the fifth is not valid UTF-8. */
const VALUES = {
  NUL: '%00',
  'a NUL inside': 'a%00b',
  'a NUL in an id': `${randomUUID().slice(0, -1)}%00`,
  'half a character': '%ED%A0%80',
  'broken bytes': '%FF%FE',
  'a very long text': 'x'.repeat(490),
  // Without brackets it would set the prototype.
  ['__proto__']: '__proto__',
  toString: 'toString',
  'an object': '%5Bobject%20Object%5D',
  JSON: '%7B%22toString%22%3A1%7D',
  nothing: '',
  'a number too large': '9'.repeat(400),
  'a quote': '%27%22%5C',
} as const
type Kind = keyof typeof VALUES
const KINDS: Kind[] =
  process.env.THOROUGH === '1'
    ? (Object.keys(VALUES) as Kind[])
    : ['a NUL inside', 'a NUL in an id', 'half a character', '__proto__']

/** Every name under which the source reads a form field or a query parameter. */
const NAMES = [
  ...new Set(
    readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter(name => /\.tsx?$/.test(name))
      .flatMap(name => [
        ...readFileSync(join(SRC, name), 'utf8').matchAll(/\(\s*'([a-z][a-z_]{1,30})'\s*\)/g),
      ])
      .map(match => match[1] as string),
  ),
  '__proto__',
  'constructor',
]

let agent: TestAgent
let operator: Visitor
/** An existing record for each parameter: most forms are only validated if there is something to change. */
let things: Record<string, string>

// Created again for each kind of value: some forms change the password or close the account.
async function prepare() {
  agent = await exchange.agent({ password: PASSWORD })
  await setOperator(exchange.db, agent.email, true)
  operator = await new Visitor(exchange).signIn(agent.email)
  const other = await exchange.agent()
  const listing = await exchange.published(agent)
  const lead = await exchange.post('/leads', agent.key, { name: 'Eva', property_id: listing.id })
  const webhook = await subscribe(exchange, agent, 'https://hook.example/x')
  const collection = await createCollection(exchange.db, agent.id, { value: { title: 'Mine' }, issues: [] })
  await addListing(exchange.db, agent.id, collection, listing.id)
  const ofWidget = { name: 'Mine', kind: 'inquiry' as const, domains: ['mine.example'] }
  const widget = await createWidget(exchange.db, agent.id, { value: ofWidget, issues: [] })
  const feed = await newFeed(exchange, agent)
  things = {
    'listings/:id': listing.id,
    'leads/:id': lead.body.id,
    'webhooks/:id': webhook.id,
    'collections/:id': collection,
    'widgets/:id': widget,
    'feeds/:id': feed.id,
    'feeds/:file': feed.path.slice('/feeds/'.length),
    'agents/:id': other.id,
    'properties/:id': listing.id,
    'propiedades/:slug': listing.slug,
    'agentes/:slug': agent.slug,
    'keys/:prefix': agent.key.slice(4, 12),
  }
}

const realPath = ({ path }: Route): string => {
  let real = path
  for (const [pattern, id] of Object.entries(things)) {
    real = real.replace(pattern, pattern.replace(/:\w+/, id))
  }
  return real.replace(/:\w+/g, randomUUID())
}

async function signedIn(): Promise<Visitor> {
  await operator.open('/portal/account')
  if (operator.path !== '/portal/account') await operator.signIn(agent.email)
  return operator
}

const AUTHORIZED = () => ({ authorization: `Bearer ${agent.key}` })

/** Routes that failed with an internal error. */
async function faults(
  routes: Route[],
  ask: (visitor: Visitor, route: Route, token: string) => Promise<unknown>,
): Promise<string[]> {
  const found: string[] = []
  const visitor = await signedIn()
  const { token } = visitor
  for (const route of routes.toSorted((a, b) => Number(endsSession(a)) - Number(endsSession(b)))) {
    await ask(visitor, route, token)
    if (visitor.status >= 500 && visitor.status !== 503) found.push(`${route.method} ${route.path}`)
  }
  return found
}

/** Requested last. */
const endsSession = ({ path }: Route) => /\/sign-(in|out)$|\/sessions\/end$/.test(path)
const isForm = ({ method, path }: Route) => method === 'POST' && !path.startsWith('/api')
const routesWith = (isWanted: (route: Route) => boolean) => routesOf(exchange.app).filter(isWanted)

it('the test finds all routes and field names', () => {
  expect(routesOf(exchange.app).filter(isForm).length).toBeGreaterThan(65)
  for (const name of ['email', 'label', 'number', 'note', 'new_password', 'agency'])
    expect(NAMES).toContain(name)
})

describe.each(KINDS)('%s never causes a 500', kind => {
  const value = VALUES[kind]
  beforeAll(prepare)

  it('in any path parameter', async () => {
    const routes = routesWith(({ path }) => path.includes(':'))
    expect(routes.length).toBeGreaterThan(100)
    const asked = (visitor: Visitor, route: Route, token: string) =>
      visitor.request(route.method, route.path.replace(/:\w+/g, value), {
        headers: { ...AUTHORIZED(), 'x-form-token': token },
      })
    expect(await faults(routes, asked)).toEqual([])
  })

  it('in any query parameter', async () => {
    const query = NAMES.map(name => `${name}=${value.slice(0, 50)}`).join('&')
    const asked = (visitor: Visitor, route: Route) =>
      visitor.request('GET', `${realPath(route)}?${query}`, { headers: AUTHORIZED() })
    const pages = routesWith(({ method, path }) => method === 'GET' && !/assets|media|scalar/.test(path))
    expect(await faults(pages, asked)).toEqual([])
  })

  it('in any form field', async () => {
    const fields = NAMES.filter(name => name !== 'password').map(name => `${name}=${value.slice(0, 50)}`)
    const asked = (visitor: Visitor, route: Route, token: string) =>
      visitor.request('POST', realPath(route), {
        payload: [`_token=${token}`, `password=${encodeURIComponent(PASSWORD)}`, ...fields].join('&'),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect(await faults(routesWith(isForm), asked)).toEqual([])
  })
})

describe('the fields of a form with files', () => {
  beforeAll(prepare)
  const UPLOADS = ['/portal/profile/photo', '/portal/agency/logo', '/portal/licence']
  const part = (name: string, value: string, type = 'text/plain') =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${value}\r\n`
  const sendParts = async (path: string, ...parts: string[]) => {
    const visitor = await signedIn()
    return visitor.request('POST', path, {
      payload: `${part('_token', visitor.token)}${parts.join('')}--b--\r\n`,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    })
  }

  it.each(UPLOADS)('of %s are text, whatever content type they declare', async path => {
    for (const value of ['{"toString":1}', '[1]', 'null', '1', '"\\u0000"', '{']) {
      expect((await sendParts(path, part('state', value, 'application/json'))).status, value).toBe(400)
    }
    expect((await sendParts(path, part('state', '"\\ud800"', 'application/json'))).status).toBeLessThan(500)
  })

  it.each(UPLOADS)('of %s are rejected if they contain NUL', async path => {
    expect((await sendParts(path, part('state', 'a\0b'))).status).toBe(400)
  })

  it.each(UPLOADS)('of %s are rejected if they are too long, never truncated', async path => {
    expect((await sendParts(path, part('number', 'x'.repeat(300_000)))).status).toBe(413)
    const many = Array.from({ length: 100 }, (_, i) => part(`f${i}`, 'x'.repeat(10_000)))
    expect((await sendParts(path, ...many)).status).toBe(413)
  })

  it.each(UPLOADS)('of %s may be named like a property of Object.prototype', async path => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect((await sendParts(path, part(name, 'x'))).status, name).toBeLessThan(500)
    }
  })
})

it('a form with a NUL changes nothing and says what is wrong', async () => {
  const visitor = await signedIn()
  const before = await exchange.pool.query('select count(*) from api_keys')
  await visitor.request('POST', '/portal/keys', {
    payload: `_token=${visitor.token}&label=a%00b&scopes=read&password=${encodeURIComponent(PASSWORD)}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(visitor.status).toBe(400)
  expect(visitor.text).toContain('caracteres que no se pueden guardar')
  expect((await exchange.pool.query('select count(*) from api_keys')).rows).toEqual(before.rows)
  const { payload, headers } = multipart([['name', 'x']])
  await visitor.request('POST', '/portal/sign-in', { payload, headers })
  expect(visitor.status).toBeLessThan(500)
})
