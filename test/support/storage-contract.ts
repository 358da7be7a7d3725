import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { randomName } from '../../src/files/images.ts'
import type { Folder, Storage } from '../../src/files/storage.ts'

export async function namesIn(files: Storage, folder: Folder): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of files.list(folder)) names.push(name)
  return names.sort()
}

/** What every storage guarantees. `open` gives an empty one. */
export function describeStorage(kind: string, open: () => Storage | Promise<Storage>): void {
  describe(`files ${kind}`, () => {
    it('are returned byte for byte, with their size, until they are removed', async () => {
      const files = await open()
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

    it('can be as large as the largest upload, and reading can be given up', async () => {
      const files = await open()
      const name = `${randomName()}.pdf`
      const content = Buffer.alloc(15 * 2 ** 20, 'lonja')
      await files.put('documents', name, content)
      const given = await files.stream('documents', name)
      given?.content.destroy()
      const found = await files.stream('documents', name)
      expect(found && content.equals(await buffer(found.content))).toBe(true)
    })

    it('are only in their own folder, and listed with size and time', async () => {
      const files = await open()
      expect(await namesIn(files, 'media')).toEqual([])
      const name = `${randomName()}.pdf`
      const before = Date.now() - 2_000
      await files.put('documents', name, Buffer.from('%PDF-'))
      expect(await files.exists('media', name)).toBe(false)
      expect(await files.stream('media', name)).toBeUndefined()
      expect(await namesIn(files, 'media')).toEqual([])
      for await (const file of files.list('documents')) {
        expect(file).toMatchObject({ name, bytes: 5 })
        expect(file.storedAt.getTime()).toBeGreaterThan(before)
        expect(file.storedAt.getTime()).toBeLessThan(Date.now() + 2_000)
      }
      expect(await files.condition()).toBe('ok')
    })

    it.each([
      '../secret.key',
      '..',
      '',
      'notes.txt',
      'a'.repeat(5_000),
      `${'a'.repeat(32)}.webp/../x`,
      `${'a'.repeat(32)}.webp?acl`,
      'x\0.webp',
    ])('cannot have another name: %j is never read, written or removed', async name => {
      const files = await open()
      expect(await files.stream('media', name)).toBeUndefined()
      expect(await files.exists('media', name)).toBe(false)
      await expect(files.put('media', name, Buffer.from('x'))).rejects.toThrow('not the name')
      await files.remove('media', name)
      expect(await namesIn(files, 'media')).toEqual([])
    })
  })
}
