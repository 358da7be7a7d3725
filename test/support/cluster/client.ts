import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 30_000
const SLOW_MS = 5_000
/** Nothing that is cut, killed or full stays so for longer. */
const GIVE_UP_MS = 120_000

export interface Sent {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string | Buffer | undefined
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/**
 * What clients saw, request by request, repetitions included. `refused`: 503 with Retry-After, as documented for a database that is away.
 * `failed`: any other 5xx, a connection that was cut, no answer within 30 s.
 */
export interface Counts {
  requests: number
  refused: number
  failed: number
}

const isRefusal = ({ status, headers }: Reply) => status === 503 && Number(headers['retry-after']) > 0

/** Clients of the exchange, as the API guide asks them to be: they wait when told to, and send again what got no answer. */
export class Client {
  readonly counts: Counts = { requests: 0, refused: 0, failed: 0 }
  /** Each failed request in words, and each that took long. */
  readonly failures: string[] = []
  readonly slow: string[] = []
  readonly #base: string
  // A connection for each request, so that none of ours is closed between two of them.
  readonly #agent = new Agent({ keepAlive: false })

  constructor(base: string) {
    this.#base = base
  }

  /** Until it is answered. */
  async send(sent: Sent): Promise<Reply & { hasFailed: boolean }> {
    let hasFailed = false
    for (const start = Date.now(); ; ) {
      const reply = await this.#once(sent)
      if (reply && reply.status < 500) return { ...reply, hasFailed }
      if (Date.now() - start > GIVE_UP_MS) throw new Error(`${sent.method} ${sent.path} was never answered`)
      if (reply && isRefusal(reply)) this.counts.refused++
      else hasFailed = true
      await sleep((Number(reply?.headers['retry-after']) || 1) * 1_000)
    }
  }

  /** Undefined if there was no answer; anything that is not a usable answer is counted. */
  async #once(sent: Sent): Promise<Reply | undefined> {
    this.counts.requests++
    const start = Date.now()
    const inWords = (what: string) => {
      const at = new Date(start).toISOString().slice(11, 23)
      return `${at} ${sent.method} ${sent.path} after ${Date.now() - start} ms: ${what}`
    }
    const fail = (reason: string) => {
      this.counts.failed++
      this.failures.push(inWords(reason))
    }
    try {
      const reply = await this.#exchange(sent)
      if (Date.now() - start > SLOW_MS) this.slow.push(inWords(String(reply.status)))
      if (reply.status >= 500 && !isRefusal(reply)) fail(`${reply.status} ${reply.body.slice(0, 200)}`)
      return reply
    } catch (error) {
      fail((error as Error).message)
      return undefined
    }
  }

  #exchange({ method, path, headers = {}, body }: Sent): Promise<Reply> {
    return new Promise((done, fail) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const call = request(this.#base + path, {
        method,
        headers: { ...headers, ...length },
        agent: this.#agent,
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      call.on('error', fail).on('response', response => {
        const chunks: Buffer[] = []
        response
          .on('data', chunk => chunks.push(chunk))
          .on('error', fail)
          .on('end', () =>
            done({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          )
      })
      call.end(body)
    })
  }
}
