import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../src/lib/free-port.ts'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'
import { type RunningLonja, useInstallation } from '../support/installation.ts'
import { until } from '../support/standby.ts'

const DEPLOY = resolve(import.meta.dirname, '../../deploy')
const installed = useInstallation()
const exchange = useExchange()
const proxies: ChildProcess[] = []
let home: string
let agent: TestAgent
let ports: number[]
let webs: RunningLonja[]
let haproxy: string
let nginx: string

async function serve(port: number): Promise<RunningLonja> {
  const web = installed.lonja.start(['serve', '--role', 'web'], {
    DATABASE_URL: exchange.pool.options.connectionString as string,
    PUBLIC_URL: 'https://lonja.example',
    TRUST_PROXY: '127.0.0.1',
    RATE_LIMIT: '1000000',
    PORT: String(port),
    // As the examples say; three seconds are more than twice their interval.
    STOP_DELAY_SECONDS: '3',
    KEEP_ALIVE_SECONDS: '65',
  })
  await web.says(/"port":(\d+)/)
  await until(async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status === 200)
  return web
}

function run(program: string, args: string[], env: Record<string, string> = {}): void {
  proxies.push(spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' }))
}

async function startHaproxy(): Promise<string> {
  const bind = `127.0.0.1:${await freePort('127.0.0.1')}`
  const [web1 = 0, web2 = 0] = ports
  const env = { LONJA_BIND: bind, LONJA_WEB1: `127.0.0.1:${web1}`, LONJA_WEB2: `127.0.0.1:${web2}` }
  run('/usr/sbin/haproxy', ['-db', '-f', join(DEPLOY, 'haproxy.cfg')], env)
  return `http://${bind}`
}

async function startNginx(): Promise<string> {
  const bind = `127.0.0.1:${await freePort('127.0.0.1')}`
  const example = await readFile(join(DEPLOY, 'nginx.conf'), 'utf8')
  const site = example
    .replace('127.0.0.1:8080', bind)
    .replace('127.0.0.1:3001', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${ports[1]}`)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${name};`,
  )
  const conf = join(home, 'nginx.conf')
  await writeFile(
    conf,
    `user root; daemon off; pid nginx.pid; error_log stderr; events {} http { access_log off; ${folders.join(' ')}\n${site} }`,
  )
  run('/usr/sbin/nginx', ['-p', home, '-c', conf])
  return `http://${bind}`
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lonja-proxies-'))
  agent = await exchange.agent()
  ports = [await freePort('127.0.0.1'), await freePort('127.0.0.1')]
  webs = await Promise.all(ports.map(serve))
  haproxy = await startHaproxy()
  nginx = await startNginx()
  for (const base of [haproxy, nginx]) await until(async () => (await fetch(`${base}/health`)).status === 200)
})
afterAll(async () => {
  for (const proxy of proxies) {
    if (proxy.exitCode !== null) continue
    const exit = once(proxy, 'exit')
    proxy.kill()
    await exit
  }
  if (home) await rm(home, { recursive: true, force: true })
})

/** Requests through a proxy, one after the other, until stopped. Returns the outcomes by status. */
async function load(
  base: string,
  signal: AbortSignal,
  { writes }: { writes: boolean },
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {}
  const headers = { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' }
  for (let i = 0; !signal.aborted; i++) {
    const isWrite = writes && i % 5 === 0
    const answer = await fetch(`${base}/api/v1/properties${isWrite ? '' : '?limit=1'}`, {
      headers,
      ...(isWrite && { method: 'POST', body: JSON.stringify(HOUSE) }),
    }).catch((error: Error) => ({ status: `${error.message} ${error.cause}`, text: async () => '' }))
    const text = await answer.text()
    const outcome = Number(answer.status) < 300 ? answer.status : `${answer.status} ${text.slice(0, 200)}`
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    await sleep(10)
  }
  return outcomes
}

describe('behind the HAProxy and the nginx of deploy/', () => {
  it('the request id of a client reaches Lonja, and a request without one gets that of the proxy', async () => {
    for (const [base, ours] of [
      [haproxy, /^[0-9a-f]{8}-[0-9a-f-]{27}$/],
      // Lonja's own have hyphens.
      [nginx, /^[0-9a-f]{32}$/],
    ] as const) {
      const idOf = async (headers: Record<string, string>) =>
        (await fetch(`${base}/health`, { headers })).headers.get('x-request-id')
      expect(await idOf({ 'x-request-id': 'from-the-client' })).toBe('from-the-client')
      expect(await idOf({})).toMatch(ours)
    }
  })

  it('restarting one web after the other loses no request, and behind nginx no read', async () => {
    const end = new AbortController()
    const loads = [
      load(haproxy, end.signal, { writes: true }),
      load(haproxy, end.signal, { writes: true }),
      load(nginx, end.signal, { writes: false }),
      load(nginx, end.signal, { writes: false }),
    ]
    for (const [i, port] of ports.entries()) {
      expect(await webs[i]?.stop()).toMatchObject({ code: 0, stderr: '' })
      webs[i] = await serve(port)
      // Until the proxies have noticed that it is back.
      await sleep(2_500)
    }
    end.abort()
    for (const [i, outcomes] of (await Promise.all(loads)).entries()) {
      expect(Object.keys(outcomes).sort()).toEqual(i < 2 ? ['200', '201'] : ['200'])
      expect(outcomes[200]).toBeGreaterThan(50)
    }
  })
})
