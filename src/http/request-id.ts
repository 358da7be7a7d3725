import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { KEY_SHAPE } from '../lib/key-shape.ts'

const USABLE = /^[\w.-]{1,128}$/

/** The client's or the proxy's own, if it can be logged as it is; two headers are joined by a comma, so they cannot. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && USABLE.test(sent) && !KEY_SHAPE.test(sent) ? sent : randomUUID()
}
