import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ConnectionLimits } from '../../src/http/connections.ts'
import { slidingWindow } from '../../src/http/rate-limit.ts'
import { buildServer } from '../../src/http/server.ts'

const MANY = process.env.THOROUGH === '1' ? 500 : 50
/** Far longer than the limits below, for a busy machine. */
const PATIENCE = { timeout: 10_000, interval: 20 }
const QUICK = { headersMs: 200, checkMs: 50, lingerMs: 100 }
/** Only Linux has all of 127.0.0.0/8. */
const isLinux = process.platform === 'linux'

async function open(limits: Partial<ConnectionLimits>, trustProxy: string[] = []) {
  const app = buildServer({
    logger: pino({ level: 'silent' }),
    rateLimit: slidingWindow(100_000),
    trustProxy,
    limits: { ...QUICK, ...limits },
  })
  app.get('/quick', async () => 'quick')
  app.get('/large', async () => Buffer.alloc(64 * 2 ** 20))
  app.get('/slow', () => sleep(3_000, 'slow'))
  await app.listen({ port: 0, host: '0.0.0.0' })
  onTestFinished(() => app.close())
  return app
}

interface Client {
  socket: Socket
  received: string
  isClosed: boolean
}

async function dial(app: FastifyInstance, from = '127.0.0.1'): Promise<Client> {
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const client: Client = { socket, received: '', isClosed: false }
  socket.on('error', () => {})
  socket.on('data', chunk => {
    client.received += chunk
  })
  // Half-closed is not closed: a client that keeps sending holds the connection.
  socket.on('close', () => {
    client.isClosed = true
  })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return client
}

const dialMany = (app: FastifyInstance, count: number, from?: string) =>
  Promise.all(Array.from({ length: count }, () => dial(app, from)))

/** As counted by the operating system. */
const openConnections = (app: FastifyInstance) =>
  new Promise<number>((resolve, reject) =>
    app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

/** Never disconnects by itself: whatever the server does not close stays open. */
function drip(client: Client, everyMs: number): void {
  client.socket.allowHalfOpen = true
  const timer = setInterval(() => client.socket.write('a'), everyMs)
  onTestFinished(() => clearInterval(timer))
}

async function ask(app: FastifyInstance, path: string, from?: string): Promise<string> {
  const client = await dial(app, from).catch(() => undefined)
  client?.socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  if (client && !client.isClosed) await once(client.socket, 'close')
  return client?.received ?? ''
}

describe('the server closes a connection', () => {
  it('that sends its request headers byte by byte without end', async () => {
    const app = await open({})
    const clients = await dialMany(app, MANY)
    for (const client of clients) {
      client.socket.write('GET /quick HTTP/1.1\r\nHost: a\r\nX: ')
      drip(client, 20)
    }
    await expect.poll(() => openConnections(app), PATIENCE).toBe(0)
    await expect.poll(() => clients.every(client => client.isClosed), PATIENCE).toBe(true)
  })

  it('that sends nothing', async () => {
    const app = await open({})
    await dialMany(app, MANY)
    await expect.poll(() => openConnections(app), PATIENCE).toBe(0)
  })

  it('that got an error and stays open without reading', async () => {
    const app = await open({})
    for (const client of await dialMany(app, MANY)) {
      client.socket.allowHalfOpen = true
      client.socket.pause()
      client.socket.write('no HTTP at all\r\n\r\n')
    }
    await expect.poll(() => openConnections(app), PATIENCE).toBe(0)
  })

  it('whose body exceeds its time limit', async () => {
    const app = await open({ bodyMs: 200, headersMs: 10_000 })
    for (const client of await dialMany(app, MANY)) {
      client.socket.write('POST /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n')
      drip(client, 20)
    }
    await expect.poll(() => openConnections(app), PATIENCE).toBe(0)
  })

  it('that does not read its response', async () => {
    const app = await open({ answerMs: 300 })
    const [client] = await dialMany(app, 1)
    client?.socket.pause()
    client?.socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => openConnections(app), PATIENCE).toBe(1)
    await expect.poll(() => openConnections(app), PATIENCE).toBe(0)
  })

  it('without traffic while its request runs', async () => {
    const app = await open({ stalledMs: 200 })
    const [client] = await dialMany(app, 1)
    const before = Date.now()
    client?.socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => client?.isClosed, PATIENCE).toBe(true)
    expect(Date.now() - before).toBeLessThan(2_500)
    expect(client?.received).toBe('')
  })

  it('that is idle after its response', async () => {
    const app = await open({ idleMs: 100, headersMs: 10_000, connectionsPerAddress: MANY })
    const clients = await dialMany(app, MANY)
    for (const { socket } of clients) socket.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => openConnections(app), PATIENCE).toBe(0)
    await expect.poll(() => clients.every(client => client.isClosed), PATIENCE).toBe(true)
    for (const { received } of clients) expect(received).toMatch(/^HTTP\/1\.1 200 .*quick$/s)
  })

  it('with a 408 that says why, where possible', async () => {
    const app = await open({})
    const [client] = await dialMany(app, 1)
    client?.socket.write('GET /quick HTTP/1.1\r\nHost: a\r\n')
    await expect.poll(() => client?.isClosed, PATIENCE).toBe(true)
    expect(client?.received).toMatch(/^HTTP\/1\.1 408 .*"error":"bad_request"/s)
  })
})

describe('connections are limited', () => {
  it('per address: excess ones are closed, and the others work', async () => {
    const app = await open({ connectionsPerAddress: 5, headersMs: 20_000 })
    const clients = await dialMany(app, 5 * 10)
    await expect.poll(() => clients.filter(client => client.isClosed).length, PATIENCE).toBe(45)
    await expect.poll(() => openConnections(app), PATIENCE).toBe(5)
    for (const { socket } of clients) socket.destroy()
    await expect.poll(() => openConnections(app), PATIENCE).toBe(0)
    expect(await ask(app, '/quick')).toContain('quick')
  })

  it('for a trusted proxy only in total', async () => {
    const app = await open({ connectionsPerAddress: 2, connections: 20, headersMs: 20_000 }, ['127.0.0.0/8'])
    const clients = await dialMany(app, 20)
    await expect.poll(() => openConnections(app), PATIENCE).toBe(20)
    await dialMany(app, 20 * 9)
    await expect.poll(() => openConnections(app), PATIENCE).toBe(20)
    expect(clients.filter(client => client.isClosed)).toEqual([])
  })

  it.runIf(isLinux)(
    'in total: the address with the most loses its oldest, and new clients get in',
    async () => {
      const app = await open({ connections: 20, headersMs: 20_000 })
      const [honest] = await dialMany(app, 1, '127.0.0.2')
      const hoard = await dialMany(app, 20 * 10, '127.0.0.3')
      await expect.poll(() => openConnections(app), PATIENCE).toBe(20)
      for (const from of ['127.0.0.4', '127.0.0.5']) expect(await ask(app, '/quick', from)).toContain('quick')
      expect(honest?.isClosed).toBe(false)
      expect(hoard.filter(client => !client.isClosed).length).toBeLessThanOrEqual(19)
      expect(hoard[0]?.isClosed).toBe(true)
    },
  )
})

describe('requests on one connection', () => {
  it('may be pipelined up to ten, then the connection is closed', async () => {
    const app = await open({ pipelined: 10 })
    const [client] = await dialMany(app, 1)
    client?.socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10))
    await sleep(300)
    expect(client?.isClosed).toBe(false)
    for (let i = 0; i < 10; i++) client?.socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10))
    await expect.poll(() => client?.isClosed, PATIENCE).toBe(true)
    expect(await ask(app, '/quick')).toContain('quick')
    // Closing waits for pending requests: none of these is left.
    const before = Date.now()
    await app.close()
    expect(Date.now() - before).toBeLessThan(2_000)
  })

  it('one after the other are unlimited', async () => {
    const app = await open({ pipelined: 2 })
    const [client] = await dialMany(app, 1)
    for (let i = 1; i <= 30; i++) {
      client?.socket.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n')
      await expect.poll(() => client?.received.split('HTTP/1.1 200').length, PATIENCE).toBe(i + 1)
    }
  })
})
