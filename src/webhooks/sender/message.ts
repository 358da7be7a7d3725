import { createHash, createHmac } from 'node:crypto'
import { signatureOf } from './signature.ts'

export interface Message {
  /** X-SVC-Delivery: identifies the delivery on both sides. */
  uid: string
  url: string
  event: string
  body: string
  secret: string
  /** The one before, while both are valid. */
  oldSecret?: string | undefined
  /** Also the headers of Standard Webhooks. */
  standardHeaders?: boolean
}

/** What is sent before the body, in this order. */
export function headersOf(message: Message, url: URL, body: Buffer, at = new Date()): [string, string][] {
  const { uid, event, secret, oldSecret } = message
  return [
    ['Host', url.host],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.length)],
    ['User-Agent', 'SVC-Webhooks/1'],
    ['X-SVC-Event', event],
    // While two secrets are valid, a receiver that knows only the old one misses nothing.
    ['X-SVC-Signature', signatureOf(body, oldSecret ?? secret)],
    ...(oldSecret === undefined ? [] : [nextSignature(body, secret)]),
    ['X-SVC-Delivery', uid],
    ...(message.standardHeaders ? standardHeaders(message, body, at) : []),
    ['Connection', 'close'],
  ]
}

const nextSignature = (body: Buffer, secret: string): [string, string] => [
  'X-SVC-Signature-Next',
  signatureOf(body, secret),
]

/** https://www.standardwebhooks.com: the same id for every attempt, and a signature for each valid secret. */
function standardHeaders({ secret, oldSecret }: Message, body: Buffer, at: Date): [string, string][] {
  const id = `msg_${createHash('sha256').update(body).digest('hex').slice(0, 32)}`
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const secrets = oldSecret === undefined ? [secret] : [secret, oldSecret]
  const signatures = secrets.map(one => {
    const hmac = createHmac('sha256', keyOf(one)).update(`${id}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  return [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', signatures.join(' ')],
  ]
}

const PREFIX = /^whsec_/

/** Standard Webhooks decodes the text after the prefix; ours is base64 in the alphabet for URLs. */
const keyOf = (secret: string) => Buffer.from(secret.replace(PREFIX, ''), 'base64url')

/** The secret in the alphabet that the libraries of Standard Webhooks read. */
export const standardSecret = (secret: string) => `whsec_${keyOf(secret).toString('base64')}`
