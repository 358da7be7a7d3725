import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { readCsv } from './csv.ts'
import { bounded, unreadable } from './limits.ts'
import { readXlsx } from './xlsx.ts'

const ARCHIVE = Buffer.from('PK\u0003\u0004')
/** Workbooks from before 2007, and ones with a password. */
const OLD_OFFICE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/** The rows of a spreadsheet, whatever its name says. Reads as fast as they are taken, and keeps none. */
export async function* readTable(path: string): AsyncGenerator<string[]> {
  const file = await open(path)
  const start = Buffer.alloc(4)
  await file.read(start, 0, 4, 0).finally(() => file.close())
  if (start.equals(OLD_OFFICE)) throw unreadable()
  if (start.equals(ARCHIVE)) yield* bounded(readXlsx(path))
  else yield* bounded(readCsv(createReadStream(path)))
}
