import type { Db } from '../db/database.ts'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import type { SealedBox } from '../lib/sealed-box.ts'
import type { Column } from './columns.ts'
import { READING } from './reading/limits.ts'
import { readStaged } from './row.ts'
import { findSource, insertMissing, type Source } from './source-store.ts'
import type { Foreign } from './sources/adapter.ts'
import { EASYBROKER, type EasyBroker, readEasyBrokerPage } from './sources/easybroker.ts'
import { readFeed } from './sources/feed.ts'
import { type Reach, sourceProblem } from './sources/fetch.ts'
import { type Import, insertRows, lockImport, updateImport } from './store.ts'

export interface SourceDeps {
  reach: Reach
  openBox(): Promise<SealedBox>
  easyBroker?: EasyBroker
}

const BATCH = 200

/** The records of a connection into the table: all of a feed, or the next page of EasyBroker. */
export async function stageSource(db: Db, deps: SourceDeps, one: Import): Promise<void> {
  const source = one.source_id ? await findSource(db, one.source_id) : undefined
  if (!source) throw sourceProblem('source_unreachable')
  if (source.kind === 'feed') await stageFeed(db, deps, one, source)
  else await stagePage(db, deps, one, source)
}

async function stageFeed(db: Db, { reach }: SourceDeps, one: Import, source: Source): Promise<void> {
  await readFeed(reach, source.url as string, async ({ columns, rows }) => {
    let waiting: (string[] | Foreign)[] = []
    let total = 0
    const flush = async () => {
      await stage(db, one.id, columns, waiting, total - waiting.length)
      waiting = []
    }
    for await (const row of rows) {
      waiting.push(row)
      if (++total > READING.rows) throw tooMany()
      if (waiting.length === BATCH) await flush()
    }
    await flush()
    if (total === 0) throw sourceProblem('source_unreadable')
    await finish(db, one, source, columns, total)
  })
}

const tooMany = () =>
  new Problem('validation', { issues: [issue('file', 'too_many_rows', { max: READING.rows })] })

/** Numbers follow from the page, so a page that is read again changes nothing. */
async function stagePage(db: Db, deps: SourceDeps, one: Import, source: Source): Promise<void> {
  const { reach, openBox, easyBroker: service = EASYBROKER } = deps
  const key = (await openBox()).open(source.key as Buffer, source.id).toString()
  const page = one.position + 1
  if (page * service.pageSize > READING.rows) throw tooMany()
  const { rows, hasMore } = await readEasyBrokerPage({ reach, key, service }, page)
  await stage(db, one.id, [], rows, one.position * service.pageSize)
  if (hasMore) await updateImport(db, one.id, { position: page })
  else await finish(db, one, source, [], page * service.pageSize)
}

/** With the names, by which what is missing is found. */
const stage = (db: Db, id: string, columns: Column[], rows: readonly (string[] | Foreign)[], from: number) =>
  insertRows(
    db,
    id,
    rows.map((cells, i) => ({
      number: from + i + 1,
      cells,
      external_id: readStaged(cells, columns).externalId ?? null,
    })),
  )

async function finish(db: Db, one: Import, source: Source, columns: Column[], last: number): Promise<void> {
  await db.transaction().execute(async tx => {
    // Unless it was canceled meanwhile.
    if ((await lockImport(tx, one.id))?.phase !== 'reading') return
    await insertMissing(tx, source.id, one.id, last)
    const { count } = await tx
      .selectFrom('import_rows')
      .select(tx.fn.countAll<number>().as('count'))
      .where('import_id', '=', one.id)
      .executeTakeFirstOrThrow()
    await updateImport(tx, one.id, { phase: 'checking', position: 0, columns, total: count })
  })
}
