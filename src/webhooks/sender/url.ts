import { isIP } from 'node:net'
import type { Flaw } from '../../lib/issue.ts'
import { isPublicAddress } from '../../lib/public-address.ts'

const MAX_URL = 2_048

export interface UrlPolicy {
  /** Development only: http, loopback and private addresses too. */
  allowPrivate: boolean
  /** Where this service itself is reached: a receiver there would be a loop. */
  publicUrl: string
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|svc|lan|home\.arpa)$/

/** The receiver's address in its one spelling, or why it cannot be used. Pure: names are resolved elsewhere. */
export function readUrl(text: string, policy: UrlPolicy): { url: URL } | { flaw: Flaw } {
  if (text.length > MAX_URL) return { flaw: ['too_long', { max: MAX_URL }] }
  // URL() repairs, folds and drops characters; what it would change, it does not get to see.
  if (/[^\x21-\x7e]|\\/.test(text)) return { flaw: ['url_characters'] }
  const schemes = policy.allowPrivate ? /^https?:\/\/[^/?#]/i : /^https:\/\/[^/?#]/i
  if (!schemes.test(text)) return { flaw: ['url_not_https'] }
  if (!URL.canParse(text)) return { flaw: ['url_malformed'] }
  const url = new URL(text)
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return { flaw: ['url_credentials'] }
  if (text.includes('#')) return { flaw: ['url_fragment'] }
  if (url.port !== '' && Number(url.port) < 1024) return { flaw: ['url_port'] }
  if (isOwn(url, policy)) return { flaw: ['url_ours'] }
  if (!policy.allowPrivate && !mayBePublic(hostOf(url))) return { flaw: ['url_unreachable'] }
  return { url }
}

/** The host as a connection wants it: an IPv6 address without brackets. */
export const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')

function mayBePublic(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host)
  const isName = host.includes('.') && !host.endsWith('.') && /[a-z]/.test(host.slice(host.lastIndexOf('.')))
  return isName && !LOCAL_NAME.test(host)
}

function isOwn(url: URL, { publicUrl, allowPrivate }: UrlPolicy): boolean {
  const own = new URL(publicUrl)
  // In development the receiver usually stands beside us, at another port.
  return allowPrivate ? url.host === own.host : hostOf(url) === hostOf(own)
}
