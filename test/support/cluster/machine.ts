import { execFile } from 'node:child_process'
import { mkdir, open, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ip = (...args: string[]) => run('ip', args)

/** Numbers of this process, so that two runs on one machine do not meet. */
const THIRD = (process.pid >> 6) & 255
const FOURTH = (process.pid & 63) * 4

/** A second machine: a network namespace with one cable to this one. Needs Linux and root. */
export class Machine {
  readonly #name = `lonja-${process.pid}`
  readonly #cable = `lj${process.pid}`
  /** Ours, on the cable. */
  readonly here = `10.213.${THIRD}.${FOURTH + 1}`
  /** Its own. */
  readonly there = `10.213.${THIRD}.${FOURTH + 2}`

  static async open(): Promise<Machine> {
    if (process.getuid?.() !== 0) throw new Error('network namespaces and small disks need root')
    const machine = new Machine()
    await machine.#connect()
    return machine
  }

  async #connect(): Promise<void> {
    const [name, cable] = [this.#name, this.#cable]
    await ip('netns', 'add', name)
    await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    await ip('addr', 'add', `${this.here}/30`, 'dev', cable)
    await ip('-n', name, 'addr', 'add', `${this.there}/30`, 'dev', 'eth0')
    await ip('-n', name, 'link', 'set', 'lo', 'up')
    await ip('-n', name, 'link', 'set', 'eth0', 'up')
    await this.plug()
  }

  /** Runs the command that follows on that machine. */
  get through(): string[] {
    return ['ip', 'netns', 'exec', this.#name]
  }

  /** From now on nothing arrives on either side, and nobody is notified. */
  unplug = () => ip('-n', this.#name, 'link', 'set', 'eth0', 'down')

  plug = async () => {
    await ip('link', 'set', this.#cable, 'up')
    await ip('-n', this.#name, 'link', 'set', 'eth0', 'up')
  }

  close = () => ip('netns', 'del', this.#name)
}

/** A small disk that can be full. It is in memory: what a killed process wrote is there, a power failure is not tried. */
export class Disk {
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  static async mount(folder: string, megabytes: number): Promise<Disk> {
    await mkdir(folder, { recursive: true })
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder])
    return new Disk(folder)
  }

  get #ballast(): string {
    return join(this.folder, 'ballast')
  }

  async fill(): Promise<void> {
    const file = await open(this.#ballast, 'w')
    try {
      for (const chunk of [Buffer.alloc(1 << 20), Buffer.alloc(4096)]) {
        while (await file.write(chunk).then(({ bytesWritten }) => bytesWritten === chunk.length, isFull));
      }
    } finally {
      await file.close()
    }
  }

  free = () => rm(this.#ballast)

  async unmount(): Promise<void> {
    await run('umount', ['-l', this.folder])
    await rmdir(this.folder)
  }
}

function isFull(error: NodeJS.ErrnoException): false {
  if (error.code !== 'ENOSPC') throw error
  return false
}
