import { once } from 'node:events'
import { Readable } from 'node:stream'
import { createDeflateRaw } from 'node:zlib'

type Cell = string | number | boolean | { formula: string; value: string | number } | null
export type Sheet = Iterable<Cell[]>

const escaped = (text: string) =>
  text.replace(/[<>&"]/g, one => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[one] as string)

const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26))

interface WorkbookOptions {
  /** `B2:B11` */
  merges?: string[]
  /** Instead of a sheet, to try what a hostile file does. */
  raw?: Iterable<string>
}

/** A workbook as a spreadsheet program saves it: texts shared, numbers and formulas with their values. */
export async function xlsx(rows: Sheet, { merges = [], raw }: WorkbookOptions = {}): Promise<Buffer> {
  const shared = new Map<string, number>()
  const indexOf = (text: string) => {
    const known = shared.get(text) ?? shared.size
    shared.set(text, known)
    return known
  }
  const cellXml = (cell: Cell, reference: string): string => {
    if (cell === null || cell === '') return ''
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`
    if (typeof cell === 'object') {
      const type = typeof cell.value === 'number' ? '' : ' t="str"'
      return `<c r="${reference}"${type}><f>${escaped(cell.formula)}</f><v>${escaped(String(cell.value))}</v></c>`
    }
    return `<c r="${reference}" t="s"><v>${indexOf(cell)}</v></c>`
  }
  function* sheet() {
    yield '<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    let number = 0
    for (const row of rows) {
      number += 1
      const cells = row.map((cell, column) => cellXml(cell, letters(column) + number)).join('')
      if (cells !== '') yield `<row r="${number}">${cells}</row>`
    }
    yield '</sheetData>'
    if (merges.length > 0) {
      yield `<mergeCells count="${merges.length}">${merges.map(ref => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
    }
    yield '</worksheet>'
  }
  function* strings() {
    yield '<?xml version="1.0" encoding="UTF-8"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    for (const text of shared.keys()) yield `<si><t xml:space="preserve">${escaped(text)}</t></si>`
    yield '</sst>'
  }
  return zip([
    [
      'xl/workbook.xml',
      [
        '<workbook xmlns:r="urn:r"><sheets><sheet name="Oculta" state="hidden" r:id="rId1"/><sheet name="Inventario" r:id="rId2"/></sheets></workbook>',
      ],
    ],
    [
      'xl/_rels/workbook.xml.rels',
      [
        '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
      ],
    ],
    ['xl/worksheets/sheet2.xml', raw ?? sheet()],
    ['xl/sharedStrings.xml', strings()],
  ])
}

async function zip(files: [name: string, content: Iterable<string>][]): Promise<Buffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of files) {
    const { deflated, crc, size } = await deflate(content)
    const sizes = Buffer.alloc(12)
    sizes.writeUInt32LE(crc, 0)
    sizes.writeUInt32LE(deflated.length, 4)
    sizes.writeUInt32LE(size, 8)
    const common = Buffer.concat([
      Buffer.from([20, 0, 0, 8, 8, 0, 0, 0, 0x21, 0]),
      sizes,
      uint16(name.length),
      uint16(0),
    ])
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), deflated])
    const start = Buffer.alloc(4)
    start.writeUInt32LE(offset)
    directory.push(
      Buffer.concat([
        Buffer.from('PK\u0001\u0002\u0014\0'),
        common,
        Buffer.alloc(10),
        start,
        Buffer.from(name),
      ]),
    )
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

async function deflate(content: Iterable<string>) {
  let crc = 0xffffffff
  let size = 0
  const counted = function* () {
    for (const text of content) {
      const bytes = Buffer.from(text)
      for (const byte of bytes) crc = (CRC[(crc ^ byte) & 255] as number) ^ (crc >>> 8)
      size += bytes.length
      yield bytes
    }
  }
  const stream = Readable.from(counted()).pipe(createDeflateRaw({ level: 1 }))
  const chunks: Buffer[] = []
  stream.on('data', chunk => chunks.push(chunk))
  await once(stream, 'end')
  return { deflated: Buffer.concat(chunks), crc: (crc ^ 0xffffffff) >>> 0, size }
}

const CRC = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

/** Cells with quotes where they need them. */
export function csv(rows: Sheet, delimiter = ','): string {
  const text = (cell: Cell) => {
    const value = cell === null ? '' : typeof cell === 'object' ? String(cell.value) : String(cell)
    return /["\r\n]/.test(value) || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value
  }
  return [...rows].map(row => `${row.map(text).join(delimiter)}\r\n`).join('')
}
