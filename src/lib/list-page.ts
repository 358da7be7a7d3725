import { describe } from './fields.ts'
import { numberParameter, type Parameter } from './query.ts'
import { isUuid } from './uuid.ts'

/** Where a page of a list by time ended. The next one begins after it, whether or not that row is still there. */
export interface ListPlace {
  at: Date
  id: string
}

const cursorOf = ({ at, id }: ListPlace): string =>
  Buffer.from(JSON.stringify([at.getTime(), id])).toString('base64url')

/** The year 10000, which PostgreSQL's input does not take. */
const END_OF_TIME = 253_402_300_800_000

const cursor: Parameter<ListPlace> = {
  schema: { type: 'string' },
  read(value, fail) {
    const [at, id] = parsed(String(value))
    if (!Number.isInteger(at) || at < 0 || at >= END_OF_TIME || typeof id !== 'string' || !isUuid(id))
      return void fail('foreign_cursor')
    return { at: new Date(at), id }
  },
}

function parsed(text: string): [at: number, id: unknown] {
  try {
    const [at, id] = JSON.parse(Buffer.from(text, 'base64url').toString())
    return [at, id]
  } catch {
    return [Number.NaN, undefined]
  }
}

/** A list of at most `max` entries at a time. */
export const pageParameters = (max: number) => ({
  limit: describe(
    numberParameter({ min: 1, max: Number.MAX_SAFE_INTEGER, decimals: 0 }),
    `Default ${max}; values over ${max} count as ${max}.`,
    100,
  ),
  cursor: describe(
    cursor,
    'Continues where another page ended. Do not build one yourself: follow the `Link` header.',
    'WzE3NzAxMTAwNDI3NzEsIjVmMGM4YTUyIl0',
  ),
})

/** Of one row more than the limit, the page, and the cursor of the next one if there is any. */
export function pageOf<T>(rows: T[], limit: number, placeOf: (row: T) => ListPlace) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: rows.length > limit && last ? cursorOf(placeOf(last)) : undefined }
}
