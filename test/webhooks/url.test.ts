import { describe, expect, it } from 'vitest'
import { readBody } from '../../src/lib/fields.ts'
import { urlField } from '../../src/webhooks/sender/url.ts'
import { sentences } from '../support/issues.ts'

const PUBLIC = { allowPrivate: false, publicUrl: 'https://lonja.example' }
const DEVELOPMENT = { allowPrivate: true, publicUrl: 'http://localhost:3000' }

const readUrl = (url: string, policy = PUBLIC) => readBody({ url: urlField(policy) }, { url })
const errorOf = (url: string, policy = PUBLIC) => sentences(readUrl(url, policy).issues)[0]

describe('a receiver address', () => {
  it.each([
    ['https://crm.example.com', 'https://crm.example.com/'],
    ['HTTPS://CRM.Example.com:443/hook?x=1', 'https://crm.example.com/hook?x=1'],
    ['https://crm.example.com:8443/a/../b', 'https://crm.example.com:8443/b'],
    ['https://crm.example.com/@agent', 'https://crm.example.com/@agent'],
    ['https://xn--maana-pta.com/hook', 'https://xn--maana-pta.com/hook'],
    ['https://8.8.8.8/hook', 'https://8.8.8.8/hook'],
    ['https://[2606:4700:4700::1111]/hook', 'https://[2606:4700:4700::1111]/hook'],
    ['https://1password.com/', 'https://1password.com/'],
  ])('%s is taken as %s', (text, spelled) => {
    expect(readUrl(text).value.url?.href).toBe(spelled)
  })

  // Every spelling that a URL parser turns into an address of this machine or of the network around it.
  it.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://017700000001/',
    'https://0/',
    'https://%31%32%37.0.0.1/',
    'https://127.0.0.1./',
    'https://127.0.0.1../',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://a.localhost/',
    'https://intranet/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://api.default.svc/',
    'https://router.lan/',
    'https://nas.home.arpa/',
    'https://crm.example.com./',
    'https://10.0.0.8/',
    'https://169.254.169.254/latest/meta-data/',
    'https://192.168.1.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
  ])('%s is refused in words that tell nothing', text => {
    expect(errorOf(text)).toBe('url must be the address of a public server that can be reached')
  })

  it.each([
    ['http://crm.example.com/', /https/],
    ['ftp://crm.example.com/', /https/],
    ['https:crm.example.com', /https/],
    ['https:///crm.example.com', /https/],
    ['//crm.example.com', /https/],
    ['', /https/],
    ['javascript:alert(1)', /https/],
    ['https://user@crm.example.com/', /username/],
    ['https://user:pass@crm.example.com/', /username/],
    ['https://@crm.example.com/', /username/],
    ['https://crm.example.com@127.0.0.1/', /username/],
    ['https://crm.example.com/#a', /fragment/],
    ['https://crm.example.com/#', /fragment/],
    ['https://crm.example.com:80/', /port/],
    ['https://crm.example.com:22/', /port/],
    ['https://crm.example.com:0/', /port/],
    ['https://crm.example.com:99999/', /well-formed/],
    ['https://[::1/', /well-formed/],
    ['https://fe80::1%25eth0/', /well-formed/],
    ['https://１２７.０.０.１/', /plain characters/],
    ['https://127。0。0。1/', /plain characters/],
    ['https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', /plain characters/],
    ['https://mañana.com/', /plain characters/],
    ['https://local\thost/', /plain characters/],
    ['https://crm.example.com/\r\nHost: evil', /plain characters/],
    ['https://crm.example.com\\@127.0.0.1/', /plain characters/],
    [' https://crm.example.com/', /plain characters/],
    [`https://crm.example.com/${'a'.repeat(2_048)}`, /2048/],
    ['https://lonja.example/hook', /this service/],
    ['https://LONJA.example:8443/hook', /this service/],
  ])('%j is refused with a reason', (text, reason) => {
    expect(errorOf(text)).toMatch(reason)
  })

  it.each([
    'http://localhost:4000/hook',
    'http://127.0.0.1:4000/',
    'https://192.168.1.7:8443/',
    'https://crm.example.com/',
  ])('in development %s is taken', text => {
    expect(errorOf(text, DEVELOPMENT)).toBeUndefined()
  })

  it.each([
    ['http://localhost:3000/hook', /this service/],
    ['http://localhost:22/', /port/],
    ['http://user@localhost:4000/', /username/],
    ['ftp://localhost:4000/', /https/],
  ])('in development %s is still refused', (text, reason) => {
    expect(errorOf(text, DEVELOPMENT)).toMatch(reason)
  })
})
