import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isRunning } from '../../src/db/embedded-owner.ts'
import { countOf } from '../../src/processes.ts'
import { useExchange } from '../support/exchange.ts'
import { descendantsOf, type RunningLonja, useInstallation } from '../support/installation.ts'

const installed = useInstallation()
const exchange = useExchange()

const start = (settings: Record<string, string>, args: string[] = []) =>
  installed.lonja.start(['serve', '--processes', '2', ...args], {
    PUBLIC_URL: 'https://lonja.example',
    PORT: '0',
    RATE_LIMIT: '1000000',
    ...settings,
  })
const external = () => ({ DATABASE_URL: exchange.pool.options.connectionString as string })

interface Line {
  pid: number
  msg: string
  port?: number
  ready?: number
}
const linesOf = (server: RunningLonja): Line[] =>
  server.output
    .split('\n')
    .filter(line => line.startsWith('{') && line.endsWith('}'))
    .map(line => JSON.parse(line))
const listening = (server: RunningLonja) => linesOf(server).filter(({ msg }) => /^listening at/.test(msg))

async function serving(server: RunningLonja): Promise<string> {
  await server.says(/"ready":2,"processes":2/)
  return `http://127.0.0.1:${listening(server)[0]?.port}`
}

/** A connection of its own, as a browser or a proxy would open. */
async function ask(url: string): Promise<number> {
  const signal = AbortSignal.timeout(30_000)
  return (await fetch(url, { headers: { connection: 'close' }, signal }).catch(() => ({ status: 0 }))).status
}

/** Which processes answered that many requests. */
async function answering(server: RunningLonja, base: string, requests: number): Promise<Set<number>> {
  const before = linesOf(server).length
  for (let i = 0; i < requests; i++) expect(await ask(`${base}/api/v1/me`)).toBe(401)
  await expect
    .poll(
      () =>
        linesOf(server)
          .slice(before)
          .filter(line => 'status' in line).length,
    )
    .toBeGreaterThanOrEqual(requests)
  return new Set(
    linesOf(server)
      .slice(before)
      .filter(line => 'status' in line)
      .map(({ pid }) => pid),
  )
}

describe('serve --processes', () => {
  it('takes a number up to 16, or auto, and not for the background work alone', async () => {
    expect(['1', '16', '0', '17', '-1', '2.5', 'many', ''].map(countOf)).toEqual([
      1,
      16,
      ...Array(6).fill(undefined),
    ])
    expect(countOf('auto')).toBeGreaterThanOrEqual(1)
    const refused = await installed.lonja.run(['serve', '--processes', 'many'], external())
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/processes.*1.*16/)
    const worker = await installed.lonja.run(['serve', '--processes', '2', '--role', 'worker'], external())
    expect(worker).toMatchObject({ code: 1, stdout: '' })
    expect(worker.stderr).toMatch(/processes/)
  })

  it('answers from both on one port; one that is killed is replaced, and the other answers until then', async () => {
    const data = join(installed.lonja.folder, 'data of two')
    const server = start({ LONJA_DATA: data })
    const base = await serving(server)
    const both = await answering(server, base, 20)
    expect(both.size).toBe(2)
    expect(both.has(server.pid)).toBe(false)
    // Both read the same index: the second one from the disk.
    expect(server.output).toContain('search is ready, from the saved index')

    const [killed = 0] = [...both]
    process.kill(killed, 'SIGKILL')
    await server.says(/a process ended and is started again/)
    const statuses = new Set<number>()
    while ((server.output.match(/"ready":2,"processes":2/g)?.length ?? 0) < 2) {
      statuses.add(await ask(`${base}/ready`))
      await sleep(20)
    }
    expect([...statuses]).toEqual([200])
    const replaced = await answering(server, base, 20)
    expect(replaced.size).toBe(2)
    expect(replaced.has(killed)).toBe(false)

    const below = await descendantsOf(server.pid)
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
    for (const pid of below) expect(await isRunning(pid)).toBe(false)
    expect((await readFile(join(data, 'search/index'))).length).toBeGreaterThan(0)
  })

  it('does the background work in one of them, and ends with the one that started them', async () => {
    const server = start(external())
    const base = await serving(server)
    const { rows } = await exchange.pool.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and query ilike 'listen%jobs:insert%'`,
    )
    expect(rows).toEqual([{ count: 1 }])
    const below = await descendantsOf(server.pid)
    expect(below.length).toBe(2)
    expect((await server.stop('SIGKILL')).code).toBe(null)
    await expect.poll(async () => (await Promise.all(below.map(isRunning))).some(Boolean)).toBe(false)
    expect(await ask(`${base}/health`)).toBe(0)
  })

  it('stops in order when every process gets the signal, as from a terminal or a service manager', async () => {
    const server = start(external())
    await serving(server)
    for (const pid of await descendantsOf(server.pid)) process.kill(pid, 'SIGINT')
    expect(await server.stop('SIGINT')).toMatchObject({ code: 0, stderr: '' })
    expect(server.output).not.toContain('second')
  })

  it('says once why it cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await expect.poll(() => taken.listening).toBe(true)
    const { port } = taken.address() as { port: number }
    const end = await start({ ...external(), PORT: String(port) }).finished
    taken.close()
    expect(end.code).toBe(1)
    expect(end.stderr).toMatch(/^Port \d+ is in use: [^\n]*\n$/)
  })
})
