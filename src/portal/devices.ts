import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookie, cookieName, readCookies } from '../http/cookies.ts'

/**
 * A browser that once signed in to an account, so strangers guessing passwords cannot lock its owner out. The cookie
 * does not reveal the account; it can only be checked against a given one. It grants no access: its attempts are merely
 * counted separately.
 */
export interface DeviceDeps {
  /** Signs the cookies; the same in every process. */
  deviceKey(): Promise<Buffer>
  secure: boolean
  now: () => Date
}

const DEVICE = 'device'
const YEAR_SECONDS = 365 * 24 * 3600
const SHAPE = /^(([0-9a-z]{1,12})\.[\w-]{22})\.([\w-]{43})$/

const sign = (key: Buffer, agentId: string, text: string) =>
  createHmac('sha256', key).update(`${agentId} ${text}`).digest()

export async function rememberDevice(deps: DeviceDeps, reply: FastifyReply, agentId: string): Promise<void> {
  const text = `${deps.now().getTime().toString(36)}.${randomBytes(16).toString('base64url')}`
  const mac = sign(await deps.deviceKey(), agentId, text).toString('base64url')
  reply.header(
    'set-cookie',
    cookie(DEVICE, `${text}.${mac}`, { secure: deps.secure, maxAgeSeconds: YEAR_SECONDS }),
  )
}

/** Undefined without the cookie; the value is not verified yet. */
export function deviceOf(
  deps: DeviceDeps,
  request: FastifyRequest,
): ((agentId: string) => Promise<string | undefined>) | undefined {
  const sent = readCookies(request.headers.cookie).get(cookieName(DEVICE, deps.secure))
  const [, text, since = '', mac = ''] = SHAPE.exec(sent ?? '') ?? []
  const age = deps.now().getTime() - Number.parseInt(since, 36)
  if (text === undefined || !(age < YEAR_SECONDS * 1000)) return undefined
  return async agentId => {
    const right = sign(await deps.deviceKey(), agentId, text)
    const given = Buffer.from(mac, 'base64url')
    return given.length === right.length && timingSafeEqual(given, right) ? text : undefined
  }
}
