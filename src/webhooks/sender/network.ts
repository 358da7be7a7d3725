import { lookup, Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, connect as tlsConnect } from 'node:tls'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import { hostOf } from './url.ts'

const SESSION_MS = 10 * 60_000
const MAX_SESSIONS = 1_000
/** How long a session is, the server it came from says. */
const MAX_SESSION_BYTES = 8 * 2 ** 20

/** What a delivery may speak to. Tests put their own in place of the internet. */
export interface Network {
  resolve(name: string): Promise<string[]>
  isAllowed(address: string): boolean
  tls: Trust
}

/** Whom to trust, made once, for making it costs more than a whole delivery. */
interface Trust {
  context: SecureContext
  /** By host and port: a server whose certificate was checked minutes ago proves with it that it is the same one. */
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

/** Public servers only. Asks DNS itself: the system's lookup runs in four threads, which four dead names would fill. */
export function publicNetwork(): Network {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  const answers = (result: PromiseSettledResult<string[]>) =>
    result.status === 'fulfilled' ? result.value : []
  return {
    tls: trust(),
    isAllowed: isPublicAddress,
    async resolve(name) {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      return [...answers(v4), ...answers(v6)]
    },
  }
}

/** For development: any address, and names of the machine such as localhost. */
export const privateNetwork = (): Network => ({
  tls: trust(),
  isAllowed: () => true,
  resolve: async name => (await lookup(name, { all: true })).map(({ address }) => address),
})

class NotAllowed extends Error {
  override name = 'NotAllowed'
}

/** The addresses of a host, all of them fit to be spoken to: one that is not spoils the name. */
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
 * A fresh connection to the host of the URL. The name is resolved here, once, and only what was checked is
 * connected to; the peer is checked again before it gets a byte. Nothing of the environment (proxies, TLS
 * switches) has a say.
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

/** The age is that of the certificate's check: a renewed session does not get older than the first. */
function remember(sessions: Trust['sessions'], key: string, session: Buffer): void {
  const known = sessions.get(key)
  const at = known && Date.now() - known.at < SESSION_MS ? known.at : Date.now()
  sessions.set(key, { session, at })
}

/** A socket may fail once more after we gave it up; without a listener that would end the process. */
const ignoreLateErrors = (socket: Socket) => void socket.on('error', () => {})

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
