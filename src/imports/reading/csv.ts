import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { READING, unreadable } from './limits.ts'

/** Lines in which the delimiter is looked for. */
const LOOKED_AT = 20
const DELIMITERS = [',', ';', '\t', '|']
const UTF8 = new TextDecoder('utf-8', { fatal: true })
/** What Windows has in place of the control characters of Latin-1, from 0x80. (The decoder of Node 20 ignores them.) */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The rows of a text file, separated by commas, semicolons, tabs or bars. */
export async function* readCsv(bytes: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const lines = linesOf(bytes)
  const start: string[] = []
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    if (start.push(next.value) === LOOKED_AT) break
  }
  const declared = /^sep=(.)\r?\n?$/i.exec(start[0] ?? '')?.[1]
  if (declared) start.shift()
  const delimiter = declared ?? delimiterOf(start.join(''))
  const text = Readable.from(
    (async function* () {
      yield* start
      yield* lines
    })(),
  )
  const parser = text.pipe(
    parse({
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: READING.rowBytes,
    }),
  )
  text.on('error', error => parser.destroy(error))
  try {
    for await (const row of parser) yield row as string[]
  } catch (error) {
    // A quote that is never closed, or a row without an end.
    if (error instanceof CsvError) throw unreadable()
    throw error
  } finally {
    text.destroy()
  }
}

/** The one that occurs most, outside of quotes. Titles may come before the table. */
function delimiterOf(start: string): string {
  const plain = start.replace(/"[^"]*"/g, '')
  const counts = DELIMITERS.map(delimiter => plain.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string
}

/**
 * Line by line, each decoded for itself: files put together from several systems mix encodings. No byte of a longer
 * UTF-8 character is a line break.
 */
async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  let wide: TextDecoder | undefined
  let isStart = true
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (isStart) {
      if (rest.length < 3) continue
      isStart = false
      if (rest[0] === 0xff && rest[1] === 0xfe) wide = new TextDecoder('utf-16le')
      else if (rest[0] === 0xef && rest[1] === 0xbb && rest[2] === 0xbf) rest = rest.subarray(3)
    }
    if (wide) {
      yield wide.decode(rest, { stream: true })
      rest = Buffer.alloc(0)
      continue
    }
    let from = 0
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, from)) {
      yield decoded(rest.subarray(from, end + 1))
      from = end + 1
    }
    rest = rest.subarray(from)
    if (rest.length > READING.rowBytes) throw unreadable()
  }
  if (rest.length > 0) yield decoded(rest)
}

function decoded(line: Buffer): string {
  // Neither a text nor a table: an image, or a workbook under a wrong name.
  if (line.includes(0)) throw unreadable()
  try {
    return UTF8.decode(line)
  } catch {
    return line.toString('latin1').replace(/[\x80-\x9f]/g, one => WINDOWS[one.charCodeAt(0) - 0x80] as string)
  }
}
