import { request } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { readBody } from '../../lib/fields.ts'
import { connectTo, type Network } from './network.ts'
import { signatureOf } from './signature.ts'
import { type UrlPolicy, urlField } from './url.ts'

export const DEADLINE_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024

export interface Message {
  /** X-SVC-Delivery: identifies the delivery on both sides. */
  uid: string
  url: string
  event: string
  body: string
  secret: string
}

export const DELIVERY_STATUSES = ['ok', 'http 4xx', 'http 5xx', 'error: delivery failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export interface Outcome {
  status: DeliveryStatus
  code: number | null
  durationMs: number
  /** For the operator's log only: the receiver's owner must not learn what is behind an address. */
  reason?: string
}

interface SenderOptions {
  network: Network
  policy: UrlPolicy
  deadlineMs?: number
}

export type Send = (message: Message) => Promise<Outcome>

/** One attempt on a new connection: no retry, no redirect, no reuse. Never throws. */
export function sender({ network, policy, deadlineMs = DEADLINE_MS }: SenderOptions): Send {
  return async message => {
    const start = performance.now()
    const outcome = (code: number | null, reason?: string): Outcome => ({
      status: statusOf(code),
      code,
      durationMs: Math.round(performance.now() - start),
      ...(reason === undefined ? {} : { reason }),
    })
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new Error('deadline')), deadlineMs)
    try {
      // Checked at creation too, but the rule or this service's own address may have changed since.
      const { url } = readBody({ url: urlField(policy) }, { url: message.url }).value
      if (!url) return outcome(null, 'address refused')
      const socket = await connectTo(url, network, deadline.signal)
      try {
        return outcome(await exchange(socket, url, message, deadline.signal))
      } finally {
        socket.destroy()
      }
    } catch (error) {
      return outcome(null, reasonOf(error, deadline.signal))
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Sends the request and reads at most 64 KB of the response. Returns the status code of a complete response. */
function exchange(socket: Socket, url: URL, message: Message, signal: AbortSignal): Promise<number> {
  const body = Buffer.from(message.body)
  return new Promise((resolve, reject) => {
    const post = request({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: {
        Host: url.host,
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        'User-Agent': 'SVC-Webhooks/1',
        'X-SVC-Event': message.event,
        'X-SVC-Signature': signatureOf(body, message.secret),
        'X-SVC-Delivery': message.uid,
        Connection: 'close',
      },
      signal,
    })
    post.on('error', reject)
    post.on('upgrade', () => reject(new Error('upgrade')))
    // Interim responses have no body to count; more than a few are a stream, not an answer.
    let interim = 0
    post.on('information', () => void (++interim > 8 && post.destroy(new Error('interim answers'))))
    post.on('response', response => {
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size >= MAX_ANSWER_BYTES) resolve(response.statusCode as number)
      })
      response.on('end', () => resolve(response.statusCode as number))
      response.on('error', reject)
      response.on('close', () => reject(new Error('closed')))
    })
    post.end(body)
  })
}

/** Redirects are not followed, so they count as failures. */
function statusOf(code: number | null): DeliveryStatus {
  if (code !== null && code >= 200 && code < 300) return 'ok'
  if (code !== null && code >= 400 && code < 500) return 'http 4xx'
  if (code !== null && code >= 500 && code < 600) return 'http 5xx'
  return 'error: delivery failed'
}

function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'deadline'
  const { code, name, message } = error as NodeJS.ErrnoException
  return code ?? (name === 'NotAllowed' ? 'address refused' : message)
}
