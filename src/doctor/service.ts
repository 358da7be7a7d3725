import type { Db, Tx } from '../db/database.ts'
import { Problem } from '../lib/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import type { ListingPatch } from '../listings/fields.ts'
import { findVisible, updateListing } from '../listings/service.ts'
import { unchangedSince } from '../listings/version.ts'
import { toState } from './borders.ts'
import { DUPLICATES, examine, FIXABLE, type Finding, KINDS, type Kind, TEXT_FIELDS } from './rules.ts'
import * as store from './store.ts'
import { hasContact, inSentences, isShouted, withoutContact } from './texts.ts'

export { countFindings, type Duplicate, listDuplicates, listFindings, type Shown } from './store.ts'

const BATCH = 200
/** Per run, which is every minute: a million listings are examined again in less than two hours. */
const MOST = 10_000
const DAY_MS = 24 * 3_600_000

/** Examines what changed since the last run; once a day everything, against what is usual then. Returns how many. */
export async function examineChanged(db: Db, now: Date): Promise<number> {
  await db.transaction().execute(async tx => {
    const { levels_at } = await store.lockPosition(tx)
    if (!levels_at || now.getTime() - levels_at.getTime() >= DAY_MS) await store.refreshLevels(tx)
  })
  let examined = 0
  while (examined < MOST) {
    const count = await db.transaction().execute(async tx => {
      const changed = await store.listChanged(tx, await store.lockPosition(tx), BATCH)
      const last = changed.at(-1)
      if (!last) return 0
      await examineListings(
        tx,
        changed.map(({ id }) => id),
      )
      await store.writePosition(tx, last)
      return changed.length
    })
    examined += count
    if (count < BATCH) break
  }
  return examined
}

async function examineListings(tx: Tx, ids: readonly string[]): Promise<void> {
  const facts = await store.findFacts(tx, ids)
  await store.writeFindings(tx, ids, bothSides(facts.flatMap(one => examine(one, toState))))
}

/** The agent of the older listing gets to know as well. */
function bothSides(found: readonly Finding[]): Finding[] {
  const others = found.flatMap(({ listing_id, other_id, ...finding }) =>
    other_id === null ? [] : [{ listing_id: other_id, other_id: listing_id, ...finding }],
  )
  const keyOf = ({ listing_id, kind, other_id }: Finding) => `${listing_id} ${kind} ${other_id}`
  return [...new Map([...found, ...others].map(finding => [keyOf(finding), finding])).values()]
}

/** "It is right": the finding comes back only if its figures change. */
export async function dismiss(
  db: Db,
  agentId: string,
  listingId: string,
  kind: string,
  otherId: string | null,
): Promise<void> {
  const isKnown = isUuid(listingId) && isKind(kind) && (otherId === null || isUuid(otherId))
  const isDone =
    isKnown &&
    (await db.transaction().execute(tx => store.dismissFinding(tx, agentId, { listingId, kind, otherId })))
  if (!isDone) throw new Problem('not_found')
}

const isKind = (kind: string): kind is Kind => KINDS.includes(kind as Kind)
export const isFixable = (kind: Kind): boolean => FIXABLE.includes(kind)
export const isDuplicate = (kind: Kind): boolean => DUPLICATES.includes(kind)

/** Corrects the texts, as an edit in the portal: with its entry in the history and its event. */
export async function fix(db: Db, agentId: string, listingId: string, kind: string): Promise<void> {
  const listing = isUuid(listingId) ? await findVisible(db, listingId, agentId) : undefined
  if (!listing || listing.agent_id !== agentId || !isKind(kind) || !isFixable(kind))
    throw new Problem('not_found')
  const [isWrong, correct] = kind === 'capitals' ? [isShouted, inSentences] : [hasContact, withoutContact]
  const wrong = TEXT_FIELDS.filter(name => isWrong(listing[name] ?? ''))
  const value = Object.fromEntries(
    wrong.map(name => [name, correct(listing[name] ?? '') || null]),
  ) as ListingPatch
  const edit = { sent: { value, issues: [] }, via: 'portal' as const, check: unchangedSince(listing.version) }
  await updateListing(db, agentId, listing.id, edit)
  await db.transaction().execute(async tx => {
    await store.lockPosition(tx)
    await examineListings(tx, [listing.id])
  })
}
