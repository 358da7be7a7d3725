import { setTimeout as sleep } from 'node:timers/promises'

// PostgreSQL is unavailable, starting, stopping or overloaded, or rolled back a conflicting transaction: SQLSTATE
// classes 08, 53, 57 and 40, and the driver's own messages.
export const isUnavailable = (error: { code?: unknown; message?: unknown }): boolean =>
  /^(08|40|53|57)[0-9A-Z]{3}$/.test(String(error.code)) ||
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/.test(
    String(error.code),
  ) ||
  /^timeout expired$|timeout exceeded when trying to connect|Client was closed|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end|Query read timeout/.test(
    String(error.message),
  )

/** PostgreSQL recovers from the crash of one connection within half a second; callers get an error within three. */
const PATIENCE_MS = 1_500
const PAUSE_MS = 100

/** When reads began to fail, and the last that did: later ones do not wait, or requests would pile up while the database is away. */
const failures = { first: Number.NEGATIVE_INFINITY, last: Number.NEGATIVE_INFINITY }

/** Reads again while the database is away for a moment. Only for what changes nothing and needs no transaction. */
export async function retryRead<T>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const found = await read()
      failures.last = Number.NEGATIVE_INFINITY
      return found
    } catch (error) {
      if (!isUnavailable(error as Error)) throw error
      const now = performance.now()
      if (now - failures.last > PATIENCE_MS) failures.first = now
      failures.last = now
      if (now + PAUSE_MS > failures.first + PATIENCE_MS) throw error
    }
    await sleep(PAUSE_MS)
  }
}
