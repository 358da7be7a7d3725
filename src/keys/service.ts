import { findAgentByEmail } from '../agents/service.ts'
import type { Db } from '../db/database.ts'
import { Problem } from '../lib/problem.ts'
import { hashKey, matches, newKey, prefixOf, SCOPE_SETS, type Scopes } from './rules.ts'
import * as store from './store.ts'

export { findKey, listKeys } from './store.ts'

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
  const set = SCOPE_SETS[scopes.replaceAll(' ', '')]
  if (!set) {
    throw new Problem('validation', {
      errors: [`scopes must be one of: ${Object.keys(SCOPE_SETS).join(' | ')}`],
    })
  }
  if (label.trim() === '') throw new Problem('validation', { errors: ['label must not be empty'] })
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

export async function revokeKey(db: Db, prefix: string): Promise<void> {
  if (!(await store.revokeKey(db, prefix))) {
    throw new Problem('not_found', { message: `There is no key with the prefix ${prefix}.` })
  }
}

const MINUTE_MS = 60_000

/** Who a bearer token speaks for. Asked anew at each request, so that a revoked key stops at once. */
export async function authenticate(db: Db, bearer: string) {
  const prefix = prefixOf(bearer)
  if (!prefix) return undefined
  const found = await store.findLiveKey(db, prefix)
  if (!matches(bearer, found?.hash) || !found) return undefined
  if (!found.last_used_at || Date.now() - found.last_used_at.getTime() > MINUTE_MS) {
    await store.touchKey(db, found.id)
  }
  return { agentId: found.agent_id, keyId: found.id, scopes: found.scopes }
}
