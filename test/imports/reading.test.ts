import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTable } from '../../src/imports/reading/table.ts'
import { csv, xlsx } from '../support/spreadsheets.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lonja-reading-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
async function stored(content: string | Buffer): Promise<string> {
  const path = join(folder, `file-${++files}`)
  await writeFile(path, content)
  return path
}

async function rowsOf(content: string | Buffer): Promise<string[][]> {
  const rows: string[][] = []
  for await (const row of readTable(await stored(content))) rows.push(row)
  return rows
}

const ROWS = [
  ['Clave', 'Título', 'Recámaras'],
  ['A-1', 'Casa en Coyoacán, «grande»', '3'],
  ['A-2', 'Depto "ñandú"\nsegundo piso', '2'],
]

describe('a text file', () => {
  it.each([',', ';', '\t'])('is read with cells separated by %j', async delimiter => {
    expect(await rowsOf(csv(ROWS, delimiter))).toEqual(ROWS)
    expect(await rowsOf(`sep=${delimiter}\r\n${csv(ROWS, delimiter)}`)).toEqual(ROWS)
  })

  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(csv(ROWS))],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${csv(ROWS)}`)],
    ['Latin-1', Buffer.from(csv(ROWS), 'latin1')],
    ['UTF-16', Buffer.from(`\uFEFF${csv(ROWS, '\t')}`, 'utf16le')],
    [
      'lines of both',
      Buffer.concat([Buffer.from(csv(ROWS.slice(0, 2))), Buffer.from(csv(ROWS.slice(2)), 'latin1')]),
    ],
  ])('keeps its accents in %s', async (_encoding, content) => {
    expect(await rowsOf(content)).toEqual(ROWS)
  })

  it('keeps the characters of Windows that Latin-1 has not', async () => {
    expect(await rowsOf(Buffer.from([0x93, 0x80, 0x94]))).toEqual([['“€”']])
  })

  it.each<[string, string | Buffer]>([
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13])],
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1])],
    ['an archive that is none', 'PK\u0003\u0004 and nothing more'],
    ['a quote without an end', `Clave,Título\nA-1,"${'x'.repeat(3 * 2 ** 20)}`],
    ['a line without an end', 'x'.repeat(3 * 2 ** 20)],
  ])('is rejected if it is %s', async (_what, content) => {
    await expect(rowsOf(content)).rejects.toMatchObject({
      kind: 'validation',
      details: { issues: [{ code: 'not_a_spreadsheet' }] },
    })
  })
})

describe('a workbook', () => {
  it('gives texts, numbers, the values of formulas, and the numbers of its rows', async () => {
    const rows = await rowsOf(
      await xlsx([
        ['Clave', 'Precio', 'Lat', 'Exclusiva'],
        [],
        ['A & <1>', { formula: '1000*1800', value: 1_800_000 }, 20.6911, true],
        ['A-2', { formula: '"x"&"y"', value: 'xy' }, null, false],
      ]),
    )
    expect(rows).toEqual([
      ['Clave', 'Precio', 'Lat', 'Exclusiva'],
      [],
      ['A & <1>', '1800000', '20.6911', 'TRUE'],
      ['A-2', 'xy', '', 'FALSE'],
    ])
  })

  it('gives the value of merged cells to all of their rows', async () => {
    const rows = [['Estado'], ['Jalisco', 'a'], [null, 'b'], [null, 'c'], ['Colima', 'd']]
    const read = await rowsOf(await xlsx(rows, { merges: ['A2:A4'] }))
    expect(read.slice(1)).toEqual([
      ['Jalisco', 'a'],
      ['Jalisco', 'b'],
      ['Jalisco', 'c'],
      ['Colima', 'd'],
    ])
  })

  it('is rejected if its merged ranges overlap so much that filling them would take hours', async () => {
    const merges = Array.from({ length: 200 }, (_, i) => `A${i + 1}:GR50000`)
    await expect(rowsOf(await xlsx(ROWS, { merges }))).rejects.toMatchObject({
      details: { issues: [{ code: 'not_a_spreadsheet' }] },
    })
  })

  it('is rejected if it defines entities, or is not well-formed', async () => {
    const bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>&b;</worksheet>'
    const rejection = { details: { issues: [{ code: 'not_a_spreadsheet' }] } }
    await expect(rowsOf(await xlsx([], { raw: [bomb] }))).rejects.toMatchObject(rejection)
    await expect(rowsOf(await xlsx([], { raw: ['<worksheet><row>'] }))).rejects.toMatchObject(rejection)
    await expect(rowsOf(await xlsx([], { raw: ['<worksheet>&b;</worksheet>'] }))).rejects.toMatchObject(
      rejection,
    )
  })

  it('is rejected if it is damaged', async () => {
    const file = await xlsx(Array.from({ length: 500 }, (_, i) => [`Casa número ${i}`, i]))
    file.fill(0xaa, 600, 1_200)
    await expect(rowsOf(file)).rejects.toMatchObject({ details: { issues: [{ code: 'not_a_spreadsheet' }] } })
    await expect(rowsOf(file.subarray(0, file.length / 2))).rejects.toMatchObject({ kind: 'validation' })
  })

  it('is rejected if it unpacks to far more than a table can need', async () => {
    const file = await xlsx(ROWS)
    // What the archive says of its sheet: a gigabyte.
    const at = file.lastIndexOf('xl/worksheets/sheet2.xml')
    file.writeUInt32LE(2 ** 30, at - 46 + 24)
    await expect(rowsOf(file)).rejects.toMatchObject({ details: { issues: [{ code: 'not_a_spreadsheet' }] } })
    // Less than comes out.
    file.writeUInt32LE(20, at - 46 + 24)
    await expect(rowsOf(file)).rejects.toMatchObject({ details: { issues: [{ code: 'not_a_spreadsheet' }] } })
  })
})

describe('bounds', () => {
  it.each([
    ['rows', 'too_many_rows', 'a,b\n'.repeat(50_002)],
    ['columns', 'too_many_columns', `${'a,'.repeat(200)}a\n`],
    ['the length of a cell', 'cell_too_long', `a,${'x'.repeat(32_768)}\n`],
  ])('hold for %s', async (_what, code, content) => {
    await expect(rowsOf(content)).rejects.toMatchObject({ details: { issues: [{ code }] } })
  })
})
