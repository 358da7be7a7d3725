import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskStorage } from '../../src/files/disk.ts'
import { preparePicture, randomName } from '../../src/files/images.ts'
import type { Storage } from '../../src/files/storage.ts'
import { describeStorage, namesIn } from '../support/storage-contract.ts'

let home: string
let files: Storage

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'lonja-storage-'))
  files = diskStorage(home)
})
afterEach(() => rm(home, { recursive: true, force: true }))

describeStorage('on disk', () => files)

describe('files on disk', () => {
  it('are readable by this user alone', async () => {
    const name = `${randomName()}.pdf`
    await files.put('documents', name, Buffer.from('%PDF-'))
    expect((await stat(join(home, 'documents'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(home, 'documents', name))).mode & 0o777).toBe(0o600)
  })

  it('are listed with leftovers of interrupted writes, which can be removed, and without what is not ours', async () => {
    const [kept, cut] = [`${randomName()}-thumb.webp`, `${randomName()}-full.webp.part`]
    await files.put('media', kept, Buffer.alloc(7))
    await writeFile(join(home, 'media', cut), 'half')
    await writeFile(join(home, 'media', 'notes.txt'), 'not ours')
    expect(await namesIn(files, 'media')).toEqual([kept, cut].sort())
    for await (const { name, bytes } of files.list('media')) expect(bytes).toBe(name === kept ? 7 : 4)
    expect(await files.exists('media', cut)).toBe(false)
    expect(await files.stream('media', cut)).toBeUndefined()
    await files.remove('media', cut)
    expect(await readdir(join(home, 'media'))).toEqual(expect.arrayContaining([kept, 'notes.txt']))
    expect(await namesIn(files, 'media')).toEqual([kept])
  })

  it('do not reach beyond their folder by any name', async () => {
    await mkdir(join(home, 'media'))
    for (const path of ['secret.key', 'media/notes.txt']) await writeFile(join(home, path), 'kept')
    for (const name of ['../secret.key', 'notes.txt', '..']) {
      expect(await files.stream('media', name)).toBeUndefined()
      await files.remove('media', name)
    }
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
    expect(await namesIn(files, 'media')).toEqual([])
  })

  it('is undefined if it cannot be decoded', async () =>
    expect(await preparePicture(Buffer.from('no picture'), SIZES)).toBeUndefined())
})
