import { LonjaError, LonjaUnreachable } from './errors.ts'

export interface Settings {
  /** The API of the exchange: `https://…/api/v1`. */
  baseUrl: string
  /** An API key of the portal: `svc_…`. */
  key: string
  /** How often a call is repeated; default 5. */
  retries?: number
  /** The longest wait that a `Retry-After` may ask for, in seconds; default 600. Longer ones are errors. */
  maxWait?: number
  /** Milliseconds until an attempt is given up; default 60,000. */
  timeout?: number
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch
}

export interface Call {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal | undefined
}

/** Sends a call, again if that may help, and gives an answer that succeeded. */
export async function send(settings: Settings, call: Call): Promise<Response> {
  const { retries = 5, maxWait = 600 } = settings
  for (let attempt = 0; ; attempt++) {
    const answer = await tryOnce(settings, call)
    if (answer instanceof Response && answer.ok) return answer
    const error = answer instanceof Response ? await errorOf(answer) : answer
    const seconds = pauseAfter(error, answer, call, attempt)
    if (seconds === undefined || attempt >= retries || seconds > maxWait) throw error
    await pause(seconds, call.signal)
  }
}

async function tryOnce(
  { fetch: ask = fetch, timeout = 60_000 }: Settings,
  { url, signal, ...init }: Call,
): Promise<Response | LonjaUnreachable> {
  const limit = AbortSignal.timeout(timeout)
  try {
    return await ask(url, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit })
  } catch (cause) {
    signal?.throwIfAborted()
    return new LonjaUnreachable(`No answer from ${new URL(url).host}.`, { cause })
  }
}

async function errorOf(response: Response): Promise<LonjaError> {
  const text = await response.text().catch(() => '')
  try {
    return new LonjaError(response, JSON.parse(text))
  } catch {
    return new LonjaError(response, {})
  }
}

/** Seconds to wait before the next attempt; undefined if it could do harm, or would give the same answer. */
function pauseAfter(
  error: LonjaError | LonjaUnreachable,
  answer: Response | LonjaUnreachable,
  { method, headers }: Call,
  attempt: number,
): number | undefined {
  const backoff = 0.5 * 2 ** attempt * (0.75 + Math.random() / 2)
  const status = error instanceof LonjaError ? error.status : 0
  // Refused before anything was done.
  if (status === 429 || status === 503) {
    const asked = Number((answer as Response).headers.get('retry-after') ?? Number.NaN)
    return Number.isFinite(asked) ? asked + Math.random() / 4 : backoff
  }
  // The first attempt, whose answer was lost, is still running.
  const isRunning = status === 409 && attempt > 0 && error instanceof LonjaError && !('id' in error.body)
  const isRepeatable = method !== 'PATCH' && (method !== 'POST' || 'idempotency-key' in headers)
  const mayHelp = status === 0 || status >= 500 || isRunning
  return mayHelp && isRepeatable ? backoff : undefined
}

function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
