import { randomBytes, randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { isPublicAddress } from '../lib/public-address.ts'
import { EVENTS, type EventName } from '../outbox/store.ts'

export const MAX_WEBHOOKS = 10
/** From here on the agent is told that a receiver does not take its deliveries. */
export const FAILURES_TO_TELL = 5
const MAX_URL = 2_048

const LAST_STATUSES = ['ok', 'http 4xx', 'http 5xx', 'error: delivery failed'] as const
export type LastStatus = (typeof LAST_STATUSES)[number]

/** Redirects are not followed, so one counts as little as no answer. */
export function statusOf(code: number | null): LastStatus {
  if (code !== null && code >= 200 && code < 300) return 'ok'
  if (code !== null && code >= 400 && code < 500) return 'http 4xx'
  if (code !== null && code >= 500 && code < 600) return 'http 5xx'
  return 'error: delivery failed'
}

/** 256 random bits. Receivers use the whole text as their key, `whsec_` included. */
export const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`

/** The exact bytes every subscription gets. `data` is the stored JSON text, keys in the documented order. */
export const envelope = (event: string, createdAt: Date, data: string) =>
  `{"event":${JSON.stringify(event)},"created_at":"${createdAt.toISOString()}","data":${data}}`

/** What the Test action sends: shaped like a lead, about nobody, stored nowhere. */
export const testLead = () => ({
  id: randomUUID(),
  name: 'Prueba / Test',
  email: 'prueba@example.com',
  phone: '+525500000000',
  message: null,
  kind: 'info',
  id_status: null,
  listing: null,
  source: 'test',
})

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
  // URL() mends, folds and drops characters; what it would change, it does not get to see.
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

export function readEvents(names: readonly string[]): { events: EventName[] } | { error: string } {
  const events = EVENTS.filter(name => names.includes(name))
  const unknown = names.find(name => !EVENTS.includes(name as EventName))
  if (unknown !== undefined || events.length === 0)
    return { error: `events must be some of: ${EVENTS.join(', ')}` }
  return { events }
}
