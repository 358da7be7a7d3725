import { describe, expect, it } from 'vitest'
import { useExchange } from '../support/exchange.ts'
import { listen, speak } from '../support/socket.ts'

const PATHS = [
  '/',
  '/propiedades',
  '/nothing/here',
  '/sitemap.xml',
  '/portal/sign-in',
  '/portal',
  '/docs',
  '/health',
  '/api/v1/meta',
  '/api/v1/me',
  '/api/v1/%zz',
  '/api/v1/nothing',
]

describe('with an https public URL', () => {
  const exchange = useExchange()

  it.each(PATHS)('%s tells browsers to use https for a year', async url => {
    const { headers } = await exchange.app.inject({ url, headers: { accept: 'text/html' } })
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })

  it('so do errors sent by Node itself', async () => {
    const { status, headers } = await speak(await listen(exchange), 'no HTTP at all\r\n\r\n')
    expect(status).toBe(400)
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })
})

describe('with an http public URL', () => {
  const exchange = useExchange({ publicUrl: 'http://localhost:3000' })

  it.each(PATHS)('%s sends no such header', async url => {
    const { headers } = await exchange.app.inject({ url, headers: { accept: 'text/html' } })
    expect(headers['strict-transport-security']).toBeUndefined()
  })
})
