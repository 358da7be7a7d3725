import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** A `bin/lonja` that runs until it is stopped. */
export class RunningLonja {
  readonly child: ChildProcessWithoutNullStreams
  readonly finished: Promise<Finished>
  output = ''

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child
    let stderr = ''
    child.stdout.on('data', chunk => {
      this.output += chunk
    })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    this.finished = once(child, 'close').then(([code]) => ({ code, stdout: this.output, stderr }))
  }

  get pid(): number {
    return this.child.pid as number
  }

  /** Waits until it has printed that; if it ends before, fails with its whole output. */
  async says(expected: RegExp): Promise<RegExpExecArray> {
    let end: Finished | undefined
    void this.finished.then(finished => {
      end = finished
    })
    for (;;) {
      const found = expected.exec(this.output)
      if (found) return found
      if (end)
        throw new Error(`ended with ${end.code} before saying ${expected}:\n${end.stdout}${end.stderr}`)
      await sleep(20)
    }
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
    this.child.kill(signal)
    return this.finished
  }
}

/** What `npm ci` installs in a folder, built from the current sources, under a path with a space. */
export class Installation {
  readonly folder: string
  readonly #running = new Set<RunningLonja>()

  private constructor(folder: string) {
    this.folder = folder
  }

  static async create(): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'lonja installed '))
    for (const name of ['db', 'public', 'node_modules', 'package.json']) {
      await symlink(join(ROOT, name), join(folder, name))
    }
    await mkdir(join(folder, 'bin'))
    await copyFile(join(ROOT, 'bin/lonja'), join(folder, 'bin/lonja'))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    // Another check covers types; without them the build takes a second.
    const options = ['--noCheck', '--incremental', 'false', '--tsBuildInfoFile', 'null']
    await promisify(execFile)(
      process.execPath,
      [tsc, '-p', 'tsconfig.build.json', '--outDir', join(folder, 'dist'), ...options],
      { cwd: ROOT },
    )
    return new Installation(folder)
  }

  /** In the installed folder, with these settings and none of the caller's; `through` is a command that runs another one. */
  start(args: string[], settings: Record<string, string> = {}, through: string[] = []): RunningLonja {
    const { PATH = '', HOME = '/' } = process.env
    const [program = '', ...rest] = [...through, process.execPath, 'bin/lonja', ...args]
    const child = spawn(program, rest, {
      cwd: this.folder,
      env: { PATH, HOME, ...settings },
    })
    const running = new RunningLonja(child)
    this.#running.add(running)
    void running.finished.then(() => this.#running.delete(running))
    return running
  }

  run(args: string[], settings: Record<string, string> = {}): Promise<Finished> {
    return this.start(args, settings).finished
  }

  async remove(): Promise<void> {
    await Promise.all([...this.#running].map(running => running.stop('SIGKILL')))
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
}

/** For the top of a test file. */
export function useInstallation(): { readonly lonja: Installation } {
  let installation: Installation | undefined
  beforeAll(async () => {
    installation = await Installation.create()
  })
  afterAll(() => installation?.remove())
  return {
    get lonja() {
      if (!installation) throw new Error('installed in beforeAll: use it inside tests')
      return installation
    },
  }
}

/** All processes that still descend from one. Linux only. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const parents = await Promise.all(
    (await readdir('/proc'))
      .filter(name => /^\d+$/.test(name))
      .map(async name => {
        const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
        return { pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }
      }),
  )
  const below = (parent: number): number[] =>
    parents.filter(one => one.parent === parent).flatMap(one => [one.pid, ...below(one.pid)])
  return below(pid)
}
