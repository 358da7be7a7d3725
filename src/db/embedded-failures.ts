import { statfs } from 'node:fs/promises'
import { StartupError } from '../lib/startup-error.ts'

export const OWN_DATABASE = 'set DATABASE_URL to a PostgreSQL 15 or later of your own'

const MEGABYTE = 1024 * 1024
/** Room for a new cluster and for the WAL segment PostgreSQL needs to start. */
export const ROOM_TO_CREATE = 64 * MEGABYTE
export const ROOM_TO_START = 16 * MEGABYTE

/** The output of a failed PostgreSQL program, as one sentence. */
export async function failed(
  what: string,
  output: string,
  place: { dataDir: string; log: string },
  roomBytes: number,
): Promise<StartupError> {
  // Check the disk as well, because PostgreSQL does not always name the cause.
  const { bavail, bsize } = await statfs(place.dataDir)
  if (/No space left|Disk quota exceeded/.test(output) || bavail * bsize < roomBytes) {
    return diskFull(place.dataDir)
  }
  const lines = output.trim().split('\n')
  const last = lines.findLast(line => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  const reason = last.replace(/^.*?(FATAL|PANIC|error):\s*/, '') || 'it gave no reason'
  return new StartupError(`${what} (${reason}): correct that, or ${OWN_DATABASE}; the log is "${place.log}".`)
}

/** Any other error during startup, as one sentence. */
export function explain(error: unknown, dataDir: string): StartupError {
  if (error instanceof StartupError) return error
  const { code, message, syscall } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(dataDir)
  const sentence =
    syscall === 'mkdir' || ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(code ?? '')
      ? `"${dataDir}" cannot hold the data (${message}): set LONJA_DATA to a folder you can write to.`
      : `The embedded PostgreSQL in "${dataDir}" could not be used (${message}): ${OWN_DATABASE}.`
  return new StartupError(sentence, { cause: error })
}

function diskFull(dataDir: string): StartupError {
  return new StartupError(`The disk that holds "${dataDir}" is full: free some space and start again.`)
}
