import { execFile } from 'node:child_process'
import { readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Finds the process that runs PostgreSQL in a data folder. We keep no lock file: PostgreSQL's postmaster.pid admits
 * only one postmaster, and that postmaster carries its owner on its command line, so the two cannot disagree.
 */
export type Role = 'server' | 'command'

export interface Postmaster {
  pid: number
  port: number
  ready: boolean
  /** Undefined when the process that started it has died. */
  owner: { pid: number; role: Role } | undefined
}

/** A setting for the postmaster's command line. The inode identifies our folder even if a pid is reused. */
export async function ownerSetting(cluster: string, role: Role): Promise<string> {
  return `lonja.owner=${role}:${process.pid}:${(await stat(cluster)).ino}`
}

export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const file = join(cluster, 'postmaster.pid')
  const text = await readFile(file, 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid < 1) {
    await removeIfAbandoned(file)
    return undefined
  }

  const process = await describeProcess(pid)
  const tag = process?.command.match(/lonja\.owner=(server|command):(\d+):(\d+)/)
  const ours = tag && Number(tag[3]) === (await stat(cluster)).ino
  if (!process || !ours) {
    // PostgreSQL removes the file of a dead pid itself, but refuses to start if the pid now belongs to another process.
    if (process && (tag || !/\bpostgres\b/.test(process.command))) await removeIfSame(file, text)
    return undefined
  }
  // An orphaned process gets a new parent, so this check survives reused pids and zombies.
  const alive = process.parent === Number(tag[2])
  return {
    pid,
    port: Number(lines[3]),
    ready: lines[7]?.trim() === 'ready',
    owner: alive ? { pid: process.parent, role: tag[1] as Role } : undefined,
  }
}

export async function isRunning(pid: number): Promise<boolean> {
  return (await describeProcess(pid)) !== undefined
}

/** Left empty by a power failure or a full disk. A starting postmaster fills it right away. */
async function removeIfAbandoned(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found && Date.now() - found.mtimeMs > 3000) await unlink(file).catch(() => {})
}

async function removeIfSame(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === text) await unlink(file).catch(() => {})
}

async function describeProcess(pid: number): Promise<{ parent: number; command: string } | undefined> {
  return process.platform === 'linux' ? describeFromProc(pid) : describeFromPs(pid)
}

async function describeFromProc(pid: number) {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    return { parent: Number(parent), command: await readFile(`/proc/${pid}/cmdline`, 'utf8') }
  } catch {
    return undefined
  }
}

function describeFromPs(pid: number): Promise<{ parent: number; command: string } | undefined> {
  return new Promise(resolve => {
    execFile('ps', ['-ww', '-o', 'ppid=,stat=,command=', '-p', String(pid)], (error, stdout) => {
      const found = error ? null : stdout.trim().match(/^(\d+)\s+(\S+)\s+(.*)$/s)
      if (!found || found[2]?.startsWith('Z')) return resolve(undefined)
      resolve({ parent: Number(found[1]), command: found[3] ?? '' })
    })
  })
}
