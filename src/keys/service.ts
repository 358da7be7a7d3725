import { findAgentByEmail } from '../agents/service.ts'
import type { Db, Sql } from '../db/database.ts'
import { filled, readAll } from '../lib/fields.ts'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import type { LiveKeys } from './live-keys.ts'
import { hashKey, matches, newKey, prefixOf, SCOPE_SETS, type Scopes, scopesOf } from './rules.ts'
import * as store from './store.ts'

export { LiveKeys } from './live-keys.ts'
export { countLiveKeys, findKey, listKeys, listOwnKeys } from './store.ts'

/** The key is returned only here: the database keeps its hash. */
export async function issueKey(
  db: Db,
  {
    agentEmail,
    key = newKey(),
    ...sent
  }: { agentEmail: string; label: string; scopes: string; key?: string },
): Promise<{ key: string; prefix: string; scopes: Scopes }> {
  const wanted = readAll({ scopes: scopesOf([...SCOPE_SETS.keys()]), label: filled({ max: 500 }) }, sent)
  const agent = await findAgentByEmail(db, agentEmail)
  const prefix = prefixOf(key)
  if (!prefix) throw new Error('not a well-formed key')
  await store.insertKey(db, {
    agent_id: agent.id,
    prefix,
    hash: hashKey(key),
    ...wanted,
  })
  return { key, prefix, scopes: wanted.scopes }
}

const MAX_KEYS = 20
const ownKeyFields = { label: filled({ max: 80 }), scopes: scopesOf(['read', 'read,write']) }

/** Choices in the portal: read and write, or read only. */
export async function issueOwnKey(
  db: Db,
  agent: { id: string; email: string },
  sent: { label: string; scopes: string },
) {
  readAll(ownKeyFields, sent)
  const live = (await store.listOwnKeys(db, agent.id)).filter(key => key.revoked_at === null)
  if (live.length >= MAX_KEYS) {
    throw new Problem('conflict', { issues: [issue('', 'too_many_keys', { max: MAX_KEYS })] })
  }
  return issueKey(db, { agentEmail: agent.email, ...sent })
}

/** Another agent's key is treated as missing. */
export async function revokeOwnKey(db: Db, agentId: string, prefix: string): Promise<void> {
  if (!(await store.revokeKey(db, prefix, agentId))) throw new Problem('not_found')
}

export async function revokeKey(db: Sql, prefix: string): Promise<void> {
  if (!(await store.revokeKey(db, prefix))) {
    throw new Problem('not_found', { message: `There is no key with the prefix ${prefix}.` })
  }
}

const MINUTE_MS = 60_000

/** The caller a bearer token authenticates. */
export async function authenticate(db: Db, keys: LiveKeys, bearer: string) {
  const prefix = prefixOf(bearer)
  if (!prefix) return undefined
  const sent = hashKey(bearer)
  const found = await keys.find(prefix, ({ hash }) => matches(sent, hash))
  if (!matches(sent, found?.hash) || !found) return undefined
  if (!found.last_used_at || Date.now() - found.last_used_at.getTime() > MINUTE_MS) {
    found.last_used_at = new Date()
    // The database may be away and the key known from before.
    await store.touchKey(db, found.id).catch(() => {})
  }
  return { agentId: found.agent_id, keyId: found.id, scopes: found.scopes }
}
