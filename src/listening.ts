import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Config } from './config.ts'
import { freePort } from './lib/free-port.ts'
import { StartupError } from './lib/startup-error.ts'

/** Port 0 means any: chosen before anything makes a link with it. */
export async function choosePort(config: Config): Promise<Config> {
  if (config.port !== 0) return config
  const port = await freePort(config.host).catch(error => {
    throw cannotListen(error, config, 'PORT')
  })
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) }
}

/** Opens a port beside the public one, and returns what closes it at once. */
export async function listenBeside(
  server: Server,
  address: Pick<Config, 'host' | 'port'>,
  setting: 'STATUS_PORT' | 'METRICS_PORT',
): Promise<() => void> {
  server.listen(address.port, address.host)
  await once(server, 'listening').catch(error => {
    throw cannotListen(error, address, setting)
  })
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

export function cannotListen(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting: 'PORT' | 'STATUS_PORT' | 'METRICS_PORT',
): Error {
  if (error.code === 'EADDRINUSE') {
    return new StartupError(
      `Port ${port} is in use: stop what runs there, or choose another with ${setting}=${port + 1}.`,
    )
  }
  if (error.code === 'EACCES')
    return new StartupError(`Port ${port} cannot be opened by this user: choose one above 1023.`)
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? '')) {
    return new StartupError(`${setting.replace('PORT', 'HOST')} ${host} is not an address of this machine.`)
  }
  return error
}
