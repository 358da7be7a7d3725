import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { hideKeys } from '../lib/key-shape.ts'
import { Problem, type ProblemKind } from '../lib/problem.ts'
import { BODY_LIMIT } from './body.ts'
import { registerClosing } from './closing.ts'
import { compressed } from './compression.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, hangUp, registerConnections } from './connections.ts'
import { registerDeadline } from './deadline.ts'
import { onEnding } from './ending.ts'
import { errorAnswer, logFault, sendError } from './errors.ts'
import { tagged } from './etags.ts'
import { registerParameters } from './forms.ts'
import { addressKey, type RateLimit } from './rate-limit.ts'
import { requestIdOf } from './request-id.ts'
import { buildSerializer } from './serializers.ts'

export interface ServerOptions {
  logger: FastifyBaseLogger
  rateLimit: RateLimit
  trustProxy: string[]
  /** Whether the public URL is https. */
  secure?: boolean
  limits?: Partial<ConnectionLimits>
}

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

/** For one year, without affecting subdomains. */
const HSTS = { 'strict-transport-security': 'max-age=31536000' }

/** Used for responses that bypass Fastify. */
interface Door {
  headers: Record<string, string>
  rateLimit: RateLimit
  limits: ConnectionLimits
}

/** A Fastify that answers everything in JSON with rate headers, including requests that Node's parser rejects. */
export function buildServer({
  logger,
  rateLimit,
  trustProxy,
  secure = false,
  limits: chosen = {},
}: ServerOptions): FastifyInstance {
  const limits = { ...CONNECTION_LIMITS, ...chosen }
  const door = { headers: secure ? { ...SECURITY_HEADERS, ...HSTS } : SECURITY_HEADERS, rateLimit, limits }
  const app = Fastify({
    // At level trace the multipart parser logs its options, including every request header.
    loggerInstance: logger.child(
      {},
      { serializers: { busboyOptions: () => undefined } },
    ) as FastifyBaseLogger,
    logController: new OwnLog({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    // Node's limit for all requests; most have a shorter one (deadline.ts).
    requestTimeout: limits.uploadMs,
    keepAliveTimeout: limits.idleMs,
    connectionTimeout: limits.stalledMs,
    // A request that arrives during shutdown is answered normally (closing.ts).
    return503OnClosing: false,
    // Node would answer a missing Host header itself, without a body, and checks for late requests only every 30 s.
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.checkMs,
      requireHostHeader: false,
    },
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    genReqId: requestIdOf,
    rewriteUrl: request => pathOf(request.url ?? '/'),
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 500,
      querystringParser: text => new URLSearchParams(text) as unknown as Record<string, string>,
    },
    // Bodies and queries are validated by the field definitions of each folder (lib/fields.ts), which report every
    // problem at once; the route schemas only describe and serialize.
    schemaController: { compilersFactory: { buildValidator: (() => acceptAll) as never, buildSerializer } },
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...door.headers, 'x-request-id': request.id })
      reply.headers(rateLimit.takeNow(addressKey(request.ip)).headers)
      sendError(error, request, reply as never)
    },
    clientErrorHandler: (error, socket) => answerOnSocket(error, socket as Socket, door),
  })
  app.setErrorHandler(sendError)
  registerClosing(app)
  registerConnections(app, limits, trustProxy)
  registerParameters(app)
  registerDeadline(app, limits.bodyMs, ({ socket, headers }) =>
    writeAndClose(socket, 408, 'bad_request', door, headers),
  )
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(door.headers).header('x-request-id', request.id)
    const hosts = hostHeaders(request.raw)
    const isWrong = hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')
    done(isWrong ? new Problem('bad_request', { message: 'Send one Host header.' }) : undefined)
  })
  // Sent with every response; only the API counts requests (guard.ts).
  app.addHook('onSend', (request, reply, payload, done) => {
    if (!reply.hasHeader('x-ratelimit-limit')) reply.headers(rateLimit.peek(addressKey(request.ip)).headers)
    done(null, payload)
  })
  // Route hooks run after those of all plugins, which may still change the response, and also for HEAD.
  app.addHook('onRoute', route => {
    route.onSend = [tagged, compressed, ...[route.onSend ?? []].flat()]
  })
  onEnding(app, (request, reply, status) => {
    if (LOGGED_AT.has(logger.level)) logRequest(request, reply, status)
  })
  app.server.on('checkExpectation', (request, response) => answerOnResponse(417, request, response, door))
  app.server.on('connect', (request, socket) =>
    writeAndClose(socket as Socket, 405, 'method_not_allowed', door, request.headers),
  )
  return app
}

/** Fastify's request log would include the query string; ours is below. Answers that broke off are logged all the same. */
class OwnLog extends LogController {
  override streamError(error: Error & { code?: string }, request: FastifyRequest): void {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') logFault(error, 500, request)
  }
}

const LOGGED_AT = new Set(['info', 'debug', 'trace'])

function logRequest(request: FastifyRequest, reply: FastifyReply, status: number): void {
  request.log.info(
    {
      method: request.method,
      path: loggablePath(request.url),
      status,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  )
}

const acceptAll = () => () => true

/** Paths whose next segment is secret: private links, collections, calendars, feeds. */
const SECRET_PATHS =
  /^((?!\/portal\/)(?:.*\/(?:identificacion|identification|baja|unsubscribe|avisos|alerts|calendario|feeds)|(?:\/+en)?\/+c)\/).+$/is

/** Keeps queries, private links and keys in the path out of the log. */
function loggablePath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  const isPlain = !path.includes('%') || SECRET_PATHS.test(path)
  return hideKeys((isPlain ? path : decoded(path)).replace(SECRET_PATHS, '$1[hidden]'))
}

/** Decoded as the router does: letters of the path may be percent-encoded. */
function decoded(path: string): string {
  try {
    const plain = decodeURIComponent(path)
    return SECRET_PATHS.test(plain) ? plain : path
  } catch {
    return path
  }
}

/** The path of an absolute-form target; a leading `//` is kept, and matches no route. */
function pathOf(target: string): string {
  const absolute = /^https?:\/\/[^/?]*(.*)$/i.exec(target)
  const path = absolute ? absolute[1] || '/' : target
  return path.startsWith('/') ? path : `/${path}`
}

const hostHeaders = (request: IncomingMessage) =>
  request.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length

/** Without the request's headers, because they were not understood, it has an id of its own. */
function rawAnswer(
  status: number,
  kind: ProblemKind,
  address: string,
  door: Door,
  headers: IncomingHttpHeaders = {},
) {
  const { body } = errorAnswer(new Problem(kind))
  return {
    body: JSON.stringify(body),
    headers: {
      ...door.headers,
      ...door.rateLimit.takeNow(addressKey(address)).headers,
      'x-request-id': requestIdOf({ headers }),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(JSON.stringify(body))),
      connection: 'close',
      ...(status === 405 ? { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' } : {}),
    },
  }
}

function answerOnResponse(status: number, request: IncomingMessage, response: ServerResponse, door: Door) {
  const address = request.socket.remoteAddress ?? ''
  const { body, headers } = rawAnswer(status, 'bad_request', address, door, request.headers)
  response.writeHead(status, headers).end(body)
}

function writeAndClose(
  socket: Socket,
  status: number,
  kind: ProblemKind,
  door: Door,
  received?: IncomingHttpHeaders,
): void {
  const { body, headers } = rawAnswer(status, kind, socket.remoteAddress ?? '', door, received)
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const words = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n')
  hangUp(socket, words, door.limits.lingerMs)
}

function answerOnSocket(error: Error & { code?: string }, socket: Socket, door: Door): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[error.code ?? ''] ?? 400
  writeAndClose(socket, status, 'bad_request', door)
}
