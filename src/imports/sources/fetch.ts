import { type IncomingMessage, request } from 'node:http'
import { readBody } from '../../lib/fields.ts'
import { type Flaw, issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import { connectTo, type Network } from '../../webhooks/sender/network.ts'
import { waitOf } from '../../webhooks/sender/sender.ts'
import { type UrlPolicy, urlField } from '../../webhooks/sender/url.ts'

/** The same guard as for webhooks: public servers only, checked when the connection is made. */
export interface Reach {
  network: Network
  policy: UrlPolicy
}

export interface Fetched {
  code: number
  /** Content-Type. */
  type: string | undefined
  retryAfterMs: number | undefined
  bytes: AsyncIterable<Buffer>
  close(): void
}

interface Bounds {
  deadlineMs: number
  maxBytes: number
  headers?: Record<string, string>
}

export const sourceProblem = (...flaw: Flaw) => new Problem('validation', { issues: [issue('', ...flaw)] })

/** One request, no redirects. The answer is streamed, and breaks off at its bounds; `close` it in any case. */
export async function fetchFrom(
  { network, policy }: Reach,
  address: string,
  bounds: Bounds,
): Promise<Fetched> {
  const { url } = readBody({ url: urlField(policy) }, { url: address }).value
  if (!url) throw sourceProblem('source_unreachable')
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), bounds.deadlineMs)
  try {
    const socket = await connectTo(url, network, deadline.signal)
    const close = () => {
      clearTimeout(timer)
      socket.destroy()
    }
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const get = request({
          createConnection: () => socket,
          path: url.pathname + url.search,
          headers: { host: url.host, 'user-agent': 'Lonja-Import/1', connection: 'close', ...bounds.headers },
          signal: deadline.signal,
        })
        get.on('response', resolve)
        get.on('error', reject)
        get.on('upgrade', () => reject(new Error('upgrade')))
        get.end()
      })
      const code = response.statusCode as number
      return {
        code,
        type: response.headers['content-type'],
        retryAfterMs: waitOf(response.headers['retry-after']),
        bytes: limited(response, bounds),
        close,
      }
    } catch (error) {
      close()
      throw error
    }
  } catch {
    clearTimeout(timer)
    throw sourceProblem('source_unreachable')
  }
}

/** What breaks off is not the end: an incomplete feed must not look like one with fewer listings. */
async function* limited(response: IncomingMessage, { maxBytes }: Bounds): AsyncGenerator<Buffer> {
  let size = 0
  try {
    for await (const chunk of response) {
      size += chunk.length
      if (size > maxBytes) throw sourceProblem('source_unreadable')
      yield chunk
    }
  } catch (error) {
    throw error instanceof Problem ? error : sourceProblem('source_unreachable')
  }
}
