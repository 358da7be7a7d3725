import type { Static } from 'typebox'
import type { Db, Tx } from '../db/database.ts'
import type { Reading } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import { listingRecord } from '../listings/record.ts'
import type { ListingRecord } from '../listings/schema.ts'
import { listByIds } from '../listings/service.ts'
import { type CollectionPatch, isToken, MAX_COLLECTIONS, MAX_LISTINGS, moved, newToken } from './rules.ts'
import * as store from './store.ts'

export { type Collection, type CollectionInList, listCollections } from './store.ts'

type Listing = Static<typeof ListingRecord>

const notFound = () => new Problem('not_found')

/** The agent's; not_found for another agent's. */
export async function findOwn(db: Db, agentId: string, id: string): Promise<store.Collection> {
  const collection = isUuid(id) ? await store.findCollection(db, id) : undefined
  if (collection?.agent_id !== agentId) throw notFound()
  return collection
}

function onOwn<T>(db: Db, agentId: string, id: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(async tx => {
    const collection = isUuid(id) ? await store.lockCollection(tx, id) : undefined
    if (collection?.agent_id !== agentId) throw notFound()
    return work(tx)
  })
}

export async function createCollection(
  db: Db,
  agentId: string,
  { value, issues }: Reading<CollectionPatch>,
): Promise<string> {
  refuseIfAny('title' in value ? issues : [...issues, issue('title', 'required')])
  return db.transaction().execute(async tx => {
    if ((await store.countLocked(tx, agentId)) >= MAX_COLLECTIONS) {
      throw new Problem('conflict', {
        issues: [issue('', 'too_many_collections', { max: MAX_COLLECTIONS })],
      })
    }
    const { id } = await store.insertCollection(tx, {
      agent_id: agentId,
      token: newToken(),
      title: value.title as string,
      message: value.message ?? null,
      lang: value.lang ?? 'es',
    })
    return id
  })
}

export async function changeCollection(
  db: Db,
  agentId: string,
  id: string,
  { value, issues }: Reading<CollectionPatch>,
): Promise<void> {
  await findOwn(db, agentId, id)
  refuseIfAny(issues)
  const { title, message, lang } = value
  await onOwn(db, agentId, id, tx =>
    store.updateCollection(tx, id, {
      ...(title ? { title } : {}),
      ...(message === undefined ? {} : { message }),
      ...(lang ? { lang } : {}),
    }),
  )
}

/** A collection no longer shared answers as withdrawn and accepts no inquiries. */
export async function shareCollection(db: Db, agentId: string, id: string, active: boolean): Promise<void> {
  await onOwn(db, agentId, id, tx => store.updateCollection(tx, id, { active }))
}

export async function removeCollection(db: Db, agentId: string, id: string): Promise<void> {
  await onOwn(db, agentId, id, tx => store.deleteCollection(tx, id))
}

// ---- contents --------------------------------------------------------------------------------------------

/** Unknown, draft, opted out or withdrawn: the same answer, so probing reveals nothing. */
export async function addListing(db: Db, agentId: string, id: string, listingId: string): Promise<void> {
  await onOwn(db, agentId, id, async tx => {
    const entries = await store.listEntries(tx, id)
    if (entries.length >= MAX_LISTINGS) {
      throw new Problem('conflict', { issues: [issue('', 'collection_full', { max: MAX_LISTINGS })] })
    }
    if (!isUuid(listingId) || !(await store.insertEntry(tx, id, listingId))) throw notFound()
    await store.updateCollection(tx, id, {})
  })
}

export async function removeListing(db: Db, agentId: string, id: string, listingId: string): Promise<void> {
  await onOwn(db, agentId, id, async tx => {
    if (isUuid(listingId)) await store.deleteEntry(tx, id, listingId)
    await store.updateCollection(tx, id, {})
  })
}

export async function moveListing(
  db: Db,
  agentId: string,
  id: string,
  { listingId, step }: { listingId: string; step: -1 | 1 },
): Promise<void> {
  await onOwn(db, agentId, id, async tx => {
    const ids = (await store.listEntries(tx, id)).map(entry => entry.listing_id)
    await store.updateOrder(tx, id, moved(ids, listingId, step))
    await store.updateCollection(tx, id, {})
  })
}

/** An entry of a collection; `listing` is missing once it is no longer public. */
export interface Item {
  id: string
  listing: Listing | undefined
}

export async function listItems(db: Db, publicUrl: string, collectionId: string): Promise<Item[]> {
  const entries = await store.listEntries(db, collectionId)
  const shown = entries.filter(entry => entry.is_public).map(entry => entry.listing_id)
  const rows = shown.length === 0 ? [] : await listByIds(db, shown)
  const byId = new Map(rows.map(row => [row.id, listingRecord(row, null, publicUrl)]))
  return entries.map(({ listing_id: id }) => ({ id, listing: byId.get(id) }))
}

export const listListingIds = async (db: Db, collectionId: string): Promise<string[]> =>
  (await store.listEntries(db, collectionId)).map(entry => entry.listing_id)

// ---- the shared page -------------------------------------------------------------------------------------

export interface Shared {
  collection: store.SharedCollection
  listings: Listing[]
  /** How many have left the market since they were picked. */
  gone: number
}

/** Undefined for an unknown address or an agent who is not public. */
export async function findShared(db: Db, publicUrl: string, token: string): Promise<Shared | undefined> {
  const collection = isToken(token) ? await store.findByToken(db, token) : undefined
  if (!collection) return undefined
  const items = await listItems(db, publicUrl, collection.id)
  const listings = items.flatMap(item => item.listing ?? [])
  return { collection, listings, gone: items.length - listings.length }
}
