import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { issue } from '../lib/issue.ts'
import { refuseIfAny } from '../lib/problem.ts'
import { MB } from '../lib/sizes.ts'
import type { Folder, Storage } from './storage.ts'

/** How much one account may keep. Anybody can open an account: until its licence is verified it may keep little. */
export interface Quota {
  files: number
  bytes: number
  /** All accounts together whose licence is not verified. */
  unverifiedBytes: number
}

/** Of its quota an account whose licence is not verified may use one part in so many. */
const UNVERIFIED_PART = 20

export interface Uploads {
  files: Storage
  quota: Quota
}

/** Ready to be stored, and not stored yet. */
export interface Prepared {
  /** 32 hexadecimal digits, with which every name begins. */
  id: string
  contents: { name: string; content: Buffer }[]
}

/** Call it after what refers to the files is written, so that they are counted, and what they replace is not. */
type Keep = (folder: Folder, prepared: Prepared) => Promise<void>

/**
 * One transaction in which files of an agent are accepted. `keep` checks the quota and stores what was prepared; whatever
 * fails, before or after, neither a row nor a file stays.
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
    for (const [folder, name] of stored) await files.remove(folder, name)
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

/** Of two forms at once the second counts the files of the first. Before any listing, as whatever changes an agent does. */
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
  // One after the other, or many at once would pass the limit together.
  await sql`select pg_advisory_xact_lock(${UNVERIFIED_LOCK})`.execute(tx)
  const together = await usageOf(
    tx,
    sql`select u.id from upload_uses u join agents a on a.id = u.agent_id where a.verified_at is null`,
  )
  if (together.bytes + bytes > quota.unverifiedBytes) refuseIfAny([issue('', 'quota_unverified')])
}

/** Any constant that nothing else uses. */
const UNVERIFIED_LOCK = 7_405_466_003
