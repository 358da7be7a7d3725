import { BlockList, isIP, type Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { networkOf } from '../lib/address.ts'
import { Problem } from '../lib/problem.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** What runs when the response is over (`whenOver`), or that it is. */
    over: (() => void)[] | 'over' | undefined
  }
}

/** Time limits of a connection, in milliseconds, and limits on the number of connections. */
export interface ConnectionLimits {
  /** From connecting, or from the previous response, until the request head has arrived. */
  headersMs: number
  /** Until the whole request has arrived. */
  bodyMs: number
  /** For uploads by signed-in users, which take minutes on a slow connection. */
  uploadMs: number
  /** Between two requests. */
  idleMs: number
  /** Without a byte in either direction while a request runs. */
  stalledMs: number
  /** For the client to read a response. */
  answerMs: number
  /** For the client to read the final error before we disconnect. */
  lingerMs: number
  /** How often overdue connections are checked. */
  checkMs: number
  connections: number
  connectionsPerAddress: number
  /** Pipelined requests on one connection before the first is answered. Browsers send one. */
  pipelined: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 10_000,
  bodyMs: 30_000,
  uploadMs: 15 * 60_000,
  idleMs: 5_000,
  stalledMs: 2 * 60_000,
  answerMs: 5 * 60_000,
  lingerMs: 1_000,
  checkMs: 2_000,
  connections: 2_000,
  connectionsPerAddress: 200,
  pipelined: 10,
}

/** Sends a final response and closes. `end` alone would leave closing to the client, which may never do it. */
export function hangUp(socket: Socket, words: string, lingerMs: number): void {
  socket.end(words)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

export function registerConnections(
  app: FastifyInstance,
  limits: ConnectionLimits,
  trustProxy: readonly string[],
): void {
  app.decorateReply('over', undefined)
  boundNumber(app, limits, trustProxy)
  boundPipelining(app, limits.pipelined)
  app.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw
    const timer = setTimeout(() => socket.destroy(), limits.answerMs).unref()
    whenOver(reply, () => clearTimeout(timer))
    done(null, payload)
  })
}

/** The ends of the requests of a connection that are in progress. */
const ends = new WeakMap<Socket, Set<() => void>>()

/**
 * Runs `work` once: when the response has been sent or the client is gone. When a connection with several pending
 * responses is cut, Node emits `close` only for the first.
 */
export function whenOver(reply: FastifyReply, work: () => void): void {
  if (reply.over === 'over') return void work()
  if (reply.over) return void reply.over.push(work)
  const works = [work]
  reply.over = works
  const waiting = endsOn(reply.request.raw.socket)
  const end = () => {
    if (!waiting.delete(end)) return
    reply.over = 'over'
    for (const one of works) one()
  }
  waiting.add(end)
  reply.raw.once('close', end)
}

function endsOn(socket: Socket): Set<() => void> {
  const known = ends.get(socket)
  if (known) return known
  const waiting = new Set<() => void>()
  ends.set(socket, waiting)
  socket.once('close', () => {
    for (const end of waiting) end()
  })
  return waiting
}

/**
 * Over the total limit, the address with the most connections loses its oldest, so one that hoards connections cannot
 * lock out others. A proxy represents many people, so its connections count only toward the total.
 */
function boundNumber(app: FastifyInstance, limits: ConnectionLimits, trustProxy: readonly string[]): void {
  const isProxy = proxyCheck(trustProxy)
  /** Oldest first. */
  const byNetwork = new Map<string, Set<Socket>>()
  let total = 0

  const forget = (network: string, socket: Socket) => {
    const open = byNetwork.get(network)
    if (!open?.delete(socket)) return
    total--
    if (open.size === 0) byNetwork.delete(network)
  }
  const hangUpOnHoarder = (newcomer: Socket) => {
    const hoard = [...byNetwork.values()].reduce(
      (most, open) => (open.size > most.size ? open : most),
      new Set(),
    )
    const [oldest] = hoard.size > 1 ? hoard : [newcomer]
    oldest?.destroy()
  }

  app.server.on('connection', socket => {
    const address = socket.remoteAddress ?? ''
    if (isProxy(address)) {
      if (++total > limits.connections) hangUpOnHoarder(socket)
      socket.once('close', () => total--)
      return
    }
    const network = networkOf(address)
    const open = byNetwork.get(network) ?? new Set()
    if (open.size >= limits.connectionsPerAddress) return void socket.destroy()
    byNetwork.set(network, open.add(socket))
    socket.once('close', () => forget(network, socket))
    if (++total > limits.connections) hangUpOnHoarder(socket)
  })
}

function proxyCheck(addresses: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList()
  for (const item of addresses) {
    const [address = '', prefix] = item.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(prefix), family)
  }
  return address => proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Node keeps reading while requests wait for their responses: one connection could queue any number of them. */
function boundPipelining(app: FastifyInstance, most: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    const inProgress = endsOn(socket).size + Number(reply.over === undefined)
    if (inProgress <= most) return done()
    socket.destroy()
    done(new Problem('bad_request'))
  })
}
