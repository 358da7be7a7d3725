import { lockAgent } from '../agents/service.ts'
import type { Db, Tx } from '../db/database.ts'
import { type Flaw, issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import { requestNotice } from '../outbox/store.ts'
import type { Search } from '../search/service.ts'
import { filtersOf, MAX_ACTIVE, type Notices, readNeed } from './rules.ts'
import * as store from './store.ts'

export {
  countForListing,
  countFresh,
  listBoard,
  listMatches,
  listMatching,
  listNeeds,
  listWanted,
  type NeedInList,
  type NeedRow,
  type OnBoard,
  stopNotices,
} from './store.ts'

export interface NeedDeps {
  db: Db
  search: Search | undefined
  now: () => Date
}

const notFound = () => new Problem('not_found')
const conflict = (...flaw: Flaw) => new Problem('conflict', { issues: [issue('', ...flaw)] })

/** Another agent's need does not exist. */
export async function ownNeed(db: Db | Tx, agentId: string, id: string): Promise<store.NeedRow> {
  const need = isUuid(id) ? await store.findNeed(db, agentId, id) : undefined
  if (!need || need.closed_at) throw notFound()
  return need
}

/** Not found unless it is on the board. */
export const findOnBoard = async (db: Db | Tx, id: string): Promise<store.OnBoard | undefined> =>
  isUuid(id) ? store.findOnBoard(db, id) : undefined

export async function createNeed(deps: NeedDeps, agentId: string, form: URLSearchParams): Promise<string> {
  const { value, issues } = readNeed(form, deps.now())
  refuseIfAny(issues)
  const id = await deps.db.transaction().execute(async tx => {
    await lockAgent(tx, agentId)
    if ((await store.countActive(tx, agentId)) >= MAX_ACTIVE)
      throw conflict('too_many_needs', { max: MAX_ACTIVE })
    return store.insertNeed(tx, agentId, value)
  })
  await holdNeed(deps, await ownNeed(deps.db, agentId, id))
  return id
}

export async function changeNeed(
  deps: NeedDeps,
  agentId: string,
  id: string,
  form: URLSearchParams,
): Promise<void> {
  const { value, issues } = readNeed(form, deps.now())
  await deps.db.transaction().execute(async tx => {
    await lockAgent(tx, agentId)
    const need = await ownNeed(tx, agentId, id)
    refuseIfAny(issues)
    // One that was over is active again.
    if (need.until < deps.now() && (await store.countActive(tx, agentId)) >= MAX_ACTIVE)
      throw conflict('too_many_needs', { max: MAX_ACTIVE })
    await store.updateNeed(tx, id, value)
  })
  await holdNeed(deps, await ownNeed(deps.db, agentId, id))
}

export async function closeNeed(db: Db, agentId: string, id: string): Promise<void> {
  await db.transaction().execute(async tx => {
    await ownNeed(tx, agentId, id)
    await store.closeNeed(tx, id)
  })
}

export async function dismissMatch(db: Db, agentId: string, id: string, listingId: string): Promise<void> {
  await ownNeed(db, agentId, id)
  if (!isUuid(listingId)) throw notFound()
  await store.dismiss(db, id, listingId)
}

/** The newest are kept as matches; the market shows all of them. */
const MOST_FOUND = 100

/**
 * Holds a need against the market. It is committed before: what changes from then on, the feed finds. If the process dies
 * here, the next view of the need repeats it.
 */
export async function holdNeed({ db, search }: NeedDeps, need: store.NeedRow): Promise<void> {
  if (need.held_at || !search?.isReady) return
  await search.refreshSoon()
  const found = new Map<string, number>()
  for (const filters of filtersOf(need)) {
    for (const { id, xid } of await search.newest(filters, need.agent_id, MOST_FOUND)) found.set(id, xid)
  }
  const listings = [...found].map(([id, xid]) => ({ id, xid }))
  await db.transaction().execute(tx => store.insertFound(tx, need.id, listings))
}

const MOST_HELD = 1_000

/** When a process starts: what one that died, or a restore, left to do. */
export async function holdWaiting(deps: NeedDeps): Promise<void> {
  await deps.search?.refresh()
  for (const need of await store.listUnheld(deps.db, MOST_HELD)) await holdNeed(deps, need)
}

export const requestMatchMail = (tx: Tx, agentId: string, notices: Notices): Promise<void> =>
  requestNotice(
    tx,
    { kind: 'need-matches', agentId, ids: [notices] },
    { key: `needs ${notices} ${agentId}`, notBefore: new Date() },
  )

/** What a mail is about; the same whenever it is repeated, and in no other mail. */
export function takeForMail(
  db: Db,
  mailId: string,
  about: { agentId: string; notices: Notices },
): Promise<store.InMail[]> {
  return db.transaction().execute(async tx => {
    await store.giveToMail(tx, mailId, about)
    return store.listInMail(tx, mailId, about.notices)
  })
}

/** After it, a need that ended is over for good. */
const MATCHES_KEPT_DAYS = 90
const BATCH = 10_000

export async function deleteOldMatches(db: Db): Promise<void> {
  while ((await store.deleteOldMatches(db, MATCHES_KEPT_DAYS, BATCH)) === BATCH);
}

/** One mail a day for each agent with new matches of needs with daily notices. */
export function announceDaily(db: Db, now: Date): Promise<number> {
  return db.transaction().execute(async tx => {
    const agents = await store.takeDaily(tx, now.toISOString().slice(0, 10))
    for (const agentId of agents) await requestMatchMail(tx, agentId, 'daily')
    return agents.length
  })
}
