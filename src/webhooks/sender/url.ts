import { isIP } from 'node:net'
import { isPublicAddress } from '../../lib/public-address.ts'

const MAX_URL = 2_048

export interface UrlPolicy {
  /** Development only: http, loopback and private addresses too. */
  allowPrivate: boolean
  /** Where this service itself is reached: a receiver there would be a loop. */
  publicUrl: string
}

/** One sentence for every address that is not for us, so that the answer tells nothing about it. */
export const NOT_REACHABLE = 'url must be the address of a public server that can be reached'
const LOCAL_NAME = /(^|\.)(localhost|local|internal|svc|lan|home\.arpa)$/

/** The receiver's address in its one spelling, or why it cannot be used. Pure: names are resolved elsewhere. */
export function readUrl(text: string, policy: UrlPolicy): { url: URL } | { error: string } {
  if (text.length > MAX_URL) return { error: `url must be at most ${MAX_URL} characters` }
  // URL() repairs, folds and drops characters; what it would change, it does not get to see.
  if (/[^\x21-\x7e]|\\/.test(text))
    return { error: 'url must hold only plain characters, percent-encoded where needed' }
  const schemes = policy.allowPrivate ? /^https?:\/\/[^/?#]/i : /^https:\/\/[^/?#]/i
  if (!schemes.test(text)) return { error: 'url must start with https://' }
  if (!URL.canParse(text)) return { error: 'url must be a well-formed address' }
  const url = new URL(text)
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return { error: 'url must not hold a user name or password' }
  if (text.includes('#')) return { error: 'url must not have a fragment (#)' }
  if (url.port !== '' && Number(url.port) < 1024) return { error: 'url must use port 443, or 1024 and above' }
  if (isOwn(url, policy)) return { error: 'url must not be an address of this service' }
  if (!policy.allowPrivate && !mayBePublic(hostOf(url))) return { error: NOT_REACHABLE }
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
