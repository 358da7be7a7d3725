import { type Db, nested, type Tx } from '../db/database.ts'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { putItem } from '../listings/by-external-id.ts'
import { foresee } from '../listings/plan.ts'
import { type Kept, keep, restoreListing } from '../listings/restore.ts'
import { changeStatus, type ListingRow, listByIds, listNamed, lockOwn } from '../listings/service.ts'
import { type ReadRow, readStaged } from './row.ts'
import { type Counts, MOST_MISSING, statusFor } from './rules.ts'
import * as sources from './source-store.ts'
import type { Import, Outcome } from './store.ts'
import * as store from './store.ts'

/** Few enough to be a short transaction: followers of changes wait for the oldest one. */
const BATCH = 20

/** The next rows of an import, in one transaction with its position; or the end of its phase. */
export async function step(db: Db, id: string): Promise<void> {
  await db.transaction().execute(async tx => {
    const one = await store.lockImport(tx, id)
    if (one?.phase === 'checking' || one?.phase === 'running') await stepForward(tx, one, one.phase)
    if (one?.phase === 'undoing') await stepBack(tx, one)
  })
}

async function stepForward(tx: Tx, one: Import, phase: 'checking' | 'running'): Promise<void> {
  const rows = await store.listStaged(tx, one.id, one.position, BATCH, phase)
  const last = rows.at(-1)
  if (!last) return endOf(tx, one, phase)
  const read = rows.map(row => ({ number: row.number, row: readStaged(row.cells, one.columns) }))
  const outcomes = phase === 'checking' ? await checkRows(tx, one, read) : await runRows(tx, one, read)
  await store.saveOutcomes(tx, one.id, outcomes)
  if (one.source_id && phase === 'running') await sources.saveItems(tx, one.source_id, itemsOf(outcomes))
  await store.updateImport(tx, one.id, {
    position: last.number,
    counts: added(
      one.counts,
      outcomes.map(({ result }) => result),
    ),
  })
}

/** A connection the agent trusts goes on by itself, unless too much of it is missing. */
async function endOf(tx: Tx, one: Import, phase: 'checking' | 'running'): Promise<void> {
  if (phase === 'running') {
    await store.updateImport(tx, one.id, { phase: 'done', finished_at: new Date() })
    await store.requestImageCheck(tx, { id: one.id, after: 0, checked: 0 })
    return
  }
  const source = one.source_id ? await sources.findSource(tx, one.source_id) : undefined
  const { refused = 0, unpublished = 0 } = one.counts
  const isUsual = source?.trusted && unpublished <= (await sources.countLive(tx, source.id)) * MOST_MISSING
  const next = isUsual ? { phase: 'running' as const, counts: { refused } } : { phase: 'ready' as const }
  await store.updateImport(tx, one.id, { ...next, position: 0 })
}

const itemsOf = (outcomes: readonly Outcome[]) =>
  outcomes.flatMap(({ external_id, result }) =>
    external_id === null || result === 'refused' ? [] : [{ external_id, missing: result === 'unpublished' }],
  )

interface Numbered {
  number: number
  row: ReadRow
}

type Known = ReadonlyMap<string, ListingRow & { imported: boolean }>

const namesOf = (rows: readonly Numbered[]) => rows.flatMap(({ row }) => row.externalId ?? [])

/** What the run would do, by the same rules. The second row of a listing is refused: only one of them can be right. */
async function checkRows(tx: Tx, one: Import, rows: readonly Numbered[]): Promise<Outcome[]> {
  const names = namesOf(rows)
  const first = await store.findFirst(tx, one.id, names, rows[0]?.number ?? 0)
  const known = await listNamed(tx, one.agent_id, names)
  await markReturned(tx, one, rows)
  return rows.map(({ number, row }) => {
    const { externalId } = row
    const earlier = externalId === undefined ? undefined : first.get(externalId)
    if (earlier !== undefined)
      return refused(number, row, [issue('external_id', 'row_repeated', { row: earlier })])
    if (externalId !== undefined) first.set(externalId, number)
    return foreseen(one, number, row, known)
  })
}

/**
 * What a connection took off the market comes back with it. Otherwise a connection does not publish what exists: its
 * agent may have had a reason to take it off.
 */
async function markReturned(
  tx: Tx,
  { source_id: sourceId }: Import,
  rows: readonly Numbered[],
): Promise<void> {
  if (!sourceId || rows.length === 0) return
  const returned = await sources.findMissing(tx, sourceId, namesOf(rows))
  for (const { row } of rows) {
    const isBack = row.externalId !== undefined && returned.has(row.externalId)
    if (isBack || row.status === 'published') row.status = isBack ? 'published' : undefined
  }
}

function foreseen(one: Import, number: number, row: ReadRow, known: Known): Outcome {
  if (row.externalId === undefined) return refused(number, row, row.sent.issues)
  const current = known.get(row.externalId)
  if (row.isMissing) {
    const result = current?.status === 'published' && one.unpublishes ? 'unpublished' : 'unchanged'
    return { ...outcomeOf(number, row), result, listing_id: current?.id ?? null }
  }
  const found = foresee(current, sentFor(row, current), statusFor(row, current, one.publishes))
  if (found.result === 'refused') return refused(number, row, found.issues)
  return { ...outcomeOf(number, row), result: found.result, listing_id: current?.id ?? null }
}

/** What is the same already costs no lock and no write. */
async function runRows(tx: Tx, one: Import, rows: readonly Numbered[]): Promise<Outcome[]> {
  const known = await listNamed(tx, one.agent_id, namesOf(rows))
  await markReturned(tx, one, rows)
  const outcomes: Outcome[] = []
  for (const { number, row } of rows) {
    const seen = foreseen(one, number, row, known)
    outcomes.push(seen.result === 'unchanged' ? seen : await putRow(tx, one, number, row, known))
  }
  return outcomes
}

const outcomeOf = (number: number, row: ReadRow): Outcome => ({
  number,
  external_id: row.externalId ?? null,
  result: 'refused',
  issues: [],
  notes: row.notes,
  listing_id: null,
  before: null,
  after: null,
})

const refused = (number: number, row: ReadRow, issues: Outcome['issues']) => ({
  ...outcomeOf(number, row),
  issues,
})

/** A new listing without a title gets one from what the row says. */
function sentFor({ sent, title }: ReadRow, current: ListingRow | undefined): ReadRow['sent'] {
  const isTitled = current !== undefined || 'title' in sent.value || title === undefined
  return isTitled ? sent : { ...sent, value: { ...sent.value, title } }
}

/** One listing, as a batch of the API would write it. */
async function putRow(tx: Tx, one: Import, number: number, row: ReadRow, known: Known): Promise<Outcome> {
  const { externalId } = row
  if (externalId === undefined) return refused(number, row, row.sent.issues)
  const { agent_id: agentId, publishes } = one
  try {
    return await nested(tx, async inner => {
      // Locked before it is kept: what comes in between would be undone, too.
      const name = { agentId, externalId }
      const current = known.has(externalId) ? await lockOwn(inner, agentId, name) : undefined
      const before: Kept | null = current ? await keep(inner, current) : null
      if (current && row.isMissing) return unpublish(inner, number, row, current, before)
      const edit = { sent: sentFor(row, current), via: 'portal' as const }
      const status = statusFor(row, current, publishes)
      const { result, row: listing } = await putItem(inner, agentId, externalId, edit, status)
      return {
        ...outcomeOf(number, row),
        result,
        listing_id: listing.id,
        before: result === 'changed' ? before : null,
        after: result === 'unchanged' ? null : listing.updated_at,
      }
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return refused(number, row, error.details.issues ?? [issue('', 'step_refused')])
  }
}

async function unpublish(
  tx: Tx,
  number: number,
  row: ReadRow,
  current: ListingRow,
  before: Kept | null,
): Promise<Outcome> {
  await changeStatus(tx, current.agent_id, current.id, 'unpublish', { via: 'portal' })
  const [after] = await listByIds(tx, [current.id])
  return {
    ...outcomeOf(number, row),
    result: 'unpublished',
    listing_id: current.id,
    before,
    after: after?.updated_at ?? null,
  }
}

async function stepBack(tx: Tx, one: Import): Promise<void> {
  const rows = await store.listWritten(tx, one.id, one.position, BATCH)
  const last = rows.at(-1)
  if (!last) return void (await store.updateImport(tx, one.id, { phase: 'undone', finished_at: new Date() }))
  const results: ('undone' | 'kept')[] = []
  for (const { number, listing_id: listingId, before, after } of rows) {
    const undone = await restoreListing(tx, listingId, before, after)
    await store.setUndone(tx, one.id, number, undone)
    results.push(undone ? 'undone' : 'kept')
  }
  await store.updateImport(tx, one.id, { position: last.number, counts: added(one.counts, results) })
}

function added(counts: Counts, results: readonly (keyof Counts)[]): Counts {
  const sum = { ...counts }
  for (const result of results) sum[result] = (sum[result] ?? 0) + 1
  return sum
}
