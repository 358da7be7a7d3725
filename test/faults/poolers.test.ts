import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseAccount } from '../../src/db/embedded-cluster.ts'
import { freePort } from '../../src/lib/free-port.ts'
import { HOUSE, type TestAgent, useExchange } from '../support/exchange.ts'
import { type RunningLonja, useInstallation } from '../support/installation.ts'
import { ask, until } from '../support/standby.ts'

const installed = useInstallation()
const exchange = useExchange()
const directUrl = () => exchange.pool.options.connectionString as string
let agent: TestAgent
beforeAll(async () => {
  agent = await exchange.agent()
})

const serve = (settings: Record<string, string>, role = 'all') =>
  installed.lonja.start(['serve', '--role', role], {
    PUBLIC_URL: 'https://lonja.example',
    DATABASE_URL: directUrl(),
    PORT: '0',
    ...settings,
  })

/** Creates a listing, finds it and finishes a job: requests, search and the background work, in one process. */
async function expectWholeExchange(server: RunningLonja) {
  const base = `http://127.0.0.1:${(await server.says(/"port":(\d+)/))[1]}`
  await until(async () => (await fetch(`${base}/ready`)).status === 200)
  const headers = { authorization: `Bearer ${agent.key}`, 'content-type': 'application/json' }
  const post = (path: string, body: unknown, more = {}) =>
    fetch(`${base}/api/v1${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify(body),
    })
  const key = { 'idempotency-key': `once-${Math.random()}` }
  const [first, again] = [await post('/properties', HOUSE, key), await post('/properties', HOUSE, key)]
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const { id } = (await first.json()) as { id: string }
  expect((await post(`/properties/${id}/publish`, {})).status).toBe(200)
  const found = await fetch(`${base}/api/v1/properties?limit=1&sort=newest`, { headers })
  expect(((await found.json()) as { content: { id: string }[] }).content[0]?.id).toBe(id)
  await exchange.pool.query(`select graphile_worker.add_job('cooperations')`)
  await until(async () => (await ask(directUrl(), 'select count(*)::int from graphile_worker.jobs'))[0] === 0)
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
}

/** The statements a procedure of the documentation gives. */
async function documented(heading: string): Promise<string> {
  const text = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8')
  const section = text.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? ''
  return [...section.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql).join('\n')
}

describe('a role without the right to change tables', () => {
  it('runs everything with the rights that docs/operating.md gives it, and cannot change a table', async () => {
    const statements = await documented('A role without the right to change tables')
    await exchange.pool.query(statements)
    const url = Object.assign(new URL(directUrl()), { username: 'lonja_runtime', password: 'a password' })
    try {
      await expect(ask(url.href, 'alter table listings add x int')).rejects.toThrow(/must be owner/)
      await expect(ask(url.href, 'create table x (y int)')).rejects.toThrow(/permission denied/)
      await expectWholeExchange(serve({ DATABASE_URL: url.href }))
    } finally {
      await exchange.pool.query('drop owned by lonja_runtime; drop role lonja_runtime')
    }
  })
})

const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0

describe.runIf(hasPgBouncer)('PgBouncer in transaction mode', () => {
  let folder: string
  let bouncer: ChildProcess
  let pooledUrl: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lonja-pgbouncer-'))
    const { hostname, port, username, password, pathname } = new URL(directUrl())
    const listenPort = await freePort('127.0.0.1')
    const settings = `[databases]
      ${pathname.slice(1)} = host=${hostname} port=${port} user=${username} password=${password}
      [pgbouncer]
      listen_addr = 127.0.0.1
      listen_port = ${listenPort}
      unix_socket_dir =
      auth_type = any
      pool_mode = transaction
      default_pool_size = 3`
    const file = join(folder, 'pgbouncer.ini')
    await writeFile(file, settings.replace(/^ +/gm, ''))
    await chmod(folder, 0o755)
    // Like PostgreSQL, it does not run as root.
    bouncer = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...(await chooseAccount(folder)) })
    const pooled = new URL(directUrl())
    pooled.port = String(listenPort)
    pooledUrl = pooled.href
    await until(() => ask(pooledUrl, 'select 1'))
  })
  afterAll(async () => {
    const exit = once(bouncer, 'exit')
    bouncer.kill('SIGKILL')
    await exit
    await rm(folder, { recursive: true, force: true })
  })

  it.each(['serve', 'migrate'])(
    'without a direct address, "%s" is refused in one sentence',
    async command => {
      const end = await installed.lonja.run([command], {
        PUBLIC_URL: 'https://lonja.example',
        DATABASE_URL: pooledUrl,
        PORT: '0',
      })
      expect(end.code).toBe(1)
      expect(end.stderr).toMatch(/^There is a pooler such as PgBouncer[^\n]*set DATABASE_DIRECT_URL[^\n]*\n$/)
      const locks = `select count(*)::int from pg_locks where locktype = 'advisory'`
      expect(await ask(directUrl(), locks)).toEqual([0])
    },
  )

  it('with one, everything works, with time limits of the role', async () => {
    const { username } = new URL(directUrl())
    const limits = (await documented('A pooler')).replaceAll(
      'role lonja set',
      `role ${username} in database ${new URL(directUrl()).pathname.slice(1)} set`,
    )
    await exchange.pool.query(limits)
    await expectWholeExchange(serve({ DATABASE_URL: pooledUrl, DATABASE_DIRECT_URL: directUrl() }))
  })
})
