import type { Db, Tx } from '../db/database.ts'
import type { Reading } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import { MAX_WIDGETS, type WidgetPatch } from './rules.ts'
import * as store from './store.ts'

export {
  listInUse,
  listWidgets,
  type ShownWidget,
  type Widget,
  type WidgetInList,
} from './store.ts'

/** The agent's; not_found for another agent's. */
export async function findOwn(db: Db | Tx, agentId: string, id: string): Promise<store.Widget> {
  const widget = isUuid(id) ? await store.findWidget(db, id) : undefined
  if (widget?.agent_id !== agentId) throw new Problem('not_found')
  return widget
}

export async function createWidget(
  db: Db,
  agentId: string,
  { value, issues }: Reading<WidgetPatch>,
): Promise<string> {
  const missing = (['name', 'kind', 'domains'] as const).filter(name => !(name in value))
  refuseIfAny([...issues, ...missing.map(name => issue(name, 'required'))])
  const { name, kind, domains, lang } = value
  if (!name || !kind || !domains) throw new Error('refused above')
  return db.transaction().execute(async tx => {
    if ((await store.countLocked(tx, agentId)) >= MAX_WIDGETS) {
      throw new Problem('conflict', { issues: [issue('', 'too_many_widgets', { max: MAX_WIDGETS })] })
    }
    const { id } = await store.insertWidget(tx, {
      agent_id: agentId,
      name,
      kind,
      domains,
      lang: lang ?? 'es',
    })
    return id
  })
}

export async function changeWidget(
  db: Db,
  agentId: string,
  id: string,
  { value, issues }: Reading<WidgetPatch>,
): Promise<void> {
  await db.transaction().execute(async tx => {
    await findOwn(tx, agentId, id)
    refuseIfAny(issues)
    const { name, kind, domains, lang } = value
    const changes = {
      ...(name ? { name } : {}),
      ...(kind ? { kind } : {}),
      ...(domains ? { domains } : {}),
      ...(lang ? { lang } : {}),
    }
    if (Object.keys(changes).length > 0) await store.updateWidget(tx, id, changes)
  })
}

export async function switchWidget(db: Db, agentId: string, id: string, active: boolean): Promise<void> {
  await db.transaction().execute(async tx => {
    const { revoked_at } = await findOwn(tx, agentId, id)
    if (revoked_at) {
      throw new Problem('conflict', { message: 'The operator has revoked this widget: write to them.' })
    }
    await store.updateWidget(tx, id, { active })
  })
}

export async function removeWidget(db: Db, agentId: string, id: string): Promise<void> {
  await db.transaction().execute(async tx => {
    await findOwn(tx, agentId, id)
    await store.deleteWidget(tx, id)
  })
}

/** By the operator: the agent can view and remove it, but not turn it on again. */
export async function revokeWidget(tx: Tx, id: string): Promise<{ name: string }> {
  const revoked = isUuid(id) ? await store.revokeWidget(tx, id) : undefined
  if (!revoked) throw new Problem('not_found')
  return revoked
}

/** Undefined if unknown, turned off, revoked, or if its agent is not public. */
export async function findShown(db: Db, id: string): Promise<store.ShownWidget | undefined> {
  return isUuid(id) ? store.findShown(db, id) : undefined
}
