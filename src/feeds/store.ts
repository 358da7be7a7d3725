import { sql } from 'kysely'
import { lockAgent } from '../agents/service.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { FormatName, Reader, Source } from './rules.ts'

export interface Feed {
  id: string
  agent_id: string
  name: string
  format: FormatName
  source: Source
  collection_id: string | null
  /** Sealed. */
  token: Buffer
  created_at: Date
  read_at: Date | null
  read_client: string | null
  read_network: string | null
}

const COLUMNS = [
  'id',
  'agent_id',
  'name',
  'format',
  'source',
  'collection_id',
  'token',
  'created_at',
  'read_at',
  'read_client',
  'read_network',
] as const

/** Newest first. */
export function listFeeds(db: Sql, agentId: string): Promise<Feed[]> {
  return db
    .selectFrom('feeds')
    .select(COLUMNS)
    .where('agent_id', '=', agentId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute() as Promise<Feed[]>
}

/** Of all agents, read last first. */
export async function listAll(db: Sql, limit: number): Promise<(Feed & { agent: string })[]> {
  const { rows } = await sql<Feed & { agent: string }>`
    select ${sql.join(COLUMNS.map(name => sql.ref(`f.${name}`)))}, a.email as agent
    from feeds f join agents a on a.id = f.agent_id
    order by f.read_at desc nulls last, f.created_at desc, f.id limit ${limit}`.execute(db)
  return rows
}

export function findFeed(db: Sql, id: string): Promise<Feed | undefined> {
  return db.selectFrom('feeds').select(COLUMNS).where('id', '=', id).executeTakeFirst() as Promise<
    Feed | undefined
  >
}

export interface LiveFeed {
  id: string
  agent_id: string
  name: string
  format: FormatName
  source: Source
  collection_id: string | null
  agent_name: string
  agent_slug: string
  agency_id: string | null
}

/** Only while its agent is public. */
export async function findByHash(db: Sql, hash: Buffer): Promise<LiveFeed | undefined> {
  const { rows } = await sql<LiveFeed>`
    select f.id, f.agent_id, f.name, f.format, f.source, f.collection_id,
      a.name as agent_name, a.slug as agent_slug, a.agency_id
    from feeds f join agents a on a.id = f.agent_id
    where f.token_hash = ${hash} and is_public(a)`.execute(db)
  return rows[0]
}

/** At most once a minute for the same reader: many small reads must not become many writes. */
export async function updateRead(db: Sql, id: string, { client, network }: Reader): Promise<void> {
  await sql`
    update feeds set read_at = now_ms(), read_client = ${client}, read_network = ${network}
    where id = ${id} and (read_at is null or read_at < now_ms() - interval '1 minute'
      or (read_client, read_network) is distinct from (${client}::text, ${network}::text))`.execute(db)
}

/** Counts an agent's, locked against additions until the transaction ends. */
export async function countLocked(tx: Tx, agentId: string): Promise<number> {
  await lockAgent(tx, agentId)
  const row = await tx
    .selectFrom('feeds')
    .select(tx.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function hasAgency(db: Sql, agentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('agents')
    .select('agency_id')
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()
  return row.agency_id !== null
}

export interface NewFeed {
  id: string
  agent_id: string
  name: string
  format: FormatName
  source: Source
  collection_id: string | null
  token_hash: Buffer
  token: Buffer
}

export function insertFeed(tx: Tx, feed: NewFeed) {
  return tx.insertInto('feeds').values(feed).execute()
}

export function updateFeed(
  tx: Tx,
  id: string,
  wanted: Pick<NewFeed, 'name' | 'format' | 'source' | 'collection_id'>,
) {
  return tx.updateTable('feeds').set(wanted).where('id', '=', id).execute()
}

/** Who read the old address says nothing about the new one. */
export function updateToken(tx: Tx, id: string, token: { token_hash: Buffer; token: Buffer }) {
  return tx
    .updateTable('feeds')
    .set({ ...token, read_at: null, read_client: null, read_network: null })
    .where('id', '=', id)
    .execute()
}

export function deleteFeed(tx: Tx, id: string) {
  return tx.deleteFrom('feeds').where('id', '=', id).execute()
}
