import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { isRunning } from '../../src/db/embedded-owner.ts'
import { StartupError } from '../../src/lib/startup-error.ts'

const isLinux = process.platform === 'linux'
const isRoot = process.getuid?.() === 0

let home: string
let dataDir: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lonja-embedded-'))
  dataDir = join(home, 'data')
})
afterAll(() => rm(home, { recursive: true, force: true }))

/** Stopped at the end of the test, unless the test did. */
async function open(
  role: 'server' | 'command',
  folder = dataDir,
  progress: (line: string) => void = () => {},
) {
  const postgres = await openEmbeddedPostgres({ dataDir: folder, durable: false, role, progress })
  onTestFinished(() => postgres.stop())
  return postgres
}

async function ask<T>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.map(row => row[0])
  } finally {
    await client.end()
  }
}

const postmasterPid = async (folder = dataDir) =>
  Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

async function until(happened: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await happened()) return
    await sleep(20)
  }
  throw new Error('It did not happen within 10 s')
}

/** Another process that opens the database, says so, and closes it when its input ends. */
async function otherProcess(role: 'server' | 'command', folder = dataDir, durable = false) {
  const code = `
    import { openEmbeddedPostgres } from ${JSON.stringify(new URL('../../src/db/embedded.ts', import.meta.url))}
    const postgres = await openEmbeddedPostgres({ dataDir: ${JSON.stringify(folder)}, durable: ${durable}, role: '${role}' })
    console.log('open')
    process.stdin.resume().on('end', () => postgres.stop())`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(createInterface(child.stdout), 'line')
  return child
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.stdin?.end()
  await exit
}

async function killHard(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

async function childrenOf(parent: number): Promise<number[]> {
  const stats = (await readdir('/proc'))
    .filter(name => /^\d+$/.test(name))
    .map(async name => {
      const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
      return { pid: Number(name), parent: Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) }
    })
  return (await Promise.all(stats)).filter(found => found.parent === parent).map(found => found.pid)
}

describe('a data folder', () => {
  it('is created completely, and leftovers of an interrupted first start are removed', async () => {
    await mkdir(join(dataDir, 'postgres.new-4194304999-x', 'cluster'), { recursive: true })
    await open('server')
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log'])
  })

  it('keeps its data from one start to the next, and stop() leaves no process', async () => {
    const first = await open('server')
    await ask(first.url, 'create table kept as select 42 as answer')
    const pid = await postmasterPid()
    await first.stop()
    await first.stop()
    expect(await isRunning(pid)).toBe(false)
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log'])

    const second = await open('server')
    expect(second.joined).toBe(false)
    expect(await ask(second.url, 'select answer from kept')).toEqual([42])
  })

  it('sorts and folds Spanish text the same on every machine', async () => {
    const postgres = await open('server')
    const sql = `select datlocprovider::text || ' ' || datlocale || ' ' || pg_encoding_to_char(encoding) || upper('ñá')
      from pg_database where datname = current_database()`
    expect(await ask(postgres.url, sql)).toEqual(['b C.UTF-8 UTF8ÑÁ'])
  })

  it('rejects connections without the password, which only its owner can read', async () => {
    const postgres = await open('server')
    expect(await ask(postgres.url, 'show listen_addresses')).toEqual(['127.0.0.1'])
    await expect(ask(postgres.url.replace(/:\w{48}@/, ':guess@'), 'select 1')).rejects.toThrow(/password/)
    expect((await stat(join(dataDir, 'postgres/lonja-password'))).mode & 0o777).toBe(0o600)
  })

  it('can be private and have a long name with spaces and accents', async () => {
    const closed = join(home, 'carpeta con ñandú '.repeat(10).trim())
    await mkdir(closed, { mode: 0o700 })
    const postgres = await open('server', join(closed, 'más datos'))
    expect(await ask(postgres.url, 'select 1')).toEqual([1])
  })

  it.runIf(isRoot && isLinux)('runs as an ordinary user even when root starts it', async () => {
    await open('server')
    expect((await stat(`/proc/${await postmasterPid()}`)).uid).not.toBe(0)
  })
})

describe('several processes on one folder', () => {
  it('a command joins the server that is running, and leaves it running', async () => {
    const server = await otherProcess('server')
    const command = await open('command')
    expect(command.joined).toBe(true)
    await command.stop()
    expect(await ask(command.url, 'select 1')).toEqual([1])
    await end(server)
  })

  it('a second server is rejected in one sentence', async () => {
    const server = await otherProcess('server')
    const failure = await open('server').catch(error => error)
    expect(failure).toBeInstanceOf(StartupError)
    expect(failure.message).toMatch(
      new RegExp(`^Another Lonja \\(process ${server.pid}\\) is already serving`),
    )
    await end(server)
  })

  it.each(['server', 'command'] as const)('a %s waits for a command to end', async role => {
    const command = await otherProcess('command')
    const lines: string[] = []
    const waiting = open(role, dataDir, line => lines.push(line))
    await until(() => lines.length > 0)
    expect(lines).toEqual([`Waiting for another Lonja command (process ${command.pid}) to end`])
    await end(command)
    const postgres = await waiting
    expect(postgres.joined).toBe(false)
  })

  it('two first starts at once create one database', async () => {
    const folder = join(home, 'race')
    const command = otherProcess('command', folder).then(end)
    const server = await open('server', folder)
    expect(server.joined).toBe(false)
    await command
    expect((await readdir(folder)).sort()).toEqual(['postgres', 'postgres.log'])
  })
})

describe('after a crash', () => {
  it('PostgreSQL stops when its process is killed', async () => {
    const server = await otherProcess('server')
    const pid = await postmasterPid()
    await killHard(server)
    await until(async () => !(await isRunning(pid)))
  })

  it.runIf(isLinux)('a PostgreSQL that was left running is replaced', async () => {
    const server = await otherProcess('server')
    const orphan = await postmasterPid()
    const others = (await childrenOf(server.pid as number)).filter(pid => pid !== orphan)
    // The watchdog (and tsx's own helper, if any) first, so that nothing stops the orphan.
    for (const pid of others) process.kill(pid, 'SIGKILL')
    await killHard(server)
    expect(await isRunning(orphan)).toBe(true)
    await open('server')
    expect(await isRunning(orphan)).toBe(false)
  })

  it.runIf(isLinux)('committed data survives when everything is killed', async () => {
    const server = await otherProcess('server', dataDir, true)
    const command = await open('command')
    await ask(command.url, 'create table survivors as select 7 as answer')
    const children = await childrenOf(server.pid as number)
    // The server first: it would start a PostgreSQL again that ends.
    await killHard(server)
    for (const pid of children) process.kill(pid, 'SIGKILL')
    const next = await open('server')
    expect(await ask(next.url, 'select answer from survivors')).toEqual([7])
  })

  it('a pid file that names an unrelated process does not prevent the start', async () => {
    const lines = [process.pid, '/x', 1700000000, 5432, '', '127.0.0.1', '1 1', 'ready', '']
    await writeFile(join(dataDir, 'postgres/postmaster.pid'), lines.join('\n'))
    expect((await open('server')).joined).toBe(false)
  })
})

describe('a PostgreSQL that ends by itself', () => {
  const kill = async (folder: string) => process.kill(await postmasterPid(folder), 'SIGKILL')

  it('is restarted at the same address with its data, as often as it ends, and stop() still stops it', async () => {
    const folder = join(home, 'supervised')
    const [lines, lost]: [string[], Error[]] = [[], []]
    const postgres = await openEmbeddedPostgres({
      dataDir: folder,
      role: 'server',
      progress: line => lines.push(line),
      onLost: error => lost.push(error),
    })
    await ask(postgres.url, 'create table kept as select 42 as answer')
    for (let times = 1; times <= 2; times++) {
      await kill(folder)
      await until(() => lines.filter(line => line === 'PostgreSQL is running again').length === times)
      expect(await ask(postgres.url, 'select answer from kept')).toEqual([42])
    }
    const pid = await postmasterPid(folder)
    await postgres.stop()
    expect(await isRunning(pid)).toBe(false)
    expect(lost).toEqual([])
  })

  it('and cannot be restarted, is given up with the reason', async () => {
    const folder = join(home, 'lost')
    const lost: Error[] = []
    const postgres = await openEmbeddedPostgres({
      dataDir: folder,
      durable: false,
      role: 'server',
      onLost: error => lost.push(error),
      giveUpMs: 1_000,
    })
    await rm(join(folder, 'postgres/global/pg_control'))
    await kill(folder)
    await until(() => lost.length > 0)
    expect(lost[0]?.message).toMatch(/^PostgreSQL did not start \(.*pg_control.*the log is "/)
    await postgres.stop()
  })
})

describe('an unusable folder', () => {
  it('is reported in one sentence', async () => {
    await writeFile(join(home, 'file'), '')
    const failure = await open('server', join(home, 'file', 'data')).catch(error => error)
    expect(failure).toBeInstanceOf(StartupError)
    expect(failure.message).toMatch(
      /^".*data" cannot hold the data .*: set LONJA_DATA to a folder you can write to\.$/,
    )
  })

  it('is left alone when its postgres folder is something else', async () => {
    const folder = join(home, 'foreign')
    await mkdir(join(folder, 'postgres'), { recursive: true })
    await writeFile(join(folder, 'postgres/notes.txt'), 'mine')
    await expect(open('server', folder)).rejects.toThrow(/is not a PostgreSQL folder/)
    expect(await readdir(join(folder, 'postgres'))).toEqual(['notes.txt'])
  })
})
