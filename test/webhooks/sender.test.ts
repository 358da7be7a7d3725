import { createHmac } from 'node:crypto'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { verify } from '@octokit/webhooks-methods'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newSecret } from '../../src/webhooks/rules.ts'
import { type Network, trust } from '../../src/webhooks/sender/network.ts'
import { type Message, sender } from '../../src/webhooks/sender/sender.ts'
import { type Answer, loopbackNetwork, Receiver, until } from '../support/receiver.ts'

const POLICY = { allowPrivate: false, publicUrl: 'https://lonja.example' }
const SECRET = newSecret()

let receiver: Receiver

beforeEach(async () => {
  receiver = await new Receiver().listen()
})
afterEach(() => receiver.close())

const message = (over: Partial<Message> = {}): Message => ({
  uid: '7b0c1c8e-2f0e-4f43-9d8e-1c2d3e4f5a6b',
  url: receiver.url(),
  event: 'lead.created',
  body: '{"event":"lead.created","created_at":"2026-01-05T10:00:00.000Z","data":{"id":"1","name":"Íñigo ñandú 🏠"}}',
  secret: SECRET,
  ...over,
})
const post = (over: Partial<Message> = {}, network: Network = loopbackNetwork(), deadlineMs = 1_500) =>
  sender({ network, policy: POLICY, deadlineMs })(message(over))

const FAILED = { status: 'error: delivery failed', code: null }

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(code, headers).end()

describe('a delivery', () => {
  it('is a JSON POST with the event, a signature over its exact bytes and an id', async () => {
    const sent = message()
    expect(await post()).toMatchObject({ status: 'ok', code: 200 })
    const [got] = receiver.received
    expect(got).toMatchObject({ method: 'POST', path: '/hook' })
    expect(got?.body.toString()).toBe(sent.body)
    expect(got?.headers).toMatchObject({
      host: `hook.example:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(sent.body)),
      'user-agent': 'SVC-Webhooks/1',
      'x-svc-event': 'lead.created',
      'x-svc-delivery': sent.uid,
      'x-svc-signature': `sha256=${createHmac('sha256', SECRET).update(sent.body).digest('hex')}`,
      connection: 'close',
    })
    expect(got?.headers).not.toHaveProperty('authorization')
  })

  it('has a signature that an independent library accepts, and not for other bytes', async () => {
    await post()
    const [got] = receiver.received
    const signature = String(got?.headers['x-svc-signature'])
    expect(await verify(SECRET, String(got?.body), signature)).toBe(true)
    expect(await verify(SECRET, `${got?.body} `, signature)).toBe(false)
  })

  it('uses a connection of its own each time', async () => {
    await post()
    await post()
    expect(receiver.connections).toBe(2)
    await until(() => receiver.open === 0)
  })

  it('keeps the path and query as they were given', async () => {
    await post({ url: receiver.url('/a%20b/%C3%B1?token=x%26y') })
    expect(receiver.received[0]?.path).toBe('/a%20b/%C3%B1?token=x%26y')
  })
})

describe('TLS', () => {
  it('is resumed with a server that was checked before, and only under the same name', async () => {
    const network = loopbackNetwork()
    network.tls.sessions.clear()
    const resumed: boolean[] = []
    receiver.answer = (request, response) => {
      resumed.push((request.socket as TLSSocket).isSessionReused())
      response.end()
    }
    for (let i = 0; i < 3; i++) expect(await post({}, network)).toMatchObject({ status: 'ok' })
    expect(await post({ url: receiver.url('/hook', 'a.hook.example') }, network)).toMatchObject({
      status: 'ok',
    })
    expect(resumed).toEqual([false, true, true, false])
    expect(await post({ url: receiver.url('/hook', 'other.example') }, network)).toMatchObject({ code: null })
  })

  it('is checked anew after ten minutes', async () => {
    const network = loopbackNetwork()
    await post({}, network)
    for (const [, known] of network.tls.sessions.entries()) known.at -= 10 * 60_000
    const { tls } = network
    expect(await post({}, { ...network, tls: { ...trust(), sessions: tls.sessions } })).toMatchObject(FAILED)
  })
})

describe('the last status', () => {
  it.each([
    [200, 'ok'],
    [201, 'ok'],
    [202, 'ok'],
    [204, 'ok'],
    [299, 'ok'],
    [400, 'http 4xx'],
    [401, 'http 4xx'],
    [404, 'http 4xx'],
    [410, 'http 4xx'],
    [429, 'http 4xx'],
    [499, 'http 4xx'],
    [500, 'http 5xx'],
    [503, 'http 5xx'],
    [599, 'http 5xx'],
    [300, 'error: delivery failed'],
    [304, 'error: delivery failed'],
    [600, 'error: delivery failed'],
  ])('of an answer %i is «%s»', async (code, expected) => {
    receiver.answer = status(code)
    expect(await post()).toMatchObject({ status: expected, code })
    expect(receiver.received).toHaveLength(1)
  })

  it.each([301, 302, 303, 307, 308])('of a redirect %i is a failure, and it is not followed', async code => {
    receiver.answer = (request, response) =>
      status(request.url === '/hook' ? code : 200, { location: receiver.url('/elsewhere') })(
        request,
        response,
        receiver.received[0] as never,
      )
    expect(await post()).toMatchObject({ status: 'error: delivery failed', code })
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  })

  it('ignores a few interim answers and takes the final one', async () => {
    receiver.answer = (_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' })
      response.writeHead(204).end()
    }
    expect(await post()).toMatchObject({ status: 'ok', code: 204 })
  })
})

describe('a delivery fails, once and for good,', () => {
  it('when the answer does not come in time', async () => {
    receiver.answer = () => {}
    const outcome = await post({}, loopbackNetwork(), 300)
    expect(outcome).toMatchObject({ ...FAILED, reason: 'deadline' })
    expect(outcome.durationMs).toBeGreaterThanOrEqual(290)
    expect(outcome.durationMs).toBeLessThan(1_200)
    await until(() => receiver.open === 0)
    expect(receiver.connections).toBe(1)
  })

  it('when the answer comes byte by byte and is not whole in time', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    }
    expect(await post({}, loopbackNetwork(), 300)).toMatchObject({ ...FAILED, reason: 'deadline' })
    await until(() => receiver.open === 0)
  })

  it('when the answer is cut short', async () => {
    receiver.answer = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setTimeout(() => response.destroy(), 20)
    }
    expect(await post()).toMatchObject(FAILED)
  })

  it('when the connection closes without an answer', async () => {
    receiver.answer = request => void request.socket.destroy()
    expect(await post()).toMatchObject(FAILED)
    expect(receiver.connections).toBe(1)
  })

  it('when nobody listens', async () => {
    const url = receiver.url()
    await receiver.close()
    expect(await post({ url })).toMatchObject({ ...FAILED, reason: 'ECONNREFUSED' })
    await receiver.listen()
  })

  it('when the certificate is of an unknown authority, whatever the environment says', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await post({}, { ...loopbackNetwork(), tls: trust() })).toMatchObject(FAILED)
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    }
    expect(receiver.received).toEqual([])
  })

  it('when the certificate is for another name', async () => {
    expect(await post({ url: receiver.url('/hook', 'other.example') })).toMatchObject({
      ...FAILED,
      reason: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(receiver.received).toEqual([])
  })

  it('when the name never resolves', async () => {
    const resolve = () => new Promise<string[]>(() => {})
    expect(await post({}, { ...loopbackNetwork(), resolve }, 200)).toMatchObject({
      ...FAILED,
      reason: 'deadline',
    })
  })

  it('when the name has no address', async () => {
    expect(await post({}, { ...loopbackNetwork(), resolve: async () => [] })).toMatchObject(FAILED)
  })

  it.each<[string, (socket: Socket) => void]>([
    ['closes at once', socket => void socket.destroy()],
    ['says nothing', () => {}],
    ['does not speak TLS', socket => void socket.end('HTTP/1.1 200 OK\r\n\r\n')],
  ])('when the server behind the port %s', async (_what, greet) => {
    const sockets: Socket[] = []
    const server = createServer(socket => {
      socket.on('error', () => {})
      sockets.push(socket)
      greet(socket)
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    expect(await post({ url: `https://hook.example:${port}/` }, loopbackNetwork(), 300)).toMatchObject(FAILED)
    for (const socket of sockets) socket.destroy()
    await new Promise(done => server.close(done))
    expect(sockets).toHaveLength(1)
  })

  it.each([
    ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
    ['HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)],
    ['nonsense\r\n\r\n'],
    [`HTTP/1.1 200 OK\r\nX-Big: ${'a'.repeat(100_000)}\r\n\r\n`],
  ])('when the answer is not one of HTTP: %.40j', async raw => {
    receiver.answer = request => void request.socket.end(raw)
    expect(await post()).toMatchObject(FAILED)
  })
})

describe('of a long answer', () => {
  it('64 KB are read, then the connection is closed and the status counts', async () => {
    let sent = 0
    receiver.answer = (_request, response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && sent < 1e9) {
          sent += 16_384
          if (!response.write(Buffer.alloc(16_384))) return void response.once('drain', more)
        }
      }
      more()
    }
    expect(await post({}, loopbackNetwork(), 5_000)).toMatchObject({ status: 'ok', code: 200 })
    await until(() => receiver.open === 0)
    // What the kernel's buffers took is out of our hands, but far from endless.
    expect(sent).toBeLessThan(20_000_000)
  })
})

describe('the address is checked inside the connection', () => {
  it('so a name that moved to a private address after its creation gets no byte', async () => {
    const network: Network = { ...loopbackNetwork(), isAllowed: () => false }
    expect(await post({}, network)).toMatchObject({ ...FAILED, reason: 'address refused' })
    expect(receiver.connections).toBe(0)
  })

  it('and one private answer among public ones spoils the name', async () => {
    const network = { ...loopbackNetwork(), resolve: async () => ['127.0.0.1', '10.0.0.1'] }
    expect(await post({}, network)).toMatchObject({ ...FAILED, reason: 'address refused' })
    expect(receiver.connections).toBe(0)
  })

  it('and the name is asked for exactly once, so that DNS cannot answer the check and the connection differently', async () => {
    const asked: string[] = []
    const network: Network = {
      ...loopbackNetwork(),
      resolve: async name => {
        asked.push(name)
        return asked.length === 1 ? ['127.0.0.1'] : ['10.0.0.1']
      },
    }
    expect(await post({}, network)).toMatchObject({ status: 'ok' })
    expect(asked).toEqual(['hook.example'])
  })

  it('and the peer that was reached is looked at before it gets a byte', async () => {
    let calls = 0
    const network: Network = { ...loopbackNetwork(), isAllowed: () => ++calls === 1 }
    expect(await post({}, network)).toMatchObject({ ...FAILED, reason: 'address refused' })
    expect(receiver.received).toEqual([])
    expect(calls).toBe(2)
  })

  it.each([
    'https://127.0.0.1',
    'https://localhost',
    'http://hook.example',
    'https://lonja.example',
    'https://[::ffff:127.0.0.1]',
  ])('and so is the rule for %s, should it ever have been stored', async origin => {
    expect(await post({ url: `${origin}:${receiver.port}/hook` })).toMatchObject({
      ...FAILED,
      reason: 'address refused',
    })
    expect(receiver.connections).toBe(0)
  })

  it('and no proxy of the environment has a say', async () => {
    const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY']
    for (const name of proxies) process.env[name] = 'http://127.0.0.1:9'
    process.env.NODE_USE_ENV_PROXY = '1'
    try {
      expect(await post()).toMatchObject({ status: 'ok' })
    } finally {
      for (const name of [...proxies, 'NODE_USE_ENV_PROXY']) delete process.env[name]
    }
  })
})
