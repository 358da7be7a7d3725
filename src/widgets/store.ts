import { sql } from 'kysely'
import { lockAgent } from '../agents/service.ts'
import type { Sql, Tx } from '../db/database.ts'
import type { Lang } from '../lib/i18n.ts'
import type { WidgetKind } from './rules.ts'

export interface Widget {
  id: string
  agent_id: string
  name: string
  kind: WidgetKind
  domains: string[]
  lang: Lang
  active: boolean
  /** By the operator; the agent cannot undo it. */
  revoked_at: Date | null
  created_at: Date
}

const COLUMNS = [
  'id',
  'agent_id',
  'name',
  'kind',
  'domains',
  'lang',
  'active',
  'revoked_at',
  'created_at',
] as const

export type WidgetInList = Widget & { leads: number }

/** Newest first. */
export async function listWidgets(db: Sql, agentId: string): Promise<WidgetInList[]> {
  const { rows } = await sql<WidgetInList>`
    select w.id, w.agent_id, w.name, w.kind, w.domains, w.lang, w.active, w.revoked_at, w.created_at,
      (select count(*) from leads d where d.agent_id = w.agent_id and d.source = 'widget:' || w.id) as leads
    from widgets w where w.agent_id = ${agentId} order by w.created_at desc, w.id`.execute(db)
  return rows
}

/** Widgets in use by all agents, most leads first. */
export async function listInUse(db: Sql, limit: number): Promise<(WidgetInList & { agent: string })[]> {
  const { rows } = await sql<WidgetInList & { agent: string }>`
    select w.id, w.agent_id, w.name, w.kind, w.domains, w.lang, w.active, w.revoked_at, w.created_at, a.email as agent,
      (select count(*) from leads d where d.agent_id = w.agent_id and d.source = 'widget:' || w.id) as leads
    from widgets w join agents a on a.id = w.agent_id
    where w.active and w.revoked_at is null
    order by leads desc, w.created_at desc, w.id limit ${limit}`.execute(db)
  return rows
}

/** Undefined if unknown or already revoked. */
export function revokeWidget(tx: Tx, id: string) {
  return tx
    .updateTable('widgets')
    .set({ revoked_at: sql<Date>`now_ms()` })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
}

export function findWidget(db: Sql, id: string): Promise<Widget | undefined> {
  return db.selectFrom('widgets').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

export type ShownWidget = Widget & { agent_slug: string }

/** A widget that may be shown: in use and of a public agent. */
export async function findShown(db: Sql, id: string): Promise<ShownWidget | undefined> {
  const { rows } = await sql<ShownWidget>`
    select w.id, w.agent_id, w.name, w.kind, w.domains, w.lang, w.active, w.revoked_at, w.created_at, a.slug as agent_slug
    from widgets w join agents a on a.id = w.agent_id
    where w.id = ${id} and w.active and w.revoked_at is null and is_public(a)`.execute(db)
  return rows[0]
}

/** Counts an agent's, locked against additions until the transaction ends. */
export async function countLocked(tx: Tx, agentId: string): Promise<number> {
  await lockAgent(tx, agentId)
  const row = await tx
    .selectFrom('widgets')
    .select(tx.fn.countAll<number>().as('count'))
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  return row.count
}

type NewWidget = Pick<Widget, 'agent_id' | 'name' | 'kind' | 'domains' | 'lang'>

export function insertWidget(tx: Tx, widget: NewWidget) {
  return tx.insertInto('widgets').values(widget).returning('id').executeTakeFirstOrThrow()
}

export function updateWidget(
  tx: Tx,
  id: string,
  changes: Partial<Omit<NewWidget, 'agent_id'>> & { active?: boolean },
) {
  return tx.updateTable('widgets').set(changes).where('id', '=', id).execute()
}

export function deleteWidget(tx: Tx, id: string) {
  return tx.deleteFrom('widgets').where('id', '=', id).execute()
}
