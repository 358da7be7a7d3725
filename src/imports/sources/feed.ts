import type { Adapted, Adapter } from './adapter.ts'
import { fetchFrom, type Reach, sourceProblem } from './fetch.ts'
import { lonjaJson } from './lonja-json.ts'
import { tableFeed } from './table-feed.ts'
import { trovit } from './trovit.ts'

const BOUNDS = { deadlineMs: 180_000, maxBytes: 300 * 2 ** 20 }

/** Bytes that tell the format. */
const ENOUGH = 200

/** Reads the document at a feed's address, whatever its format; `work` must take all of it. */
export async function readFeed<T>(
  reach: Reach,
  url: string,
  work: (adapted: Adapted) => Promise<T>,
): Promise<T> {
  const answer = await fetchFrom(reach, url, BOUNDS)
  try {
    if (answer.code !== 200) throw sourceProblem('source_answered', { code: answer.code })
    const bytes = answer.bytes[Symbol.asyncIterator]()
    let start: Buffer = Buffer.alloc(0)
    while (start.length < ENOUGH) {
      const next = await bytes.next()
      if (next.done) break
      start = Buffer.concat([start, next.value])
    }
    return await work(await adapterFor(start)(resumed(start, bytes)))
  } finally {
    answer.close()
  }
}

function adapterFor(start: Buffer): Adapter {
  const text = start
    .toString('utf8', 0, 100)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('{') || text.startsWith('[')) return lonjaJson
  return text.startsWith('<') ? trovit : tableFeed
}

async function* resumed(start: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield start
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}
