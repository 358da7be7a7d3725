import type { Readable } from 'node:stream'
import * as yauzl from 'yauzl'
import { Problem } from '../../lib/problem.ts'
import { READING, unreadable } from './limits.ts'
import { activeMerges, type Merge, readMerges } from './merges.ts'
import { SharedStrings } from './strings.ts'
import { type Handlers, parseXml } from './xml.ts'

/** The rows of the first visible sheet of a workbook. A formula gives the value it had when the file was saved. */
export async function* readXlsx(path: string): AsyncGenerator<string[]> {
  const strings = new SharedStrings(`${path}.strings`)
  let archive: Archive | undefined
  try {
    archive = await openArchive(path)
    const sheet = await firstSheet(archive)
    if (archive.has('xl/sharedStrings.xml')) {
      for await (const text of parseXml(await archive.open('xl/sharedStrings.xml'), sharedTexts))
        strings.add(text)
    }
    const merges = await readMerges(await archive.open(sheet))
    let number = 0
    for await (const row of parseXml(await archive.open(sheet), rowsOf(strings, merges))) {
      // Rows without content are left out of the file, and rows have numbers: somebody will look for them.
      if (row.number > READING.rows * 2) throw unreadable()
      while (++number < row.number) yield []
      number = row.number
      yield row.cells
    }
  } catch (error) {
    // What is wrong with an archive is a plain error, or one of the unpacker; all others are ours, such as a full disk.
    const { code = 'Z_' } = error as NodeJS.ErrnoException
    if (error instanceof Problem || !code.startsWith('Z_')) throw error
    throw unreadable()
  } finally {
    archive?.close()
    strings.close()
  }
}

interface Archive {
  has(name: string): boolean
  open(name: string): Promise<Readable>
  close(): void
}

async function openArchive(path: string): Promise<Archive> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, file) =>
      file ? resolve(file) : reject(error),
    ),
  )
  const entries = new Map<string, yauzl.Entry>()
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.set(entry.fileName, entry)
      if (entries.size > READING.archiveEntries) return reject(unreadable())
      zip.readEntry()
    })
    zip.on('end', resolve)
    zip.on('error', reject)
    zip.readEntry()
  })
  return {
    has: name => entries.has(name),
    close: () => zip.close(),
    open(name) {
      const entry = entries.get(name)
      // The library breaks off when more comes out than the archive says.
      if (!entry || entry.isEncrypted() || entry.uncompressedSize > READING.unpackedBytes) throw unreadable()
      return new Promise((resolve, reject) =>
        zip.openReadStream(entry, (error, stream) => (stream ? resolve(stream) : reject(error))),
      )
    },
  }
}

async function firstSheet(archive: Archive): Promise<string> {
  let id: string | undefined
  const sheets = parseXml<string | undefined>(await archive.open('xl/workbook.xml'), emit => ({
    ...IGNORE,
    open(name, { state, 'r:id': relation }) {
      if (name === 'sheet' && (state === undefined || state === 'visible')) emit(relation)
    },
  }))
  for await (const relation of sheets) id ??= relation
  const relations = parseXml<string>(await archive.open('xl/_rels/workbook.xml.rels'), emit => ({
    ...IGNORE,
    open(name, { Id, Target = '' }) {
      if (name === 'Relationship' && Id === id) emit(Target)
    },
  }))
  for await (const target of relations) return target.startsWith('/') ? target.slice(1) : `xl/${target}`
  throw unreadable()
}

const IGNORE: Handlers = { open: () => {}, text: () => {}, close: () => {} }

/** A text may come in runs of different fonts; readings of Asian characters are not part of it. */
const sharedTexts = (emit: (text: string) => void): Handlers => {
  let text = ''
  let isText = false
  let isReading = false
  return {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') isReading = true
      isText = name === 't' && !isReading
    },
    text(piece) {
      if (isText && text.length <= READING.cellLength) text += piece
    },
    close(name) {
      isText = false
      if (name === 'rPh') isReading = false
      if (name === 'si') emit(text)
    },
  }
}

interface Row {
  number: number
  cells: string[]
}

function rowsOf(strings: SharedStrings, merges: readonly Merge[]) {
  const filled = activeMerges(merges)
  return (emit: (row: Row) => void): Handlers => {
    let row: Row = { number: 0, cells: [] }
    let column = 0
    let type: string | undefined
    let value = ''
    let isValue = false
    return {
      open(name, attributes) {
        if (name === 'row') row = { number: Number(attributes.r) || row.number + 1, cells: [] }
        if (name === 'c') {
          column = attributes.r ? columnOf(attributes.r) : row.cells.length
          type = attributes.t
          value = ''
        }
        isValue = name === 'v' || name === 't'
      },
      text(piece) {
        if (isValue && value.length <= READING.cellLength) value += piece
      },
      close(name) {
        isValue = false
        if (name === 'c') {
          if (column > READING.columns) column = READING.columns
          while (row.cells.length < column) row.cells.push('')
          row.cells[column] = textOf(type, value, strings)
        }
        if (name === 'row') emit({ number: row.number, cells: filled(row.number, row.cells) })
      },
    }
  }
}

function textOf(type: string | undefined, value: string, strings: SharedStrings): string {
  if (value === '') return ''
  if (type === 's') return strings.at(Number(value))
  if (type === 'inlineStr' || type === 'str' || type === 'd') return value
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  // #N/A, #REF!: the formula had no value.
  if (type === 'e') return ''
  const number = Number(value)
  return Number.isFinite(number) ? String(number) : value
}

/** `C5` is in column 2. */
export function columnOf(reference: string): number {
  let column = 0
  for (const letter of reference) {
    if (letter < 'A' || letter > 'Z') break
    column = column * 26 + letter.charCodeAt(0) - 64
  }
  return column - 1
}
