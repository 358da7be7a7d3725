import multipart from '@fastify/multipart'
import pino from 'pino'
import { expect, it } from 'vitest'
import { slidingWindow } from '../../src/http/rate-limit.ts'
import { buildServer } from '../../src/http/server.ts'

it('a form with files leaves no cookie in the log, at any level', async () => {
  const log: string[] = []
  const logger = pino({ level: 'trace' }, { write: line => void log.push(line) })
  const app = buildServer({ logger, rateLimit: slidingWindow(10), trustProxy: [] })
  await app.register(multipart)
  app.post('/form', async request => {
    for await (const part of request.parts()) if (part.type === 'file') await part.toBuffer()
    return {}
  })
  const answer = await app.inject({
    method: 'POST',
    url: '/form',
    headers: { cookie: 'sid=very-secret', 'content-type': 'multipart/form-data; boundary=b' },
    payload: '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b--\r\n',
  })
  expect(answer.statusCode).toBe(200)
  expect(log.join('')).toContain('Providing options to busboy')
  expect(log.join('')).not.toContain('very-secret')
  await app.close()
})
