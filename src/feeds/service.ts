import { randomUUID } from 'node:crypto'
import { listCollections } from '../collections/service.ts'
import type { Db, Tx } from '../db/database.ts'
import type { Reading } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import type { SealedBox } from '../lib/sealed-box.ts'
import { isUuid } from '../lib/uuid.ts'
import { formatOf } from './formats/index.ts'
import { type FeedPatch, hashOf, MAX_FEEDS, newToken, readFile, type Source } from './rules.ts'
import * as store from './store.ts'

export { type Feed, hasAgency, type LiveFeed, listAll, listFeeds, updateRead } from './store.ts'

/** The agent's; not_found for another agent's. */
export async function findOwn(db: Db | Tx, agentId: string, id: string): Promise<store.Feed> {
  const feed = isUuid(id) ? await store.findFeed(db, id) : undefined
  if (feed?.agent_id !== agentId) throw new Problem('not_found')
  return feed
}

export async function createFeed(
  db: Db,
  box: SealedBox,
  agentId: string,
  { value, issues }: Reading<FeedPatch>,
): Promise<string> {
  const wanted = await wantedOf(db, agentId, { value, issues })
  return db.transaction().execute(async tx => {
    if ((await store.countLocked(tx, agentId)) >= MAX_FEEDS) {
      throw new Problem('conflict', { issues: [issue('', 'too_many_feeds', { max: MAX_FEEDS })] })
    }
    const id = randomUUID()
    await store.insertFeed(tx, { id, agent_id: agentId, ...wanted, ...newAddress(box, id) })
    return id
  })
}

/** The next read has what was chosen. The address stays, except for its extension if the new format has another. */
export async function changeFeed(
  db: Db,
  agentId: string,
  id: string,
  sent: Reading<FeedPatch>,
): Promise<void> {
  await findOwn(db, agentId, id)
  const wanted = await wantedOf(db, agentId, sent)
  await db.transaction().execute(async tx => {
    await findOwn(tx, agentId, id)
    await store.updateFeed(tx, id, wanted)
  })
}

/** What a feed is to hold, if all of it was sent and can be used. */
async function wantedOf(db: Db, agentId: string, { value, issues }: Reading<FeedPatch>) {
  const missing = (['name', 'listings', 'format'] as const).filter(name => !(name in value))
  refuseIfAny([...issues, ...missing.map(name => issue(name, 'required'))])
  const { name, listings, format } = value
  if (!name || !listings || !format) throw new Error('refused above')
  return { name, format, ...(await sourceOf(db, agentId, listings)) }
}

/** Another agent's collection is as unknown as one that does not exist. */
async function sourceOf(
  db: Db,
  agentId: string,
  listings: string,
): Promise<{ source: Source; collection_id: string | null }> {
  if (listings === 'own') return { source: 'own', collection_id: null }
  if (listings === 'agency') {
    if (!(await store.hasAgency(db, agentId))) refuseIfAny([issue('listings', 'no_agency')])
    return { source: 'agency', collection_id: null }
  }
  const collections = await listCollections(db, agentId)
  const collection = collections.find(({ id }) => id === listings)
  if (!collection) throw new Problem('validation', { issues: [issue('listings', 'unknown_collection')] })
  return { source: 'collection', collection_id: collection.id }
}

/** The sealed token is bound to its feed. */
export function newAddress(box: SealedBox, id: string) {
  const token = newToken()
  return { token_hash: hashOf(token), token: box.seal(Buffer.from(token), id) }
}

/** The old address stops working with the commit. */
export async function renewFeed(db: Db, box: SealedBox, agentId: string, id: string): Promise<void> {
  await db.transaction().execute(async tx => {
    await findOwn(tx, agentId, id)
    await store.updateToken(tx, id, newAddress(box, id))
  })
}

/** For the operator; not_found if it is gone already. */
export async function revokeAny(tx: Tx, id: string): Promise<store.Feed> {
  const feed = isUuid(id) ? await store.findFeed(tx, id) : undefined
  if (!feed) throw new Problem('not_found')
  await store.deleteFeed(tx, id)
  return feed
}

export async function revokeFeed(db: Db, agentId: string, id: string): Promise<void> {
  await db.transaction().execute(async tx => {
    await findOwn(tx, agentId, id)
    await store.deleteFeed(tx, id)
  })
}

/** Undefined if the key of the installation is not the one it was sealed with: the address still works. */
export function addressOf(box: SealedBox, publicUrl: string, feed: store.Feed): string | undefined {
  try {
    const token = box.open(feed.token, feed.id).toString()
    return `${publicUrl}/feeds/${token}.${formatOf(feed.format).extension}`
  } catch {
    return undefined
  }
}

/** Undefined for an unknown or revoked address, or an agent who is not public. */
export async function findByFile(db: Db, file: string): Promise<store.LiveFeed | undefined> {
  const address = readFile(file)
  const feed = address && (await store.findByHash(db, hashOf(address.token)))
  return feed && formatOf(feed.format).extension === address.extension ? feed : undefined
}
