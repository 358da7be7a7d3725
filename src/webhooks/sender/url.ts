import { isIP } from 'node:net'
import type { Field } from '../../lib/fields.ts'
import type { Fail } from '../../lib/issue.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import { MAX_URL } from '../../lib/urls.ts'

export interface UrlPolicy {
  /** Development only: http, loopback and private addresses too. */
  allowPrivate: boolean
  /** The URL of this service: a receiver there would be a loop. */
  publicUrl: string
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|svc|lan|home\.arpa)$/

/** The receiver's URL in canonical form, or why it cannot be used. Pure: names are resolved elsewhere. */
export const urlField = (policy: UrlPolicy): Field<URL> => ({
  schema: { type: 'string', format: 'uri', maxLength: MAX_URL },
  read: (value, fail) => readUrl(String(value), policy, fail),
})

function readUrl(text: string, policy: UrlPolicy, fail: Fail): URL | undefined {
  if (text.length > MAX_URL) return void fail('too_long', { max: MAX_URL })
  // URL() repairs, folds and drops characters: reject such input before parsing.
  if (/[^\x21-\x7e]|\\/.test(text)) return void fail('url_characters')
  const schemes = policy.allowPrivate ? /^https?:\/\/[^/?#]/i : /^https:\/\/[^/?#]/i
  if (!schemes.test(text)) return void fail('url_not_https')
  if (!URL.canParse(text)) return void fail('url_malformed')
  const url = new URL(text)
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return void fail('url_credentials')
  if (text.includes('#')) return void fail('url_fragment')
  if (url.port !== '' && Number(url.port) < 1024) return void fail('url_port')
  if (isOwn(url, policy)) return void fail('url_ours')
  if (!policy.allowPrivate && !mayBePublic(hostOf(url))) return void fail('url_unreachable')
  return url
}

/** The host in the form connections need: an IPv6 address without brackets. */
export const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

function mayBePublic(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host)
  const isName = host.includes('.') && !host.endsWith('.') && /[a-z]/.test(host.slice(host.lastIndexOf('.')))
  return isName && !LOCAL_NAME.test(host)
}

function isOwn(url: URL, { publicUrl, allowPrivate }: UrlPolicy): boolean {
  const own = new URL(publicUrl)
  // In development the receiver usually runs on the same machine, on another port.
  return allowPrivate ? url.host === own.host : hostOf(url) === hostOf(own)
}
