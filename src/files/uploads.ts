import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { issue } from '../lib/issue.ts'
import { refuseIfAny } from '../lib/problem.ts'
import { MB } from '../lib/sizes.ts'
import { discard, type Folder, type Storage } from './storage.ts'

/** Storage quota per account. Anyone can open an account, so the quota is small until the license is verified. */
export interface Quota {
  files: number
  bytes: number
  /** All accounts without a verified license together. */
  unverifiedBytes: number
}

/** Divides the quota of an account without a verified license. */
const UNVERIFIED_PART = 20

export interface Uploads {
  files: Storage
  quota: Quota
}

/** Ready to be stored. */
export interface Prepared {
  /** 32 hexadecimal digits that start every file name. */
  id: string
  contents: { name: string; content: Buffer }[]
}

/** Call it after writing the rows that refer to the files, so that these are counted and replaced files are not. */
type Keep = (folder: Folder, prepared: Prepared) => Promise<void>

/**
 * One transaction in which an agent's files are accepted. `keep` checks the quota and stores the prepared files; on any
 * failure, before or after, neither a row nor a file remains.
 */
export async function accepting<T>(
  db: Db,
  { files, quota }: Uploads,
  agentId: string,
  work: (tx: Tx, keep: Keep) => Promise<T>,
): Promise<T> {
  const stored: [Folder, string][] = []
  try {
    return await db.transaction().execute(async tx => {
      const account = await lockAccount(tx, agentId)
      return work(tx, async (folder, { id, contents }) => {
        const bytes = contents.reduce((sum, { content }) => sum + content.length, 0)
        await requireRoom(tx, quota, account, bytes)
        await tx.insertInto('uploads').values({ id, bytes }).execute()
        for (const { name, content } of contents) {
          stored.push([folder, name])
          await files.put(folder, name, content)
        }
      })
    })
  } catch (error) {
    for (const [folder, name] of stored) await discard(files, folder, [name])
    throw error
  }
}

interface Usage {
  files: number
  bytes: number
}

const usageOf = async (tx: Tx, uses: ReturnType<typeof sql>): Promise<Usage> => {
  const { rows } = await sql<Usage>`
    select count(*) as files, coalesce(sum(bytes), 0)::bigint as bytes
    from uploads where id in (${uses})`.execute(tx)
  return rows[0] as Usage
}

interface Account {
  id: string
  isVerified: boolean
}

/**
 * Serializes concurrent forms, so that the second counts the files of the first. Locks the agent before any listing,
 * like every change to an agent.
 */
async function lockAccount(tx: Tx, agentId: string): Promise<Account> {
  const { verified_at: verifiedAt } = await tx
    .selectFrom('agents')
    .select('verified_at')
    .where('id', '=', agentId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return { id: agentId, isVerified: verifiedAt !== null }
}

async function requireRoom(tx: Tx, quota: Quota, account: Account, bytes: number): Promise<void> {
  const part = account.isVerified ? 1 : UNVERIFIED_PART
  const used = await usageOf(tx, sql`select id from upload_uses where agent_id = ${account.id}`)
  const most = { files: Math.floor(quota.files / part), bytes: Math.floor(quota.bytes / part) }
  if (used.files + 1 > most.files) refuseIfAny([issue('', 'quota_files', { max: most.files })])
  if (used.bytes + bytes > most.bytes) {
    refuseIfAny([issue('', 'quota_megabytes', { max: Math.floor(most.bytes / MB) })])
  }
  if (account.isVerified) return
  // Serialized, or concurrent uploads would pass the limit together.
  await sql`select pg_advisory_xact_lock(${UNVERIFIED_LOCK})`.execute(tx)
  const together = await usageOf(
    tx,
    sql`select u.id from upload_uses u join agents a on a.id = u.agent_id where a.verified_at is null`,
  )
  if (together.bytes + bytes > quota.unverifiedBytes) refuseIfAny([issue('', 'quota_unverified')])
}

/** An arbitrary constant that nothing else uses. */
const UNVERIFIED_LOCK = 7_405_466_003
