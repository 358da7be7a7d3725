import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { KEY_SHAPE } from '../lib/key-shape.ts'
import { Problem } from '../lib/problem.ts'
import { whenOver } from './connections.ts'
import { type Allowance, addressKey, type RateLimit } from './rate-limit.ts'

/** The caller: the agent a key belongs to and the key's permissions. */
interface Caller {
  agentId: string
  keyId: string
  scopes: readonly string[]
  /** For long requests: whether the key is still valid. */
  stillWorks(): Promise<boolean>
}

type Authenticate = (bearer: string) => Promise<Omit<Caller, 'stillWorks'> | undefined>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission the key needs; absent on the two paths that need no key. */
    scope?: 'read' | 'write'
  }
  interface FastifyRequest {
    caller: Caller
  }
}

/** A revoked key stops working within a second, even for a request that is already waiting. */
const TRUSTED_MS = 500

const KEY_NAMES = new Set(['api_key', 'apikey', 'api-key', 'key', 'access_token', 'token', 'authorization'])

function hasKeyInUrl(request: FastifyRequest): boolean {
  for (const [name, value] of request.query as URLSearchParams) {
    if (KEY_NAMES.has(name.toLowerCase()) || KEY_SHAPE.test(value) || KEY_SHAPE.test(name)) return true
  }
  return Object.values(request.params as Record<string, string>).some(value => KEY_SHAPE.test(value))
}

/** The bearer token, unless the header is missing, malformed or repeated (Node would silently keep the first). */
function bearerOf(request: FastifyRequest): string | undefined {
  const { rawHeaders, headers } = request.raw
  const sent = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization').length
  if (sent !== 1) return undefined
  return /^Bearer (\S+)\s*$/i.exec(headers.authorization ?? '')?.[1]
}

/** Key in URL 401, key 401, partner 403, rate 429, scope 403: checked in this order, before the body is read. */
export function registerGuard(app: FastifyInstance, authenticate: Authenticate, limit: RateLimit): void {
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request, reply) => {
    const { scope } = request.routeOptions.config
    reply.header('cache-control', 'private, no-store')
    if (request.is404) return count(limit, addressKey(request.ip), reply)
    if (hasKeyInUrl(request)) {
      await count(limit, addressKey(request.ip), reply)
      throw new Problem('unauthorized', {
        message:
          'An API key never belongs in a URL. Send it as "Authorization: Bearer <key>", and revoke this one if it is real.',
      })
    }
    if (scope === undefined) return count(limit, addressKey(request.ip), reply)
    const bearer = bearerOf(request)
    const caller = bearer === undefined ? undefined : await authenticate(bearer)
    if (bearer === undefined || !caller) {
      await count(limit, addressKey(request.ip), reply)
      throw new Problem('unauthorized')
    }
    const allowance = await limit.take(`key:${caller.keyId}`)
    reply.headers(allowance.headers)
    if (caller.scopes.includes('partner')) {
      throw new Problem('forbidden', { message: 'Partner keys are for the RESO interface only.' })
    }
    if (!allowance.allowed) throw tooMany(allowance)
    if (!caller.scopes.includes(scope)) {
      throw new Problem('forbidden', { message: `This key has no ${scope} permission.` })
    }
    request.caller = { ...caller, stillWorks: async () => (await authenticate(bearer)) !== undefined }
  })
}

/** For requests that wait: the signal aborts when the client is gone, and a key revoked meanwhile gets no answer. */
export async function whileConnected<T>(
  { caller }: FastifyRequest,
  reply: FastifyReply,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  // Without a reason, Node.js would create an error and its stack trace for every request.
  whenOver(reply, () => gone.abort('over'))
  const asked = performance.now()
  const answer = await work(gone.signal)
  if (performance.now() - asked > TRUSTED_MS && !(await caller.stillWorks()))
    throw new Problem('unauthorized')
  return answer
}

async function count(limit: RateLimit, who: string, reply: FastifyReply): Promise<void> {
  const allowance = await limit.take(who)
  reply.headers(allowance.headers)
  if (!allowance.allowed) throw tooMany(allowance)
}

const tooMany = ({ retryAfter }: Allowance) => new Problem('rate_limited', { retryAfter })
