import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, open, readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../lib/free-port.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Account, preparePrograms, program } from './embedded-binaries.ts'
import {
  type Cluster,
  chooseAccount,
  ENV,
  ensureCluster,
  folderFor,
  readPassword,
  USER,
} from './embedded-cluster.ts'
import { explain, failed, ROOM_TO_START } from './embedded-failures.ts'
import { findPostmaster, isRunning, ownerSetting, type Postmaster, type Role } from './embedded-owner.ts'
import { type Server, Supervisor } from './embedded-supervisor.ts'

export interface EmbeddedPostgres {
  url: string
  /** True when another Lonja process runs it: `stop()` then leaves it running. */
  joined: boolean
  stop(): Promise<void>
}

interface EmbeddedOptions {
  dataDir: string
  /** False trades durability on power failure for speed: tests only. */
  durable?: boolean
  role: Role
  progress?: (line: string) => void
  /** Given by a process that stays: a PostgreSQL that ends by itself is restarted. Called when that failed for `giveUpMs`. */
  onLost?: (error: Error) => void
  giveUpMs?: number
}

const DATABASE = 'lonja'
const WAIT_FOR_OTHERS_MS = 60_000
const CLIENTS_LEAVE_MS = 300
const FAST_STOP_MS = 30_000
const PASSING_TROUBLE =
  /"postmaster\.pid" (already exists|is empty)|shared memory block .* still in use|Address already in use/

/** Starts PostgreSQL in `${dataDir}/postgres`, or joins the one another Lonja process runs there. */
export async function openEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const folder = join(dataDir, 'postgres')
  const { durable = true, progress = () => {} } = options
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    const account = await chooseAccount(folder)
    const programs = await preparePrograms(dataDir, account)
    const log = join(dataDir, 'postgres.log')
    return await startOrJoin({ dataDir, folder, log, programs, account, durable, progress }, options)
  } catch (error) {
    throw explain(error, dataDir)
  }
}

async function startOrJoin(cluster: Cluster, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + WAIT_FOR_OTHERS_MS
  const reportOnce = onlyOnce(cluster.progress)
  for (;;) {
    const other = await findPostmaster(cluster.folder)
    if (!other) {
      const started = await start(cluster, options)
      if (started) return started
    } else if (!other.owner) {
      reportOnce('Stopping the PostgreSQL left behind by a process that died')
      await stopOrphan(other)
    } else if (other.owner.role === 'command') {
      reportOnce(`Waiting for another Lonja command (process ${other.owner.pid}) to end`)
    } else if (options.role === 'server') {
      throw new StartupError(
        `Another Lonja (process ${other.owner.pid}) is already serving the data in "${cluster.dataDir}": stop it first, or set LONJA_DATA to another folder.`,
      )
    } else {
      const joined = await joinServer(cluster, other)
      if (joined) return joined
    }
    if (Date.now() > deadline) throw new StartupError(tooLong(cluster, other))
    await sleep(25)
  }
}

function onlyOnce(progress: (line: string) => void): (line: string) => void {
  const reported = new Set<string>()
  return line => {
    if (!reported.has(line)) progress(line)
    reported.add(line)
  }
}

function tooLong(cluster: Cluster, other: Postmaster | undefined): string {
  const who = other?.owner ? `process ${other.owner.pid}` : 'another process'
  return `The data in "${cluster.dataDir}" stayed in use by ${who} for a minute: stop it and try again (the log is "${cluster.log}").`
}

/** Undefined while it is starting or stopping: check again. */
async function joinServer(cluster: Cluster, other: Postmaster): Promise<EmbeddedPostgres | undefined> {
  if (!other.ready) return undefined
  try {
    const url = await urlOf(cluster, other.port)
    await ensureDatabase(url)
    return { url, joined: true, stop: async () => {} }
  } catch (error) {
    const now = await findPostmaster(cluster.folder)
    if (now?.pid === other.pid && now.ready) throw error
    return undefined
  }
}

async function stopOrphan(orphan: Postmaster): Promise<void> {
  signal(orphan.pid, 'SIGINT')
  const impatient = Date.now() + FAST_STOP_MS
  while (await isRunning(orphan.pid)) {
    if (Date.now() > impatient) signal(orphan.pid, 'SIGQUIT')
    await sleep(20)
  }
}

/** Undefined when another start won the race or the port was taken in the meantime: check again. */
async function start(
  cluster: Cluster,
  { role, onLost, giveUpMs }: EmbeddedOptions,
): Promise<EmbeddedPostgres | undefined> {
  await ensureCluster(cluster)
  const port = await freePort('127.0.0.1')
  const launch = () => launchServer(cluster, role, port)
  const server = await launch()
  if (!server) return undefined
  const { progress } = cluster
  const supervisor =
    onLost && new Supervisor(server, { launch, progress, onLost, ...(giveUpMs && { giveUpMs }) })
  const stop = () => (supervisor ?? server).stop()
  try {
    const url = await urlOf(cluster, port)
    await ensureDatabase(url)
    return { url, joined: false, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function launchServer(cluster: Cluster, role: Role, port: number): Promise<Server | undefined> {
  const log = await openLog(cluster)
  const child = spawn(program(cluster.programs, 'postgres'), await serverArguments(cluster, role, port), {
    // The folder is entered before dropping root, so a folder that only root can enter works too.
    cwd: cluster.folder,
    env: ENV,
    // A separate session: we handle Ctrl-C, PostgreSQL must not receive it.
    detached: true,
    stdio: ['ignore', log.file.fd, log.file.fd],
    ...cluster.account,
  })
  const exited = new Promise<Error | undefined>(done => {
    child.once('exit', () => done(undefined)).once('error', done)
  })
  const watchdog = stopWhenWeDie(child, cluster.account)
  void exited.then(() => watchdog?.kill('SIGKILL'))
  await log.file.close()
  if (!(await becomesReady(cluster.folder, child, exited))) {
    const failure = await exited
    if (failure) throw failure
    return await retryOrFail(cluster, log.end)
  }
  child.unref()
  let stopping: Promise<void> | undefined
  const stop = () => {
    stopping ??= stopChild(child, exited)
    return stopping
  }
  return { exited, stop }
}

async function openLog(cluster: Cluster) {
  const file = await open(cluster.log, 'a', 0o600)
  if (cluster.account) await file.chown(cluster.account.uid, cluster.account.gid)
  return { file, end: (await file.stat()).size }
}

async function serverArguments(cluster: Cluster, role: Role, port: number): Promise<string[]> {
  const settings = [
    await ownerSetting(cluster.folder, role),
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=250',
    'timezone=UTC',
    // The application reports failed statements; logging them here would only grow the log.
    'log_min_messages=log',
    'log_checkpoints=off',
    ...(cluster.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
  return ['-D', folderFor(cluster, cluster.folder), ...settings.flatMap(setting => ['-c', setting])]
}

async function becomesReady(folder: string, child: ChildProcess, exited: Promise<unknown>): Promise<boolean> {
  for (;;) {
    const lines = (await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
    if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return true
    if (await Promise.race([exited.then(() => true), sleep(10, false)])) return false
  }
}

/** A shell that waits on a pipe from us and stops PostgreSQL when it closes, which happens even on kill -9. */
function stopWhenWeDie(child: ChildProcess, account: Account | undefined): ChildProcess | undefined {
  if (!child.pid) return undefined
  const watchdog = spawn('/bin/sh', ['-c', 'read _; kill -INT "$1"', 'lonja-watchdog', String(child.pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...account,
  })
  watchdog.on('error', () => {})
  watchdog.unref()
  ;(watchdog.stdin as Socket | null)?.unref()
  return watchdog
}

async function stopChild(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  child.ref()
  // First refuse new clients only: a pool that was just ended may still be closing, and would see errors.
  child.kill('SIGTERM')
  const fast = setTimeout(() => child.kill('SIGINT'), CLIENTS_LEAVE_MS)
  // An immediate shutdown loses no committed data: the next start replays the WAL.
  const immediate = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_MS)
  await exited
  clearTimeout(fast)
  clearTimeout(immediate)
}

async function retryOrFail(cluster: Cluster, logStart: number): Promise<undefined> {
  const said = (await readFile(cluster.log)).subarray(logStart).toString()
  if (PASSING_TROUBLE.test(said)) return undefined
  throw await failed('PostgreSQL did not start', said, cluster, ROOM_TO_START)
}

async function urlOf(cluster: Cluster, port: number): Promise<string> {
  return `postgres://${USER}:${await readPassword(cluster)}@127.0.0.1:${port}/${DATABASE}`
}

async function ensureDatabase(url: string): Promise<void> {
  const maintenance = new URL(url)
  maintenance.pathname = '/postgres'
  const client = new pg.Client({ connectionString: maintenance.href })
  client.on('error', () => {})
  await client.connect()
  try {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`).catch(ifDatabaseExists)
  } finally {
    await client.end()
  }
}

/** A command that joined at the same moment may have created it. */
function ifDatabaseExists(error: pg.DatabaseError): void {
  if (error.code !== '42P04' && error.code !== '23505') throw error
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It already exited.
  }
}
