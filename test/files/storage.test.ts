import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { preparePicture, randomName } from '../../src/files/images.ts'
import { diskStorage, type Storage } from '../../src/files/storage.ts'

let home: string
let files: Storage

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'lonja-storage-'))
  files = diskStorage(home)
})
afterEach(() => rm(home, { recursive: true, force: true }))

const namesIn = async (folder: 'media' | 'documents') => {
  const names: string[] = []
  for await (const { name } of files.list(folder)) names.push(name)
  return names.sort()
}

describe('files on disk', () => {
  it('are returned byte for byte, with their size, until they are removed', async () => {
    const name = `${randomName()}-full.webp`
    const content = Buffer.from([0, 255, 13, 10, 26])
    expect(await files.exists('media', name)).toBe(false)
    expect(await files.stream('media', name)).toBeUndefined()

    await files.put('media', name, content)
    expect(await files.exists('media', name)).toBe(true)
    const found = await files.stream('media', name)
    expect(found?.bytes).toBe(5)
    expect(found && (await buffer(found.content))).toEqual(content)

    await files.remove('media', name)
    expect(await files.exists('media', name)).toBe(false)
    expect(await files.stream('media', name)).toBeUndefined()
    await files.remove('media', name)
  })

  it('are only in their own folder, readable by this user alone', async () => {
    const name = `${randomName()}.pdf`
    await files.put('documents', name, Buffer.from('%PDF-'))
    expect(await files.exists('media', name)).toBe(false)
    expect(await files.stream('media', name)).toBeUndefined()
    expect((await stat(join(home, 'documents'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(home, 'documents', name))).mode & 0o777).toBe(0o600)
  })

  it('are listed with size and time, including leftovers of interrupted writes, which can be removed', async () => {
    expect(await namesIn('media')).toEqual([])
    const [kept, cut] = [`${randomName()}-thumb.webp`, `${randomName()}-full.webp.part`]
    const before = Date.now() - 1_000
    await files.put('media', kept, Buffer.alloc(7))
    await writeFile(join(home, 'media', cut), 'half')
    await writeFile(join(home, 'media', 'notes.txt'), 'not ours')
    expect(await namesIn('media')).toEqual([kept, cut].sort())
    for await (const { name, bytes, storedAt } of files.list('media')) {
      expect(bytes).toBe(name === kept ? 7 : 4)
      expect(storedAt.getTime()).toBeGreaterThan(before)
    }
    expect(await files.exists('media', cut)).toBe(false)
    expect(await files.stream('media', cut)).toBeUndefined()
    await files.remove('media', cut)
    expect(await readdir(join(home, 'media'))).toEqual(expect.arrayContaining([kept, 'notes.txt']))
    expect(await namesIn('media')).toEqual([kept])
  })

  it.each([
    '../secret.key',
    '..',
    '',
    'notes.txt',
    'a'.repeat(5_000),
    `${'a'.repeat(32)}.webp/../x`,
    'x\0.webp',
  ])('cannot have another name: %j is never read, written or removed', async name => {
    await mkdir(join(home, 'media'))
    for (const path of ['secret.key', 'media/notes.txt']) await writeFile(join(home, path), 'kept')
    expect(await files.stream('media', name)).toBeUndefined()
    expect(await files.exists('media', name)).toBe(false)
    await expect(files.put('media', name, Buffer.from('x'))).rejects.toThrow('not the name')
    await files.remove('media', name)
    expect((await readdir(home)).sort()).toEqual(['media', 'secret.key'])
    expect(await readdir(join(home, 'media'))).toEqual(['notes.txt'])
  })

  it('are complete or absent: a failed write leaves nothing', async () => {
    const name = `${randomName()}.webp`
    // A folder already has the name, so the last step of the write fails.
    await mkdir(join(home, 'media', name), { recursive: true })
    await expect(files.put('media', name, Buffer.from('x'))).rejects.toThrow()
    expect(await readdir(join(home, 'media'))).toEqual([name])
  })

  it('that cannot be read are an error, not a missing file', async () => {
    const name = `${randomName()}.webp`
    await mkdir(join(home, 'media'))
    await symlink(name, join(home, 'media', name))
    await expect(files.stream('media', name)).rejects.toThrow('ELOOP')
    await expect(files.exists('media', name)).rejects.toThrow('ELOOP')
  })
})

describe('a picture in several sizes', () => {
  const SIZES = { full: { maxSide: 40 }, thumb: { maxSide: 10 } }

  it('is encoded in all of them under one id, and not stored yet', async () => {
    const bytes = await sharp({ create: { width: 50, height: 20, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
    const picture = await preparePicture(bytes, SIZES)
    const { id, contents, names } = picture as NonNullable<typeof picture>
    expect(names).toEqual({ full: `${id}-full.webp`, thumb: `${id}-thumb.webp` })
    expect(contents.map(({ name }) => name)).toEqual([names.full, names.thumb])
    const widths = await Promise.all(
      contents.map(async ({ content }) => (await sharp(content).metadata()).width),
    )
    expect(widths).toEqual([40, 10])
    expect(await namesIn('media')).toEqual([])
  })

  it('is undefined if it cannot be decoded', async () =>
    expect(await preparePicture(Buffer.from('no picture'), SIZES)).toBeUndefined())
})
