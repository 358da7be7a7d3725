import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTable } from '../../src/imports/reading/table.ts'
import { heapMegabytes } from '../support/heap.ts'
import { csv, xlsx } from '../support/spreadsheets.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lonja-memory-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('reading', () => {
  it.each(['csv', 'xlsx'])(
    '50,000 rows need no more memory than 500: %s',
    async kind => {
      const text = 'Amplia y luminosa. '.repeat(20)
      function* sheet(count: number) {
        yield ['Clave', 'Título', 'Descripción']
        for (let i = 0; i < count; i++) yield [`A-${i}`, `Casa ${i} en Providencia`, `${i} ${text}`]
      }
      const used = async (count: number) => {
        const path = join(folder, `${kind}-${count}`)
        await writeFile(path, kind === 'csv' ? csv(sheet(count)) : await xlsx(sheet(count)))
        const before = await heapMegabytes()
        let rows = 0
        let most = 0
        for await (const _row of readTable(path)) {
          if (++rows % Math.ceil(count / 4) === 0) most = Math.max(most, (await heapMegabytes()) - before)
        }
        expect(rows).toBe(count + 1)
        return most
      }
      const few = await used(500)
      // Kept in memory, they would be 20 MB of text, and more.
      expect((await used(50_000)) - few).toBeLessThan(6)
    },
    60_000,
  )
})
