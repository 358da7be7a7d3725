import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../lib/startup-error.ts'
import { type Account, program } from './embedded-binaries.ts'
import { failed, OWN_DATABASE, ROOM_TO_CREATE } from './embedded-failures.ts'
import { isRunning } from './embedded-owner.ts'

/** The PostgreSQL folder on disk: its owner, its creation, and its path as PostgreSQL sees it. */
export interface Cluster {
  dataDir: string
  folder: string
  log: string
  programs: string
  account: Account | undefined
  durable: boolean
  progress: (line: string) => void
}

export const USER = 'lonja'
const PASSWORD_FILE = 'lonja-password'
const DRAFT_PREFIX = 'postgres.new-'

// Fixed, so that messages are in English and none of the caller's PG* variables reach the server.
export const ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export function readPassword(cluster: Cluster): Promise<string> {
  return readFile(join(cluster.folder, PASSWORD_FILE), 'utf8')
}

/**
 * Under root the path is relative to the working directory, because the account may not have access to the full path.
 */
export function folderFor(cluster: Cluster, folder: string): string {
  return cluster.account ? '/proc/self/cwd' : folder
}

export async function ensureCluster(cluster: Cluster): Promise<void> {
  const version = await readFile(join(cluster.folder, 'PG_VERSION'), 'utf8').catch(ifMissing)
  if (version === undefined) {
    if (await stat(cluster.folder).catch(ifMissing)) {
      throw new StartupError(
        `"${cluster.folder}" is not a PostgreSQL folder: move it away, or set LONJA_DATA to another folder.`,
      )
    }
    return await createCluster(cluster)
  }
  // After a manual restore the folder may belong to root or have open permissions; PostgreSQL rejects both.
  if (cluster.account && (await stat(cluster.folder)).uid === 0) await giveTo(cluster.account, cluster.folder)
  await chmod(cluster.folder, 0o700)
}

/**
 * Created under a temporary name and renamed when complete: an interrupted first start leaves no partial cluster, and
 * concurrent starts cannot collide.
 */
async function createCluster(cluster: Cluster): Promise<void> {
  cluster.progress(`Creating the database in "${cluster.dataDir}"`)
  await removeAbandonedDrafts(cluster.dataDir)
  const draft = await mkdtemp(join(cluster.dataDir, `${DRAFT_PREFIX}${process.pid}-`))
  try {
    const folder = join(draft, 'cluster')
    await mkdir(folder, { mode: 0o700 })
    await writeFile(join(draft, 'password'), randomBytes(24).toString('hex'), { mode: 0o600 })
    if (cluster.account) await giveTo(cluster.account, draft)
    await runInitdb(cluster, folder)
    await rename(join(draft, 'password'), join(folder, PASSWORD_FILE))
    await rename(folder, cluster.folder).catch(ifFilled)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function runInitdb(cluster: Cluster, folder: string): Promise<void> {
  // pg_trgm treats non-ASCII letters as letters only under a UTF-8 ctype, whose name differs between systems.
  for (const ctype of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const args = ['-D', folderFor(cluster, folder), `--username=${USER}`, '--pwfile=../password']
    args.push('--auth=scram-sha-256', '--encoding=UTF8', '--no-instructions')
    args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${ctype}`)
    if (!cluster.durable) args.push('--no-sync')
    const { code, output } = await run(program(cluster.programs, 'initdb'), args, folder, cluster.account)
    if (code === 0) return
    if (!output.includes('invalid locale'))
      throw await failed('The database could not be created', output, cluster, ROOM_TO_CREATE)
  }
}

function run(file: string, args: string[], cwd: string, account: Account | undefined) {
  return new Promise<{ code: number; output: string }>((done, fail) => {
    const child = spawn(file, args, { cwd, env: ENV, stdio: ['ignore', 'pipe', 'pipe'], ...account })
    let output = ''
    const collect = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', fail).once('close', code => done({ code: code ?? 1, output }))
  })
}

async function removeAbandonedDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(DRAFT_PREFIX)) continue
    const maker = Number.parseInt(name.slice(DRAFT_PREFIX.length), 10)
    if (!(await isRunning(maker)))
      await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
  }
}

/** Only root needs one, and it never changes for an existing folder. */
export async function chooseAccount(folder: string): Promise<Account | undefined> {
  const uid = process.getuid?.()
  const found = await stat(folder).catch(ifMissing)
  if (uid !== 0) {
    if (found && found.uid !== uid) {
      throw new StartupError(
        `"${folder}" belongs to user ${found.uid}: start as that user or as root, or set LONJA_DATA to another folder.`,
      )
    }
    return undefined
  }
  if (process.platform !== 'linux') {
    throw new StartupError(`PostgreSQL does not run as root: start as an ordinary user, or ${OWN_DATABASE}.`)
  }
  if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid }
  const users = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map(line => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return { uid: Number(user?.[2] ?? 65534), gid: Number(user?.[3] ?? 65534) }
}

export async function giveTo(account: Account, folder: string): Promise<void> {
  await lchown(folder, account.uid, account.gid)
  for (const name of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, name), account.uid, account.gid)
  }
}

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function ifFilled(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
}
