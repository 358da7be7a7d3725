import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartupError } from '../lib/startup-error.ts'
import type { TableContent } from './tables.ts'

const MANIFEST = 'manifest.json'
/** In the format of `sha256sum`, which can check it too. */
const SUMS = 'SHA256SUMS'
const FORMAT = 1

/** What a backup says about itself. It is written last: a folder without it is not a backup. */
export interface Manifest {
  format: number
  made_at: string
  postgres: string
  migrations: string[]
  /** Of LONJA_SECRET, which is not in the backup; null if the exchange had not started yet. */
  secret_fingerprint: string | null
  tables: TableContent[]
  sequences: { name: string; value: string }[]
  files: { count: number; bytes: number }
  sha256sums: string
}

export const pathOfTable = (folder: string, table: string): string =>
  join(folder, 'database', `${table.replaceAll('"', '')}.copy.gz`)
export const filesFolder = (folder: string): string => join(folder, 'files')

/** Sums of everything in the folder, then the manifest that names them. */
export async function seal(folder: string, manifest: Omit<Manifest, 'format' | 'sha256sums'>): Promise<void> {
  const lines: string[] = []
  for (const path of await pathsIn(folder)) lines.push(`${await sha256Of(join(folder, path))}  ${path}\n`)
  const sums = lines.join('')
  await writeDurably(join(folder, SUMS), sums)
  const whole: Manifest = { format: FORMAT, ...manifest, sha256sums: sha256(sums) }
  await writeDurably(join(folder, `${MANIFEST}.part`), `${JSON.stringify(whole, null, 2)}\n`)
  await rename(join(folder, `${MANIFEST}.part`), join(folder, MANIFEST))
}

/** The manifest of a backup of which every byte was compared; or what is wrong with it. */
export async function readVerified(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder)
  const sums = await readFile(join(folder, SUMS), 'utf8').catch(() => '')
  if (sha256(sums) !== manifest.sha256sums) throw broken(folder, `${SUMS} differs from ${MANIFEST}`)
  const expected = new Map(
    sums
      .split('\n')
      .filter(Boolean)
      .map(line => [line.slice(66), line.slice(0, 64)]),
  )
  for (const [path, sum] of expected) {
    const found = await sha256Of(join(folder, path)).catch(() => undefined)
    if (found === undefined) throw broken(folder, `${path} is missing`)
    if (found !== sum) throw broken(folder, `${path} differs from its checksum`)
  }
  const extra = (await pathsIn(folder)).find(path => !expected.has(path))
  if (extra) throw broken(folder, `${extra} is not part of it`)
  return manifest
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined)
  if (text === undefined)
    throw new StartupError(`There is no complete backup in "${folder}": it has no ${MANIFEST}.`)
  try {
    const manifest = JSON.parse(text) as Manifest
    if (manifest.format === FORMAT && Array.isArray(manifest.tables)) return manifest
  } catch {
    // Falls through: not JSON is as bad as another format.
  }
  throw broken(folder, `${MANIFEST} cannot be read by this version`)
}

const broken = (folder: string, reason: string) =>
  new StartupError(`The backup in "${folder}" is damaged (${reason}): nothing was restored.`)

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** All files under `database` and `files`, with slashes, sorted. */
async function pathsIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter(path => /^(database|files)\//.test(path))
    .sort()
}

async function writeDurably(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 })
  const file = await open(path)
  await file.sync().finally(() => file.close())
}
