import { lookup, Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, connect as tlsConnect } from 'node:tls'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import { hostOf } from './url.ts'

const SESSION_MS = 10 * 60_000
const MAX_SESSIONS = 1_000
/** The server determines the size of a session. */
const MAX_SESSION_BYTES = 8 * 2 ** 20

/** Where deliveries may connect to. Tests replace it. */
export interface Network {
  resolve(name: string): Promise<string[]>
  isAllowed(address: string): boolean
  /** Whether what it answers may be shown. */
  isPublic(address: string): boolean
  tls: Trust
}

/** Trusted CAs, loaded once because loading costs more than a whole delivery. */
interface Trust {
  context: SecureContext
  /**
   * TLS sessions by host and port: resuming one proves that it is the server whose certificate was checked minutes ago.
   */
  sessions: BoundedMap<string, { session: Buffer; at: number }>
}

export const trust = (ca?: string): Trust => ({
  context: createSecureContext({ minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) }),
  sessions: new BoundedMap({
    entries: MAX_SESSIONS,
    bytes: MAX_SESSION_BYTES,
    bytesOf: (host, { session }) => host.length * 2 + session.length,
  }),
})

/**
 * Public servers only. Queries DNS directly: the system's lookup uses four threads, which four dead names would block.
 */
export function publicNetwork(): Network {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = (result: PromiseSettledResult<string[]>) =>
    result.status === 'fulfilled' ? result.value : []
  return {
    tls: trust(),
    isAllowed: isPublicAddress,
    isPublic: isPublicAddress,
    async resolve(name) {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      return [...answers(v4), ...answers(v6)]
    },
  }
}

/** For development: any address, and local names such as localhost. */
export const privateNetwork = (): Network => ({
  tls: trust(),
  isAllowed: () => true,
  isPublic: isPublicAddress,
  resolve: async name => (await lookup(name, { all: true })).map(({ address }) => address),
})

class NotAllowed extends Error {
  override name = 'NotAllowed'
}

/** All addresses of a host, if every one is allowed: a single forbidden address rejects the name. */
export async function allowedAddresses(
  host: string,
  network: Network,
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await unlessAborted(network.resolve(host), signal)
  if (addresses.length === 0 || !addresses.every(address => network.isAllowed(address)))
    throw new NotAllowed()
  return addresses
}

/**
 * A new connection to the URL's host. The name is resolved once, here, and only a checked address is connected to; the
 * peer is checked again before it gets a byte. Environment settings (proxies, TLS switches) are ignored.
 */
export async function connectTo(url: URL, network: Network, signal: AbortSignal): Promise<Socket> {
  const host = hostOf(url)
  const addresses = await allowedAddresses(host, network, signal)
  const isSecure = url.protocol === 'https:'
  const socket = netConnect({
    host,
    port: Number(url.port) || (isSecure ? 443 : 80),
    lookup: ((_name, _options, done) =>
      done(
        null,
        addresses.map(address => ({ address, family: isIP(address) })),
      )) as LookupFunction,
    autoSelectFamily: true,
    signal,
  })
  ignoreLateErrors(socket)
  try {
    await once(socket, 'connect', { signal })
    if (!socket.remoteAddress || !network.isAllowed(socket.remoteAddress)) throw new NotAllowed()
    return isSecure ? await secured(socket, url, network.tls, signal) : socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function secured(socket: Socket, url: URL, tls: Trust, signal: AbortSignal): Promise<Socket> {
  const host = hostOf(url)
  const known = tls.sessions.get(url.host)
  const secure = tlsConnect({
    socket,
    host,
    ...(isIP(host) ? {} : { servername: host }),
    ...(known && Date.now() - known.at < SESSION_MS ? { session: known.session } : {}),
    secureContext: tls.context,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
  })
  secure.on('session', session => remember(tls.sessions, url.host, session))
  ignoreLateErrors(secure)
  try {
    await once(secure, 'secureConnect', { signal })
    return secure
  } catch (error) {
    secure.destroy()
    throw error
  }
}

/** Age counts from the certificate check: renewing a session does not extend it. */
function remember(sessions: Trust['sessions'], key: string, session: Buffer): void {
  const known = sessions.get(key)
  const at = known && Date.now() - known.at < SESSION_MS ? known.at : Date.now()
  sessions.set(key, { session, at })
}

/** A socket may emit another error after we discard it; without a listener that would end the process. */
const ignoreLateErrors = (socket: Socket) => void socket.on('error', () => {})

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
