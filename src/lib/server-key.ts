import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from './startup-error.ts'

const NAME = 'secret.key'
const SHAPE = /^[\w-]{43}$/

/**
 * The key of this installation: LONJA_SECRET, or a file in the data folder that is created once. Undefined with
 * neither. Never stored in the database, whose contents it seals.
 */
export function openServerKey(secret: string | undefined, dataDir: string | undefined): string | undefined {
  if (secret !== undefined || dataDir === undefined) return secret
  const path = join(dataDir, NAME)
  const key = readKey(path) ?? makeKey(dataDir, path)
  if (!SHAPE.test(key)) throw new StartupError(`${path} is not the key that Lonja wrote there.`)
  return key
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new StartupError(`The key in ${path} cannot be read (${message}).`)
  }
}

/** Atomic: when two processes start at once, both use the key that was linked first. */
function makeKey(dataDir: string, path: string): string {
  // Processes in different containers may share both the folder and the process id.
  const draft = `${path}.${randomUUID()}.part`
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 })
    linkSync(draft, path)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new StartupError(`The key ${path} cannot be written (${message}).`)
  } finally {
    rmSync(draft, { force: true })
  }
  return readKey(path) ?? ''
}
