import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowUpload } from '../../src/http/deadline.ts'
import { slidingWindow } from '../../src/http/rate-limit.ts'
import { buildServer } from '../../src/http/server.ts'

const BODY_MS = 250
let app: FastifyInstance
let port: number

beforeAll(async () => {
  app = buildServer({
    logger: pino({ level: 'silent' }),
    rateLimit: slidingWindow(1000),
    trustProxy: [],
    limits: { bodyMs: BODY_MS },
  })
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  const echo = async (request: { body: unknown }) => ({ got: request.body })
  app.post('/short', echo)
  app.post('/long', { onRequest: async request => allowUpload(request) }, echo)
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send({}) }, echo)
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

/** Sends all but the last byte of a body, waits, and sends that. */
async function sendSlowly(path: string, waitMs: number) {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  const closed = new Promise<void>(done => socket.once('close', () => done()))
  socket.on('data', chunk => (answer += chunk))
  socket.on('error', () => {})
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nab`)
  await Promise.race([closed, sleep(waitMs)])
  const isOpen = !socket.closed
  if (isOpen) socket.write('c')
  await Promise.race([closed, sleep(200)])
  socket.destroy()
  return { answer, isOpen }
}

describe('a body', () => {
  it('that arrives in time is read', async () => {
    const { answer } = await sendSlowly('/short', BODY_MS / 5)
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\{"got":"abc"\}$/s)
  })

  it('that arrives too late gets 408 with our headers, and the connection closes', async () => {
    const { answer, isOpen } = await sendSlowly('/short', BODY_MS * 4)
    expect(isOpen).toBe(false)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toMatch(/\r\nx-request-id: /)
    expect(answer).toContain('"error":"bad_request"')
  })

  it('may take longer for uploads', async () => {
    const { answer } = await sendSlowly('/long', BODY_MS * 3)
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\{"got":"abc"\}$/s)
  })

  it('that is no longer needed after the response holds no connection', async () => {
    const { answer, isOpen } = await sendSlowly('/refused', BODY_MS * 4)
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).not.toContain('HTTP/1.1 408')
    expect(isOpen).toBe(false)
  })
})
