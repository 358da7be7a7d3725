import { createHash, randomBytes } from 'node:crypto'
import { type SqlBool, sql } from 'kysely'
import type { Db, Sql } from '../db/database.ts'
import type { Lang } from '../lib/i18n.ts'

const MINUTE_MS = 60_000
const ABSOLUTE_MS = 12 * 60 * MINUTE_MS
const IDLE_MS = 60 * MINUTE_MS
export const REMEMBERED_DAYS = 30
const REMEMBERED_MS = REMEMBERED_DAYS * 24 * 60 * MINUTE_MS

/** The signed-in agent. */
export interface PortalAgent {
  id: string
  name: string
  email: string
  slug: string
  photo: string | null
  lang: Lang
  /** The license is verified: keys work and listings can be published. */
  isVerified: boolean
  isOperator: boolean
  isTest: boolean
  /** The person who works in this agent's name. */
  assistant?: { name: string; email: string; photo: string | null }
  /** On an assistant's own account: whom they assist. */
  assists?: string
}

interface Session {
  hash: Buffer
  agent: PortalAgent
  /** For assistants: the agent in whose name they work. */
  principal?: PortalAgent
}

/** 256 random bits, held only by the browser. */
export const newSecretId = (): string => randomBytes(32).toString('base64url')
const hashOf = (secretId: string): Buffer => createHash('sha256').update(secretId).digest()

/** Every session gets a new id, which prevents session fixation. */
export async function openSession(
  db: Sql,
  session: { agentId: string; now: Date; address: string; browser: string; isRemembered?: boolean },
): Promise<string> {
  const secretId = newSecretId()
  await db
    .insertInto('sessions')
    .values({
      hash: hashOf(secretId),
      agent_id: session.agentId,
      created_at: session.now,
      seen_at: session.now,
      address: session.address,
      browser: session.browser.slice(0, 300),
      is_remembered: session.isRemembered ?? false,
    })
    .execute()
  return secretId
}

export async function findSession(db: Db, secretId: string, now: Date): Promise<Session | undefined> {
  const hash = hashOf(secretId)
  const found = await db
    .selectFrom('sessions as s')
    .innerJoin('agents as a', 'a.id', 's.agent_id')
    // Read with every request: whoever leaves the agency loses access at once.
    .leftJoin('agents as p', join =>
      join
        .onRef('p.id', '=', 'a.assists_id')
        .onRef('p.agency_id', '=', 'a.agency_id')
        .on('a.verified_at', 'is', null)
        .on('a.is_operator', '=', false),
    )
    .select(['p.id as p_id', 'p.name as p_name', 'p.email as p_email', 'p.slug as p_slug'])
    .select(['p.photo as p_photo', 'p.verified_at as p_verified_at', 'p.is_test as p_is_test'])
    .select([
      's.seen_at',
      'a.id',
      'a.name',
      'a.email',
      'a.slug',
      'a.photo',
      'a.lang',
      'a.verified_at',
      'a.is_operator',
      'a.is_test',
    ])
    .where('s.hash', '=', hash)
    .where(isAlive(now))
    .executeTakeFirst()
  if (!found) return undefined
  if (now.getTime() - found.seen_at.getTime() > MINUTE_MS) {
    await db.updateTable('sessions').set({ seen_at: now }).where('hash', '=', hash).execute()
  }
  const { id, name, email, slug, photo, lang } = found
  const agent: PortalAgent = {
    id,
    name,
    email,
    slug,
    photo,
    lang,
    isVerified: found.verified_at !== null,
    isOperator: found.is_operator,
    isTest: found.is_test,
  }
  if (found.p_id === null || found.p_name === null) return { hash, agent }
  return {
    hash,
    agent: { ...agent, assists: found.p_name },
    principal: {
      id: found.p_id,
      name: found.p_name,
      email: found.p_email ?? '',
      slug: found.p_slug ?? '',
      photo: found.p_photo,
      lang,
      isVerified: found.p_verified_at !== null,
      // Never by proxy.
      isOperator: false,
      isTest: found.p_is_test ?? false,
      assistant: { name, email, photo },
    },
  }
}

/** Of `sessions as s` joined with `agents as a`. An operator's session is never remembered. */
const isAlive = (now: Date) => sql<SqlBool>`(
  (s.created_at > ${before(now, ABSOLUTE_MS)} and s.seen_at > ${before(now, IDLE_MS)})
  or (s.is_remembered and not a.is_operator and s.created_at > ${before(now, REMEMBERED_MS)}))`

const before = (now: Date, ms: number) => new Date(now.getTime() - ms)

export async function endSession(db: Sql, hash: Buffer): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', hash).execute()
}

/** All of an agent's sessions, or all but the current one. */
export async function endSessions(db: Sql, agentId: string, except?: Buffer): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('agent_id', '=', agentId)
    .$if(except !== undefined, query => query.where('hash', '<>', except as Buffer))
    .execute()
}

export async function endSessionById(db: Sql, agentId: string, id: string): Promise<boolean> {
  const done = await db
    .deleteFrom('sessions')
    .where('agent_id', '=', agentId)
    .where(sql`id::text`, '=', id)
    .executeTakeFirst()
  return done.numDeletedRows > 0n
}

export function listSessions(db: Sql, agentId: string, now: Date) {
  return db
    .selectFrom('sessions as s')
    .innerJoin('agents as a', 'a.id', 's.agent_id')
    .select(['s.hash', 's.id', 's.created_at', 's.seen_at', 's.address', 's.browser', 's.is_remembered'])
    .where('s.agent_id', '=', agentId)
    .where(isAlive(now))
    .orderBy('s.seen_at', 'desc')
    .execute()
}

export async function countSessions(db: Sql): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from sessions`.execute(db)
  return rows[0]?.count ?? 0
}

export async function deleteOldSessions(db: Sql, now: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('created_at', '<', before(now, ABSOLUTE_MS))
    .where(eb => eb.or([eb('is_remembered', '=', false), eb('created_at', '<', before(now, REMEMBERED_MS))]))
    .execute()
}
