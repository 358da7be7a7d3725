import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import SwaggerParser from '@apidevtools/swagger-parser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../src/lib/free-port.ts'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const ROOT = resolve(import.meta.dirname, '../..')
const exchange = useExchange()
let agent: TestAgent
let folder: string
/** Prism, in front of the real server: it validates every request and every answer against the description. */
let proxy: string
let stopProxy: () => Promise<void>
let log = ''

beforeAll(async () => {
  agent = await exchange.agent()
  const upstream = await exchange.app.listen({ port: 0, host: '127.0.0.1' })
  folder = await mkdtemp(join(tmpdir(), 'lonja-prism-'))
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(exchange.app.swagger()))
  const port = String(await freePort('127.0.0.1'))
  const prism = join(ROOT, 'node_modules/@stoplight/prism-cli/dist/index.js')
  const child = spawn(process.execPath, [prism, 'proxy', file, `${upstream}/api/v1`, '--errors', '-p', port])
  const ended = once(child, 'close')
  child.stdout.on('data', chunk => {
    log += chunk
  })
  child.stderr.on('data', chunk => {
    log += chunk
  })
  proxy = `http://127.0.0.1:${port}`
  stopProxy = async () => {
    child.kill()
    await ended
  }
  await vi.waitFor(() => expect(log).toContain('Prism is listening'), { timeout: 50_000, interval: 100 })
})

afterAll(async () => {
  await stopProxy?.()
  await rm(folder, { recursive: true, force: true })
})

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  await exchange.search.refresh()
  const response = await fetch(proxy + path, {
    method,
    headers: {
      authorization: `Bearer ${agent.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.headers.get('sl-violations'), `${method} ${path}: ${text}`).toBeNull()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
}

describe('Swagger Parser', () => {
  it('finds the description valid, and resolves every reference in it', async () => {
    const document = await SwaggerParser.validate(structuredClone(exchange.app.swagger()) as never)
    expect(Object.keys(document.paths ?? {}).length).toBeGreaterThan(15)
  })
})

describe('Prism, between a client and the server', () => {
  it('finds every answer as described, in a round through all operations', async () => {
    const seen = new Set<string>()
    const expecting = async (status: number, operation: string, ...args: Parameters<typeof call>) => {
      const answer = await call(...args)
      expect(answer.status, `${operation}: ${JSON.stringify(answer.body)}`).toBe(status)
      seen.add(operation)
      return answer.body
    }
    const { id } = await expecting(201, 'createListing', 'POST', '/properties', {
      ...HOUSE,
      rent_price: '18,000',
      features: ['Vigilancia', 'Jardín'],
      images: ['https://fotos.example.com/1.jpg'],
      external_id: 'CRM-1',
    })
    await expecting(200, 'publishListing', 'POST', `/properties/${id}/publish`)
    const { media } = await expecting(200, 'addImages', 'POST', `/properties/${id}/images`, {
      urls: ['https://fotos.example.com/2.jpg'],
    })
    const order = { order: [media[1].id] }
    await expecting(200, 'orderImages', 'PUT', `/properties/${id}/images`, order)
    await expecting(200, 'removeImage', 'DELETE', `/properties/${id}/images/${media[1].id}`)
    await expecting(200, 'updateListing', 'PUT', `/properties/${id}`, { bedrooms: 3, rent_period: null })
    await expecting(200, 'getListing', 'GET', `/properties/${id}`)
    await expecting(200, 'similarListings', 'GET', `/properties/${id}/similar`)
    await expecting(200, 'searchListings', 'GET', '/properties?state=CDMX')
    await expecting(
      200,
      'searchListings',
      'GET',
      '/properties?state=Jalisco&type=house&type=land&features=Gym',
    )
    await expecting(200, 'searchListings', 'GET', '/properties?ask=casa%20en%20guadalajara')
    await expecting(200, 'searchListings', 'GET', '/properties?facets=type,price')
    await expecting(200, 'clusterListings', 'GET', '/properties/clusters?bbox=-104,20,-103,21')
    await expecting(200, 'marketStatistics', 'GET', '/market?by=state,type')
    await expecting(200, 'listMyListings', 'GET', '/my/properties?status=published')
    await expecting(201, 'putMyListing', 'PUT', '/my/properties/CRM-2', HOUSE)
    await expecting(200, 'putMyListing', 'PUT', '/my/properties/CRM-2', { sale_price: 4_000_000 })
    await expecting(200, 'getMyListing', 'GET', '/my/properties/CRM-2')
    await expecting(200, 'publishMyListing', 'POST', '/my/properties/CRM-2/publish')
    await expecting(200, 'unpublishMyListing', 'POST', '/my/properties/CRM-2/unpublish')
    await expecting(200, 'putMyListings', 'POST', '/my/properties/batch?dry_run=true', {
      items: [{ external_id: 'CRM-3', set: { ...HOUSE, state: 'Atlantis' } }],
    })
    await expecting(200, 'withdrawMyListing', 'DELETE', '/my/properties/CRM-2')
    await expecting(200, 'listChanges', 'GET', '/changes?limit=10')
    await expecting(200, 'listChanges', 'GET', '/changes?scope=own')
    await expecting(200, 'getDigest', 'GET', '/digest')
    await expecting(200, 'getDigest', 'GET', `/digest?prefix=${id.slice(0, 2)}`)
    await expecting(200, 'listEvents', 'GET', '/events')
    const lead = await expecting(201, 'createLead', 'POST', '/leads', { name: 'Ana', property_id: id })
    await expecting(200, 'updateLead', 'PATCH', `/leads/${lead.id}`, { status: 'contacted', note: 'x' })
    await expecting(200, 'listLeads', 'GET', '/leads')
    await expecting(200, 'unpublishListing', 'POST', `/properties/${id}/unpublish`)
    await expecting(200, 'withdrawListing', 'DELETE', `/properties/${id}`)
    await expecting(200, 'getMe', 'GET', '/me')
    await expecting(200, 'listAgents', 'GET', '/agents')
    await expecting(200, 'listAgencies', 'GET', '/agencies')
    await expecting(200, 'getMeta', 'GET', '/meta')
    await expecting(200, 'listLocations', 'GET', '/locations')
    await expecting(200, 'suggest', 'GET', '/suggest?q=guada')
    await expecting(200, 'getDescription', 'GET', '/openapi.json')
    const described = Object.values(exchange.app.swagger().paths ?? {}).flatMap(path =>
      Object.values(path as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    )
    expect([...seen].sort()).toEqual(described.sort())
  })

  it('finds refusals as described', async () => {
    expect((await call('GET', '/properties/nothing')).status).toBe(404)
    expect((await call('GET', '/changes?cursor=broken')).status).toBe(410)
    expect((await call('POST', '/leads', { name: ' ' })).status).toBe(422)
    expect((await call('GET', '/me', undefined, { authorization: 'Bearer svc_wrong' })).status).toBe(401)
  })

  it('reports an answer that is not as described', async () => {
    const { id } = await exchange.listing(agent)
    await exchange.db.updateTable('listings').set({ state: 'Atlantis' }).where('id', '=', id).execute()
    const response = await fetch(`${proxy}/properties/${id}`, {
      headers: { authorization: `Bearer ${agent.key}` },
    })
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('location.state')
  })
})
