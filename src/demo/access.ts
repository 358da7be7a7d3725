import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createAgent, setOperator, setPassword } from '../agents/service.ts'
import type { Db, Sql } from '../db/database.ts'
import { composeKey, prefixOf } from '../keys/rules.ts'
import { issueKey, listKeys } from '../keys/service.ts'
import { DEMO_AGENTS, DEMO_EMAIL } from './agents.ts'
import { demoId } from './ids.ts'

/** The same at every start and on every machine; they open only invented data. */
export const DEMO_KEYS = {
  readWrite: composeKey('DemoRW01', 'LonjaDemoReadAndWriteKeyForTheDemoMarket01'),
  readOnly: composeKey('DemoRO01', 'LonjaDemoReadOnlyKeyForTheDemoMarketOnly01'),
}

export const DEMO_PASSWORD = 'lonja-demo-2026'
export const DEMO_ACCOUNTS = {
  agent: DEMO_EMAIL,
  assistant: 'asistente@lonja.example',
  operator: 'operador@lonja.example',
}

/** Accounts and keys, printed at every start. Also completes a start that stopped after the market was stored. */
export async function ensureDemoAccess(db: Db): Promise<void> {
  await ensureDemoKeys(db)
  await ensureDemoAccounts(db)
}

async function ensureDemoAccounts(db: Db): Promise<void> {
  const known = await db
    .selectFrom('agents')
    .select(['id', 'email', 'password_hash'])
    .where('email', 'in', Object.values(DEMO_ACCOUNTS))
    .execute()
  const agent = known.find(({ email }) => email === DEMO_ACCOUNTS.agent)
  if (agent && !agent.password_hash) await setPassword(db, agent.id, DEMO_PASSWORD)
  const isKnown = (wanted: string) => known.some(({ email }) => email === wanted)
  if (agent && !isKnown(DEMO_ACCOUNTS.assistant)) await createAssistant(db, agent.id)
  if (isKnown(DEMO_ACCOUNTS.operator)) return
  const operator = {
    name: 'Operación Lonja',
    email: DEMO_ACCOUNTS.operator,
    password: DEMO_PASSWORD,
    test: true,
  }
  await createAgent(db, operator)
  await setOperator(db, operator.email, true)
}

/** Works in the demo agent's name. */
async function createAssistant(db: Db, agentId: string): Promise<void> {
  const { id } = await createAgent(db, {
    name: 'Sofía Méndez',
    email: DEMO_ACCOUNTS.assistant,
    password: DEMO_PASSWORD,
  })
  await sql`
    update agents set agency_id = p.agency_id, assists_id = p.id from agents p
    where agents.id = ${id} and p.id = ${agentId}`.execute(db)
}

async function ensureDemoKeys(db: Db): Promise<void> {
  const known = new Set((await listKeys(db)).map(key => key.prefix))
  const demo = [
    { key: DEMO_KEYS.readWrite, label: 'Demo: read and write', scopes: 'read,write' },
    { key: DEMO_KEYS.readOnly, label: 'Demo: read only', scopes: 'read' },
  ]
  for (const { key, label, scopes } of demo) {
    if (!known.has(prefixOf(key) as string))
      await issueKey(db, { agentEmail: DEMO_EMAIL, label, scopes, key })
  }
}

// ---- closing access -----------------------------------------------------------------------------------------

/** Every account of the demo, not only the printed ones: someone with access may have added another way in. */
const DEMO_IDS = sql`
  select id from agents
  where email in (${DEMO_ACCOUNTS.operator}, ${DEMO_ACCOUNTS.assistant})
    or id = any (${Array.from({ length: DEMO_AGENTS }, (_, i) => demoId('agent', i))}::uuid[])`

/** What still gives access to the demo's accounts. */
export interface DemoAccess {
  passwords: number
  operators: number
  sessions: number
  keys: number
  webhooks: number
  collections: number
  widgets: number
  feeds: number
}

export async function findDemoAccess(db: Sql): Promise<DemoAccess> {
  const { rows } = await sql<DemoAccess>`
    with demo as (${DEMO_IDS})
    select
      (select count(*) from agents a join demo using (id) where a.password_hash is not null) as passwords,
      (select count(*) from agents a join demo using (id) where a.is_operator) as operators,
      (select count(*) from sessions where agent_id in (select id from demo)) as sessions,
      (select count(*) from api_keys where agent_id in (select id from demo) and revoked_at is null) as keys,
      (select count(*) from webhooks where agent_id in (select id from demo) and active) as webhooks,
      (select count(*) from collections where agent_id in (select id from demo) and active) as collections,
      (select count(*) from widgets where agent_id in (select id from demo) and active) as widgets,
      (select count(*) from feeds where agent_id in (select id from demo)) as feeds`.execute(db)
  return rows[0] as DemoAccess
}

/** `2 passwords, 1 operator`; empty when nothing is open. */
export const describeAccess = (access: DemoAccess): string =>
  Object.entries(access)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`)
    .join(', ')

const CLOSED = 'demo_closed_at'

export async function isDemoClosed(db: Sql): Promise<boolean> {
  const found = await db.selectFrom('settings').select('value').where('name', '=', CLOSED).executeTakeFirst()
  return found !== undefined
}

/** Returns what was open. The market itself is unchanged. */
export function closeDemo(db: Db, now = new Date()): Promise<DemoAccess> {
  return db.transaction().execute(async tx => {
    const open = await findDemoAccess(tx)
    const { rows } = await sql<{ id: string }>`${DEMO_IDS} order by id for update`.execute(tx)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return open
    for (const id of ids) {
      const columns = { password_hash: null, is_operator: false, calendar_key: randomUUID() }
      await tx.updateTable('agents').set(columns).where('id', '=', id).execute()
    }
    await tx.deleteFrom('sessions').where('agent_id', 'in', ids).execute()
    await tx.deleteFrom('agent_tokens').where('agent_id', 'in', ids).execute()
    const live = tx.updateTable('api_keys').set({ revoked_at: now }).where('agent_id', 'in', ids)
    await live.where('revoked_at', 'is', null).execute()
    await tx.deleteFrom('feeds').where('agent_id', 'in', ids).execute()
    for (const table of ['webhooks', 'collections', 'widgets'] as const) {
      await tx.updateTable(table).set({ active: false }).where('agent_id', 'in', ids).execute()
    }
    await tx
      .insertInto('settings')
      .values({ name: CLOSED, value: now.toISOString() })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    return open
  })
}
