import { sql } from 'kysely'
import { lockAgent } from '../agents/service.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Lang } from '../lib/i18n.ts'

export interface Collection {
  id: string
  agent_id: string
  token: string
  title: string
  message: string | null
  lang: Lang
  active: boolean
  created_at: Date
}

const COLUMNS = ['id', 'agent_id', 'token', 'title', 'message', 'lang', 'active', 'created_at'] as const

export interface CollectionInList extends Collection {
  /** How many of its listings are public. */
  shown: number
  leads: number
}

/** Newest first. */
export async function listCollections(db: Sql, agentId: string): Promise<CollectionInList[]> {
  const { rows } = await sql<CollectionInList>`
    select c.id, c.agent_id, c.token, c.title, c.message, c.lang, c.active, c.created_at,
      (select count(*) from collection_listings p join listings l on l.id = p.listing_id
        join agents a on a.id = l.agent_id where p.collection_id = c.id and is_public(l, a)) as shown,
      (select count(*) from leads d where d.agent_id = c.agent_id and d.source = 'collection:' || c.id) as leads
    from collections c where c.agent_id = ${agentId} order by c.created_at desc, c.id`.execute(db)
  return rows
}

export function findCollection(db: Sql, id: string): Promise<Collection | undefined> {
  return db.selectFrom('collections').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Locks its contents until the transaction ends. */
export function lockCollection(tx: Tx, id: string): Promise<Collection | undefined> {
  return tx.selectFrom('collections').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst()
}

export type SharedCollection = Collection & { agent_slug: string }

/** Only for public agents. */
export async function findByToken(db: Sql, token: string): Promise<SharedCollection | undefined> {
  const { rows } = await sql<SharedCollection>`
    select c.id, c.agent_id, c.token, c.title, c.message, c.lang, c.active, c.created_at, a.slug as agent_slug
    from collections c join agents a on a.id = c.agent_id
    where c.token = ${token} and is_public(a)`.execute(db)
  return rows[0]
}

/** Counts an agent's, locked against additions until the transaction ends. */
export async function countLocked(tx: Tx, agentId: string): Promise<number> {
  await lockAgent(tx, agentId)
  const row = await tx
    .selectFrom('collections')
    .select(tx.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return row.count
}

export function insertCollection(
  tx: Tx,
  collection: { agent_id: string; token: string; title: string; message: string | null; lang: Lang },
) {
  return tx.insertInto('collections').values(collection).returning('id').executeTakeFirstOrThrow()
}

export function updateCollection(
  tx: Tx,
  id: string,
  changes: { title?: string; message?: string | null; lang?: Lang; active?: boolean },
) {
  return tx
    .updateTable('collections')
    .set({ ...changes, updated_at: sql<Date>`next_stamp(updated_at)` })
    .where('id', '=', id)
    .execute()
}

export function deleteCollection(tx: Tx, id: string) {
  return tx.deleteFrom('collections').where('id', '=', id).execute()
}

// ---- contents --------------------------------------------------------------------------------------------

export interface Entry {
  listing_id: string
  is_public: boolean
}

export async function listEntries(db: Sql, collectionId: string): Promise<Entry[]> {
  const { rows } = await sql<Entry>`
    select p.listing_id, is_public(l, a) as is_public
    from collection_listings p
    join listings l on l.id = p.listing_id
    join agents a on a.id = l.agent_id
    where p.collection_id = ${collectionId} order by p.position`.execute(db)
  return rows
}

/** Adds public listings only and returns whether it did. Existing entries keep their place. */
export async function insertEntry(tx: Tx, collectionId: string, listingId: string): Promise<boolean> {
  const { rows } = await sql<{ is_public: boolean }>`
    with wanted as (
      select l.id from listings l join agents a on a.id = l.agent_id where l.id = ${listingId} and is_public(l, a)
    ), added as (
      insert into collection_listings (collection_id, listing_id, position)
      select ${collectionId}, id,
        (select coalesce(max(position), 0) + 1 from collection_listings where collection_id = ${collectionId})
      from wanted on conflict (collection_id, listing_id) do nothing
    )
    select true as is_public from wanted`.execute(tx)
  return rows.length > 0
}

export function deleteEntry(tx: Tx, collectionId: string, listingId: string) {
  return tx
    .deleteFrom('collection_listings')
    .where('collection_id', '=', collectionId)
    .where('listing_id', '=', listingId)
    .execute()
}

export async function updateOrder(tx: Tx, collectionId: string, listingIds: readonly string[]) {
  await sql`
    update collection_listings p set position = o.place
    from unnest(${[...listingIds]}::uuid[]) with ordinality as o (listing_id, place)
    where p.collection_id = ${collectionId} and p.listing_id = o.listing_id`.execute(tx)
}
