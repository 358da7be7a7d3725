import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openServerKey } from '../../src/lib/server-key.ts'
import { StartupError } from '../../src/lib/startup-error.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lonja-key-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the key of the installation', () => {
  it('is the operator’s secret if set', async () => {
    const dataDir = join(folder, 'a')
    expect(openServerKey('x'.repeat(32), dataDir)).toBe('x'.repeat(32))
    await expect(stat(dataDir)).rejects.toThrow()
  })

  it('is created once in the data folder, 32 random bytes that only the owner can read', async () => {
    const [one, two] = [join(folder, 'b'), join(folder, 'c')]
    const key = openServerKey(undefined, one)
    expect(Buffer.from(key as string, 'base64url')).toHaveLength(32)
    expect(openServerKey(undefined, one)).toBe(key)
    expect(openServerKey(undefined, two)).not.toBe(key)
    expect((await stat(join(one, 'secret.key'))).mode & 0o777).toBe(0o600)
    expect((await readFile(join(one, 'secret.key'), 'utf8')).trim()).toBe(key)
  })

  it('is undefined with neither', () => {
    expect(openServerKey(undefined, undefined)).toBeUndefined()
  })

  it('is not replaced when the file is damaged: everything sealed with it would be lost', async () => {
    const dataDir = join(folder, 'd')
    openServerKey(undefined, dataDir)
    await writeFile(join(dataDir, 'secret.key'), '')
    expect(() => openServerKey(undefined, dataDir)).toThrow(StartupError)
  })
})
