import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/lib/free-port.ts'

export interface Server {
  url: string
  /** Resident memory of all its processes in megabytes, current and peak. */
  memory(): Promise<{ now: number; peak: number }>
  /** Processor time of all its processes so far, in milliseconds. */
  processorMs(): Promise<number>
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Without the background work, which would check every listing of a new market first. */
export const WEB = ['--role', 'web']

/** The product as installed, in a separate process. */
export async function startLonja(
  databaseUrl: string,
  settings: Record<string, string> = {},
  options: string[] = [],
): Promise<Server> {
  const port = Number(settings.PORT ?? (await freePort('127.0.0.1')))
  const child = spawn('node', ['bin/lonja', 'serve', ...options], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      PUBLIC_URL: 'https://lonja.example',
      RATE_LIMIT: '1000000000',
      LOG_LEVEL: 'warn',
      // The client keeps its connections (connections.ts).
      KEEP_ALIVE_SECONDS: '600',
      ...settings,
    },
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  return serverOf(child, port)
}

/** Fastify only, sending the bytes of that file. */
export async function startBare(bodyFile: string): Promise<Server> {
  const port = await freePort('127.0.0.1')
  const child = spawn('node', ['--import', 'tsx', 'bench/search/bare.ts', bodyFile, String(port)], {
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  return serverOf(child, port)
}

function serverOf(child: ChildProcess, port: number): Server {
  process.on('exit', () => child.kill())
  child.on('exit', code => {
    if (code) throw new Error(`a server ended with ${code}`)
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async memory() {
      const statuses = await readOf(child, 'status')
      const megabytes = (name: string) => {
        const found = statuses.map(status => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]))
        return Math.round(found.reduce((sum, one) => sum + one) / 1024)
      }
      return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
    },
    async processorMs() {
      // The fields after the name of the program: the twelfth and thirteenth are the time in user and in kernel mode.
      const fields = (await readOf(child, 'stat')).map(stat =>
        stat.slice(stat.lastIndexOf(')') + 2).split(' '),
      )
      return fields.reduce((sum, stat) => sum + (Number(stat[11]) + Number(stat[12])) * TICK_MS, 0)
    },
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/** That file in /proc of the process and of all that it started. */
async function readOf(child: ChildProcess, file: string): Promise<string[]> {
  const pids = [child.pid as number]
  for (const pid of pids) pids.push(...(await childrenOf(pid)))
  return Promise.all(pids.map(pid => readFile(`/proc/${pid}/${file}`, 'utf8')))
}

async function childrenOf(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return listed.split(' ').filter(Boolean).map(Number)
}

/** Resolves to the milliseconds it took. */
export async function untilReady(url: string, path: string): Promise<number> {
  const started = performance.now()
  for (;;) {
    const answer = await fetch(url + path).catch(() => undefined)
    if (answer?.ok) return performance.now() - started
    await sleep(50)
  }
}

/** A process that starts after the first one takes requests only once it has loaded, and keeps a core busy until then. */
export async function untilAllReady(url: string, metricsPort: number, processes: string): Promise<void> {
  await untilReady(url, '/ready')
  // A single process does not count itself.
  if (processes === '1') return
  const isReady = new RegExp(`^lonja_processes\\{state="ready"\\} ${processes}$`, 'm')
  for (;;) {
    const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`).catch(() => undefined)
    if (isReady.test((await metrics?.text()) ?? '')) return
    await sleep(200)
  }
}
