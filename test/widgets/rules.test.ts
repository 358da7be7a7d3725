import { describe, expect, it } from 'vitest'
import { readBody } from '../../src/lib/fields.ts'
import { frameAncestors, isAllowedPage, widgetFields } from '../../src/widgets/rules.ts'
import { sentences } from '../support/issues.ts'

const read = (domains: unknown) => readBody({ domains: widgetFields.domains }, { domains })

describe('domains', () => {
  it.each([
    ['www.example.com', ['www.example.com']],
    ['  WWW.Example.COM.mx  ', ['www.example.com.mx']],
    ['https://www.example.com/contacto?x=1#y', ['www.example.com']],
    ['http://example.com', ['example.com']],
    ['example.com\nwww.example.com, otro.mx', ['example.com', 'www.example.com', 'otro.mx']],
    ['example.com example.com', ['example.com']],
    ['casañandú.mx', [new URL('https://casañandú.mx').host]],
    ['example.com:8443', ['example.com:8443']],
    ['localhost', ['localhost']],
    ['http://localhost:3000/', ['localhost:3000']],
    ['127.0.0.1', ['127.0.0.1']],
  ])('are parsed from %j', (sent, wanted) => {
    const { value, issues } = read(sent)
    expect(issues).toEqual([])
    expect(value.domains).toEqual(wanted)
  })

  it.each([
    '*',
    '*.example.com',
    'example',
    'example.com;frame-ancestors',
    "'self'",
    '"x".com',
    'exa_mple.com',
    '-example.com',
    'example-.com',
    'user@example.com',
    'https://user:pass@example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    '[::1]',
    'https://',
    'example..com',
    `${'a'.repeat(64)}.com`,
  ])('are rejected: %j', sent => {
    const { value, issues } = read(sent)
    expect(issues).toHaveLength(1)
    expect(value.domains).toBeUndefined()
  })

  it.each(['', ' \n ', ','])('are required: %j', sent => {
    expect(sentences(read(sent).issues)).toEqual(['domains must not be empty'])
  })

  it('are at most 20', () => {
    const names = Array.from({ length: 21 }, (_, i) => `s${i}.example.com`)
    expect(read(names.slice(1).join('\n')).issues).toEqual([])
    expect(sentences(read(names.join('\n')).issues)).toEqual(['domains must name at most 20 domains'])
  })

  it('must be text', () => expect(sentences(read(['a.com']).issues)).toEqual(['domains must be text']))
})

describe('frame-ancestors', () => {
  it.each([
    [['www.example.com'], 'https://www.example.com'],
    [['a.mx', 'b.mx:8443'], 'https://a.mx https://b.mx:8443'],
    [['localhost'], 'http://localhost:* https://localhost:*'],
    [['127.0.0.1:5000'], 'http://127.0.0.1:5000 https://127.0.0.1:5000'],
    [[], "'none'"],
  ])('for %j is %s', (hosts, wanted) => expect(frameAncestors(hosts)).toBe(wanted))
})

describe('a page', () => {
  it.each([
    ['https://www.example.com/', true],
    ['https://www.example.com/any/page?x', true],
    ['http://www.example.com/', false],
    ['https://example.com/', false],
    ['https://www.example.com.evil.mx/', false],
    ['https://evil-www.example.com/', false],
    ['https://www.example.com:8443/', false],
    ['http://localhost:3999/', true],
    ['http://localhost.evil.mx/', false],
    ['null', false],
    ['', false],
  ])('%s is on the domains: %s', (address, wanted) => {
    expect(isAllowedPage(address, ['www.example.com', 'localhost'])).toBe(wanted)
  })
})
