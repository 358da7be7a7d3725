import { findAgentByEmail } from '../agents/service.ts'
import type { Db, Sql } from '../db/database.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import type { LiveKeys } from './live-keys.ts'
import { hashKey, matches, newKey, prefixOf, SCOPE_SETS, type Scopes } from './rules.ts'
import * as store from './store.ts'

export { LiveKeys } from './live-keys.ts'
export { countLiveKeys, findKey, listKeys, listOwnKeys } from './store.ts'

/** The key itself is known only to the caller of this function: the database keeps its hash. */
export async function issueKey(
  db: Db,
  {
    agentEmail,
    label,
    scopes,
    key = newKey(),
  }: { agentEmail: string; label: string; scopes: string; key?: string },
): Promise<{ key: string; prefix: string; scopes: Scopes }> {
  const set = SCOPE_SETS.get(scopes.replaceAll(' ', ''))
  if (!set) {
    const allowed = [...SCOPE_SETS.keys()]
    throw new Problem('validation', { issues: [issue('scopes', 'unknown_scopes', { allowed })] })
  }
  if (label.trim() === '') throw new Problem('validation', { issues: [issue('label', 'empty')] })
  const agent = await findAgentByEmail(db, agentEmail)
  const prefix = prefixOf(key)
  if (!prefix) throw new Error('not a well-formed key')
  await store.insertKey(db, {
    agent_id: agent.id,
    label: label.trim(),
    prefix,
    hash: hashKey(key),
    scopes: set,
  })
  return { key, prefix, scopes: set }
}

const MAX_KEYS = 20
const MAX_LABEL = 80

/** What an agent asks for in the portal: read and write, or read only. */
export async function issueOwnKey(
  db: Db,
  agent: { id: string; email: string },
  { label, scopes }: { label: string; scopes: string },
) {
  const issues: Issue[] = []
  if (label.trim() === '') issues.push(issue('label', 'empty'))
  if ([...label.trim()].length > MAX_LABEL) issues.push(issue('label', 'too_long', { max: MAX_LABEL }))
  if (scopes !== 'read' && scopes !== 'read,write')
    issues.push(issue('scopes', 'unknown_scopes', { allowed: ['read', 'read,write'] }))
  refuseIfAny(issues)
  const live = (await store.listOwnKeys(db, agent.id)).filter(key => key.revoked_at === null)
  if (live.length >= MAX_KEYS) {
    throw new Problem('conflict', { issues: [issue('', 'too_many_keys', { max: MAX_KEYS })] })
  }
  return issueKey(db, { agentEmail: agent.email, label, scopes })
}

/** Another's key is as good as none. */
export async function revokeOwnKey(db: Db, agentId: string, prefix: string): Promise<void> {
  if (!(await store.revokeKey(db, prefix, agentId))) throw new Problem('not_found')
}

export async function revokeKey(db: Sql, prefix: string): Promise<void> {
  if (!(await store.revokeKey(db, prefix))) {
    throw new Problem('not_found', { message: `There is no key with the prefix ${prefix}.` })
  }
}

const MINUTE_MS = 60_000

/** Who a bearer token speaks for. */
export async function authenticate(db: Db, keys: LiveKeys, bearer: string) {
  const prefix = prefixOf(bearer)
  if (!prefix) return undefined
  const found = await keys.find(prefix)
  if (!matches(bearer, found?.hash) || !found) return undefined
  if (!found.last_used_at || Date.now() - found.last_used_at.getTime() > MINUTE_MS) {
    found.last_used_at = new Date()
    await store.touchKey(db, found.id)
  }
  return { agentId: found.agent_id, keyId: found.id, scopes: found.scopes }
}
