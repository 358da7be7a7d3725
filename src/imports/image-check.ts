import type { Db } from '../db/database.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { cut } from '../lib/text.ts'
import { readStaged } from './row.ts'
import { fetchFrom, type Reach } from './sources/fetch.ts'
import { addNotes, findImport, listStagedWritten, requestImageCheck, type StagedRow } from './store.ts'

const BATCH = 10
const AT_ONCE = 4
const SLICE_MS = 20_000
/** For each import: enough for most, and no stranger's server is asked for days. */
const MOST = 3_000
const BOUNDS = { deadlineMs: 8_000, maxBytes: 1, headers: { accept: 'image/*' } }

export interface ImageCheck {
  id: string
  /** The number of the last row that was looked at. */
  after: number
  checked: number
}

/** Looks for linked photos that cannot be opened, after the run and in slices; the rows of the import name them. */
export async function checkImages(db: Db, reach: Reach, { id, after, checked }: ImageCheck): Promise<void> {
  const one = await findImport(db, id)
  const until = Date.now() + SLICE_MS
  for (let at = after, count = checked; one && count < MOST; ) {
    const rows = await listStagedWritten(db, id, at, BATCH)
    const last = rows.at(-1)
    if (!last) return
    const links = rows.flatMap(row => linksOf(row, one.columns).map(url => ({ number: row.number, url })))
    for (let i = 0; i < links.length; i += AT_ONCE) {
      await Promise.all(
        links.slice(i, i + AT_ONCE).map(async ({ number, url }) => {
          if (await isBroken(reach, url)) await addNotes(db, id, number, [brokenImage(url)])
        }),
      )
    }
    at = last.number
    count += links.length
    if (Date.now() > until) return requestImageCheck(db, { id, after: at, checked: count })
  }
}

const brokenImage = (url: string): Issue => issue('images', 'broken_image', { url: cut(url, 200) })

/** The guard opens only https. */
function linksOf({ cells }: StagedRow, columns: Parameters<typeof readStaged>[1]): string[] {
  const { images } = readStaged(cells, columns).sent.value
  return (images ?? []).filter(url => url.startsWith('https://'))
}

/** A redirect is not followed, and says nothing against the photo. */
async function isBroken(reach: Reach, url: string): Promise<boolean> {
  try {
    const { code, type, close } = await fetchFrom(reach, url, BOUNDS)
    close()
    return (
      code >= 400 ||
      (code === 200 && type !== undefined && !/^(image\/|application\/octet-stream)/i.test(type))
    )
  } catch (error) {
    if (error instanceof Problem) return true
    throw error
  }
}
