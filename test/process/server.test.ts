import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { isRunning } from '../../src/db/embedded-owner.ts'
import { DEMO_KEYS } from '../../src/demo/access.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { useExchange } from '../support/exchange.ts'
import { descendantsOf, type RunningLonja, useInstallation } from '../support/installation.ts'

// Separate processes create databases and write 2,000 listings.
vi.setConfig({ testTimeout: 60_000 })

const installed = useInstallation()
const exchange = useExchange()

const hasCurl = spawnSync('curl', ['--version']).status === 0
const isLinux = process.platform === 'linux'

const demoData = () => join(installed.lonja.folder, 'data of the demo')
const startDemo = () => installed.lonja.start(['demo'], { LONJA_DATA: demoData(), PORT: '0' })
const startServing = (settings: Record<string, string> = {}) =>
  installed.lonja.start(['serve'], {
    PUBLIC_URL: 'https://lonja.example',
    DATABASE_URL: exchange.pool.options.connectionString as string,
    PORT: '0',
    ...settings,
  })

async function ready(server: RunningLonja): Promise<string> {
  const [, base] = await server.says(/API +(http:\S+)\/api\/v1.*Ctrl-C/s)
  await searchIsReady(base as string)
  return base as string
}

async function searchIsReady(base: string): Promise<void> {
  while ((await fetch(`${base}/ready`)).status !== 200) await sleep(20)
}

async function call(url: string, key: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(url, { ...init, headers })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** The embedded database of the running server. */
async function openData(): Promise<pg.Client> {
  const folder = join(demoData(), 'postgres')
  const port = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[3]
  const password = await readFile(join(folder, 'lonja-password'), 'utf8')
  const client = new pg.Client(`postgres://lonja:${password}@127.0.0.1:${port}/lonja`)
  client.on('error', () => {})
  await client.connect()
  return client
}

async function plug(base: string, text = ''): Promise<Socket & { received: string }> {
  const socket = Object.assign(connect(Number(new URL(base).port), '127.0.0.1'), { received: '' })
  socket.on('error', () => {})
  socket.on('data', chunk => {
    socket.received += chunk
  })
  await once(socket, 'connect')
  if (text) socket.write(text)
  onTestFinished(() => void socket.destroy())
  return socket
}

/** All of these use one demo folder, in order. */
describe('the demo', () => {
  let base: string
  let server: RunningLonja
  let listingId: string

  it('can be stopped while it loads, and leaves nothing half done', async () => {
    server = startDemo()
    await server.says(/Filling the demo market: 250 of 2000/)
    const end = await server.stop('SIGINT')
    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(end.stdout).not.toContain('Lonja is ready')
  })

  it('shows its progress, then prints links and keys that work', async () => {
    server = startDemo()
    base = await ready(server)
    expect(server.output).toContain('Filling the demo market: 2000 of 2000 listings')
    expect(new URL(base).port).not.toBe('0')
    const [, reference = ''] = /Reference +(\S+)/.exec(server.output) ?? []
    expect((await fetch(reference)).status).toBe(200)

    const found = await call(`${base}/api/v1/properties?limit=1`, DEMO_KEYS.readOnly)
    expect(found.body.content[0].url).toContain(base)
    expect(server.output).toContain(DEMO_KEYS.readOnly)
    expect(server.output).toContain(DEMO_KEYS.readWrite)
    const fields = { title: 'Casa de la prueba', property_type: 'house', city: 'León', state: 'Guanajuato' }
    const body = JSON.stringify({ ...fields, sale_price: 1_000_000 })
    const refused = await call(`${base}/api/v1/properties`, DEMO_KEYS.readOnly, { method: 'POST', body })
    expect(refused.status).toBe(403)
    const created = await call(`${base}/api/v1/properties`, DEMO_KEYS.readWrite, { method: 'POST', body })
    expect(created.status).toBe(201)
    listingId = created.body.id
  })

  it.runIf(hasCurl)('prints a curl line that works when pasted', async () => {
    const line = /^ *(curl .*)$/m.exec(server.output)?.[1] as string
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line])
    expect(JSON.parse(stdout).content).toHaveLength(2)
  })

  it('rejects a second process on the same data, in one sentence', async () => {
    const second = await startDemo().finished
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(/^Another Lonja \(process \d+\) is already serving the data in ".*\n$/)
  })

  it('keeps its data and its keys at the second start', async () => {
    expect(await server.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
    server = startDemo()
    base = await ready(server)
    expect(server.output).not.toMatch(/Creating|Applying|Filling/)
    const own = await call(`${base}/api/v1/properties/${listingId}`, DEMO_KEYS.readWrite)
    expect(own).toMatchObject({ status: 200, body: { title: 'Casa de la prueba' } })
    expect((await call(`${base}/api/v1/me`, DEMO_KEYS.readOnly)).status).toBe(200)
  })

  it('recovers automatically after kill -9, and "serve" on its data warns about the published keys', async () => {
    expect((await server.stop('SIGKILL')).code).toBe(null)
    server = startServing({ LONJA_DATA: demoData(), DATABASE_URL: '' })
    const warning = await server.says(/"level":40,.*"msg":"ANYONE CAN SIGN IN.*/)
    expect(warning[0]).toMatch(/3 passwords, 1 operator, 2 keys.*Close it with: lonja demo close/)
    await server.says(/listening at https:\/\/lonja\.example\/api\/v1/)
    base = `http://127.0.0.1:${(await server.says(/"port":(\d+)/))[1]}`
    await searchIsReady(base)
    expect((await call(`${base}/api/v1/properties/${listingId}`, DEMO_KEYS.readWrite)).status).toBe(200)
  })

  it('answers running requests when stopped, closes other connections, and leaves no process', async () => {
    const below = isLinux ? await descendantsOf(server.pid) : []
    const path = 'GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n'
    const auth = `Authorization: Bearer ${DEMO_KEYS.readOnly}\r\n`
    const silent = await plug(base)
    const halfHead = await plug(base, path)
    const keptAlive = await plug(base, `${path}${auth}\r\n`)
    await expect.poll(() => keptAlive.received).toMatch(/^HTTP\/1\.1 200/)

    const data = await openData()
    onTestFinished(() => data.end())
    // Until the cached key has to be read again.
    await sleep(200)
    await data.query('begin; lock table api_keys in access exclusive mode')
    const waitingFor = async (count: number) =>
      expect
        .poll(async () => (await data.query('select from pg_locks where not granted')).rowCount, {
          timeout: 10_000,
        })
        .toBe(count)
    // One after the other: keys that are asked for together are read together.
    const slow = await plug(base, `${path}${auth}\r\n`)
    await waitingFor(1)
    const gone = await plug(base, `${path}${auth}\r\n`)
    await waitingFor(2)
    // The third waits for one of the two connections for keys; then a client disconnects.
    const halfBody = await plug(
      base,
      `POST /api/v1/leads HTTP/1.1\r\nHost: localhost\r\n${auth}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    )
    gone.destroy()

    server.child.kill('SIGTERM')
    await Promise.all([once(keptAlive, 'close'), sleep(400)])
    const late = await call(`${base}/api/v1/me`, DEMO_KEYS.readOnly).catch(() => 'refused')
    if (late !== 'refused') expect(late).toMatchObject({ status: 200 })
    expect(slow.received).toBe('')
    await data.query('commit')
    const released = Date.now()
    const end = await server.finished
    expect(Date.now() - released).toBeLessThan(3_000)

    expect(end).toMatchObject({ code: 0, stderr: '' })
    expect(slow.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(slow.received).toMatch(/\r\nconnection: close\r\n/i)
    expect(slow.received).toMatch(/\r\nx-ratelimit-remaining: \d+\r\n/)
    expect(slow.received).toMatch(/\r\n\r\n\{.*\}$/s)
    for (const socket of [silent, halfHead, halfBody]) expect(socket.closed || socket.destroyed).toBe(true)
    if (isLinux) expect(below.length).toBeGreaterThan(1)
    for (const pid of below) expect(await isRunning(pid)).toBe(false)
  })
})

describe('serve', () => {
  it('creates no demo data, and stops with exit code 0', async () => {
    const server = startServing()
    await server.says(/listening at/)
    expect(server.output).not.toContain('ANYBODY')
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
    const { rows } = await exchange.pool.query('select (select count(*) from agents) as agents')
    expect(rows).toEqual([{ agents: 0 }])
  })

  it.each([
    ['once if PUBLIC_URL is https and no proxy is trusted', {}, 1],
    ['not if the proxy is trusted', { TRUST_PROXY: '127.0.0.1' }, 0],
    ['not without a proxy', { PUBLIC_URL: 'http://localhost:3000' }, 0],
  ])('warns %s that visitors will share an address', async (_when, settings, times) => {
    const server = startServing(settings)
    await server.says(/listening at/)
    const { stdout } = await server.stop()
    expect(stdout.match(/"level":40,.*TRUST_PROXY is empty/g) ?? []).toHaveLength(times)
  })

  it.each([
    ['once if others reach it over http', { HOST: '0.0.0.0', PUBLIC_URL: 'http://10.0.0.5:3000' }, 1],
    ['not if only this machine does', { PUBLIC_URL: 'http://localhost:3000' }, 0],
  ])('warns %s that nothing is encrypted', async (_when, settings, times) => {
    const server = startServing(settings)
    await server.says(/listening at/)
    const { stdout } = await server.stop()
    expect(stdout.match(/"level":40,.*cross the network unencrypted/g) ?? []).toHaveLength(times)
  })

  it('does not start with another secret than the processes before it, and says so in one sentence', async () => {
    const end = await startServing({ LONJA_SECRET: 'a secret that no other process has got' }).finished
    expect(end.code).toBe(1)
    expect(end.stderr).toMatch(/^LONJA_SECRET is not the one this database was set up with[^\n]*\n$/)
  })

  it('asked to stop, still answers while /ready says 503 for as long as STOP_DELAY_SECONDS says', async () => {
    const server = startServing({ STOP_DELAY_SECONDS: '3' })
    const base = `http://127.0.0.1:${(await server.says(/"port":(\d+)/))[1]}`
    await searchIsReady(base)
    const stopped = server.stop()
    await expect.poll(async () => (await fetch(`${base}/ready`)).status).toBe(503)
    expect((await fetch(`${base}/health`)).status).toBe(200)
    expect((await fetch(`${base}/`)).status).toBe(200)
    expect(await stopped).toMatchObject({ code: 0, stderr: '' })
    await expect(fetch(`${base}/health`)).rejects.toThrow()
  })

  it('a worker answers /ready at STATUS_PORT: 200, and 503 with the reason while it stops', async () => {
    const port = await freePort('127.0.0.1')
    const status = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    const worker = installed.lonja.start(['serve', '--role', 'worker'], {
      PUBLIC_URL: 'https://lonja.example',
      DATABASE_URL: exchange.pool.options.connectionString as string,
      STATUS_PORT: String(port),
      STOP_DELAY_SECONDS: '3',
    })
    await worker.says(/doing the background work/)
    const checks = { process: 'ok', database: 'ok', jobs: 'ok' }
    expect(await (await status('/ready')).json()).toEqual({ ok: true, checks })
    expect((await status('/other')).status).toBe(404)
    const stopped = worker.stop()
    await expect.poll(async () => (await status('/ready')).status).toBe(503)
    const answer = await status('/ready')
    expect(await answer.json()).toMatchObject({ ok: false, checks: { process: 'stopping' } })
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect((await status('/health')).status).toBe(200)
    expect(await stopped).toMatchObject({ code: 0, stderr: '' })
  })

  it('reports in one sentence that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo
    const end = await startServing({ PORT: String(port) }).finished
    expect(end.code).toBe(1)
    expect(end.stderr).toBe(
      `Port ${port} is in use: stop what runs there, or choose another with PORT=${port + 1}.\n`,
    )
  })

  it('reports every wrong setting at once, one line each', async () => {
    const end = await installed.lonja.run(['serve'], { PORT: 'x', HOST: 'no host', LOG_LEVEL: 'loud' })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    const names = end.stderr
      .trim()
      .split('\n')
      .map(line => line.split(' ')[0])
    expect(names).toEqual(['HOST', 'PORT', 'LOG_LEVEL', 'PUBLIC_URL', 'DATABASE_URL'])
  })

  it.each([
    ['a database that does not respond', { DATABASE_URL: 'postgres://a:secreto@127.0.0.1:1/x' }],
    ['a folder that cannot be created', { DATABASE_URL: '', LONJA_DATA: '/dev/null/data' }],
    ['a host that is not ours', { HOST: '192.0.2.1' }],
    ['an unknown role', { role: 'king' }],
  ])('ends with one sentence at %s', async (_what, { role = 'all', ...settings }: Record<string, string>) => {
    const server = installed.lonja.start(['serve', '--role', role], {
      PUBLIC_URL: 'https://lonja.example',
      DATABASE_URL: exchange.pool.options.connectionString as string,
      PORT: '0',
      LOG_LEVEL: 'silent',
      ...settings,
    })
    const end = await server.finished
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toMatch(/^[^\n]+\n$/)
    expect(end.stderr).not.toMatch(/secreto|at file:|Error/)
  })

  it('is what the demo recommends when the database has other data', async () => {
    await exchange.agent()
    const DATABASE_URL = exchange.pool.options.connectionString as string
    const end = await installed.lonja.run(['demo'], { DATABASE_URL, PORT: '0' })
    expect(end).toMatchObject({ code: 1, stdout: '' })
    expect(end.stderr).toMatch(/^This database holds other data than the demo: .*"bin\/lonja serve"\.\n$/)
  })
})
