import type { WebhookEvent } from './types.ts'

export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature'
}

interface Delivery {
  /** The bytes as they arrived, before any parsing. */
  body: string | Uint8Array
  headers: Headers | Record<string, string | string[] | undefined>
  /** `whsec_…`, or several while you change it. */
  secret: string | readonly string[]
  /** Check the headers of Standard Webhooks, which the portal turns on for each webhook: they also stop replays. */
  standard?: boolean
  /** How old a delivery may be, in seconds; only Standard Webhooks say. Default 300. */
  tolerance?: number
}

const encoder = new TextEncoder()

/** The event of a delivery, if it is genuine; otherwise throws `InvalidSignature`. */
export async function verifyWebhook(delivery: Delivery): Promise<WebhookEvent> {
  const { body, secret, standard = false } = delivery
  const bytes = typeof body === 'string' ? encoder.encode(body) : new Uint8Array(body)
  const secrets = typeof secret === 'string' ? [secret] : secret
  const checks = standard ? standardChecks(delivery, bytes, secrets) : plainChecks(delivery, bytes, secrets)
  for (const { key, signature, signed } of checks) {
    if (signature && (await isGenuine(key, signature, signed)))
      return JSON.parse(new TextDecoder().decode(bytes))
  }
  throw new InvalidSignature('The signature of this delivery does not match its body.')
}

interface Check {
  key: Bytes
  signature: Bytes | undefined
  signed: Bytes
}
type Bytes = Uint8Array<ArrayBuffer>

/** While a secret changes, a second header is signed with the next one. */
function plainChecks({ headers }: Delivery, body: Bytes, secrets: readonly string[]): Check[] {
  const sent = ['x-svc-signature', 'x-svc-signature-next'].map(name => headerOf(headers, name))
  const signatures = sent.map(text => (text?.startsWith('sha256=') ? fromHex(text.slice(7)) : undefined))
  return secrets.flatMap(secret =>
    signatures.map(signature => ({ key: encoder.encode(secret), signature, signed: body })),
  )
}

function standardChecks(
  { headers, tolerance = 300 }: Delivery,
  body: Bytes,
  secrets: readonly string[],
): Check[] {
  const id = headerOf(headers, 'webhook-id') ?? ''
  const timestamp = headerOf(headers, 'webhook-timestamp') ?? ''
  const age = Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN))
  if (!(age <= tolerance)) throw new InvalidSignature('This delivery is too old, or has no time.')
  const start = encoder.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(start.length + body.length)
  signed.set(start)
  signed.set(body, start.length)
  const signatures = (headerOf(headers, 'webhook-signature') ?? '')
    .split(' ')
    .filter(text => text.startsWith('v1,'))
    .map(text => fromBase64(text.slice(3)))
  return secrets.flatMap(secret =>
    signatures.map(signature => ({
      key: fromBase64(secret.replace(/^whsec_/, '')) ?? new Uint8Array(),
      signature,
      signed,
    })),
  )
}

/** In constant time, as `subtle.verify` does it. */
async function isGenuine(key: Bytes, signature: Bytes, signed: Bytes): Promise<boolean> {
  if (key.length === 0) return false
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return crypto.subtle.verify('HMAC', hmac, signature, signed)
}

function headerOf(headers: Delivery['headers'], name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found[0] : found
}

function fromHex(text: string): Bytes | undefined {
  const pairs = /^([0-9a-f]{2})*$/i.test(text) ? (text.match(/../g) ?? []) : undefined
  return pairs && Uint8Array.from(pairs, pair => Number.parseInt(pair, 16))
}

/** In either alphabet, with or without padding. */
function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), one => one.charCodeAt(0))
  } catch {
    return undefined
  }
}
