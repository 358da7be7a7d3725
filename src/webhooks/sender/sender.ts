import { request } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { readBody } from '../../lib/fields.ts'
import { headersOf, type Message } from './message.ts'
import { connectTo, type Network } from './network.ts'
import { type UrlPolicy, urlField } from './url.ts'

export const DEADLINE_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024
/** What the log keeps of an answer. */
export const KEPT_ANSWER_BYTES = 1024

export type { Message } from './message.ts'

export const DELIVERY_STATUSES = ['ok', 'http 4xx', 'http 5xx', 'error: delivery failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

export interface Outcome {
  status: DeliveryStatus
  code: number | null
  durationMs: number
  /** As they were sent; absent if nothing was. */
  headers?: [string, string][] | undefined
  /** How the answer begins, if a public server gave it: nobody may read through us what is behind a private address. */
  answer?: Buffer | undefined
  /** What the receiver asks us to wait. */
  retryAfterMs?: number | undefined
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
    const outcome = (code: number | null, more: Partial<Outcome>): Outcome => ({
      status: statusOf(code),
      code,
      durationMs: Math.round(performance.now() - start),
      ...more,
    })
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new Error('deadline')), deadlineMs)
    let headers: [string, string][] | undefined
    try {
      // Checked at creation too, but the rule or this service's own address may have changed since.
      const { url } = readBody({ url: urlField(policy) }, { url: message.url }).value
      if (!url) return outcome(null, { reason: 'address refused' })
      const socket = await connectTo(url, network, deadline.signal)
      try {
        const body = Buffer.from(message.body)
        headers = headersOf(message, url, body)
        const isShown = network.isPublic(socket.remoteAddress ?? '')
        const { code, answer, retryAfterMs } = await exchange({ socket, url, headers, body }, deadline.signal)
        return outcome(code, { headers, retryAfterMs, answer: isShown ? answer : undefined })
      } finally {
        socket.destroy()
      }
    } catch (error) {
      return outcome(null, { headers, reason: reasonOf(error, deadline.signal) })
    } finally {
      clearTimeout(timer)
    }
  }
}

interface Request {
  socket: Socket
  url: URL
  headers: [string, string][]
  body: Buffer
}

interface Answer {
  code: number
  answer: Buffer
  retryAfterMs: number | undefined
}

/** Sends the request and reads at most 64 KB of the response. Resolves with what a complete response says. */
function exchange({ socket, url, headers, body }: Request, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const post = request({
      createConnection: () => socket,
      method: 'POST',
      path: url.pathname + url.search,
      headers: Object.fromEntries(headers),
      signal,
    })
    post.on('error', reject)
    post.on('upgrade', () => reject(new Error('upgrade')))
    // Interim responses have no body to count; more than a few are a stream, not an answer.
    let interim = 0
    post.on('information', () => void (++interim > 8 && post.destroy(new Error('interim answers'))))
    post.on('response', response => {
      const code = response.statusCode as number
      const retryAfterMs = waitOf(response.headers['retry-after'])
      let size = 0
      let answer = Buffer.alloc(0)
      const end = () => resolve({ code, answer, retryAfterMs })
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (answer.length < KEPT_ANSWER_BYTES)
          answer = Buffer.concat([answer, chunk]).subarray(0, KEPT_ANSWER_BYTES)
        if (size >= MAX_ANSWER_BYTES) end()
      })
      response.on('end', end)
      response.on('error', reject)
      response.on('close', () => reject(new Error('closed')))
    })
    post.end(body)
  })
}

/** Retry-After: seconds, or a date. Undefined if it is neither. */
export function waitOf(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
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
