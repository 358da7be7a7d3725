import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { atomically, type Sql } from '../db/database.ts'
import { mailboxOf } from '../lib/email.ts'
import { type Letter, requestNotice } from './store.ts'

/**
 * The mails that somebody without an account can make us send, by typing an address or by writing to an agent. Whoever
 * they are for, only so many of a kind: three in ten minutes, ten in a day, and from then on one an hour, so that nobody
 * is shut out by others either. What they were about is kept; only the mail is left out.
 */
const LIMITS = {
  account: { inTenMinutes: 3, inADay: 10 },
  visitor: { inTenMinutes: 3, inADay: 10 },
  /** An agent wants to read of every lead, but not of more than anybody could answer. */
  desk: { inTenMinutes: 30, inADay: 300 },
}

const AUDIENCES: Record<Letter['kind'], keyof typeof LIMITS> = {
  confirm: 'account',
  reset: 'account',
  exists: 'account',
  inquiry: 'visitor',
  identify: 'visitor',
  'identification-refused': 'visitor',
  lead: 'desk',
  identification: 'desk',
}

/** To addresses that nobody has proved to be theirs, all together: a mail server that sends more is soon blocked. */
export const UNPROVEN_PER_HOUR = 1_000

interface Addressee {
  /** An e-mail address, or what else names one mailbox. */
  to: string
  /** Whether it is the proven address of an account. */
  isProven: boolean
  now?: Date
}

/** Whether the mail will be sent. The one place that decides it. */
export function requestLetter(
  db: Sql,
  letter: Letter,
  { to, isProven, now = new Date() }: Addressee,
): Promise<boolean> {
  const audience = AUDIENCES[letter.kind]
  const { inTenMinutes, inADay } = LIMITS[audience]
  const recipient = createHash('sha256')
    .update(`${audience} ${mailboxOf(to)}`)
    .digest()
  return atomically(db, async tx => {
    // One after the other for one recipient, or many at once would pass together.
    await sql`select pg_advisory_xact_lock(hashtextextended(encode(${recipient}::bytea, 'hex'), 0))`.execute(
      tx,
    )
    const { rows } = await sql`
      with sent as (
        select count(*) filter (where at > ${now}::timestamptz - interval '10 minutes') as recent,
          count(*) filter (where at > ${now}::timestamptz - interval '1 hour') as hourly, count(*) as daily
        from letters where recipient = ${recipient} and at > ${now}::timestamptz - interval '1 day'
      )
      insert into letters (recipient, is_known, at)
      select ${recipient}, ${isProven}, ${now} from sent
      where recent < ${inTenMinutes} and (daily < ${inADay} or hourly = 0)
        and (${isProven} or ${UNPROVEN_PER_HOUR} > (
          select count(*) from letters where not is_known and at > ${now}::timestamptz - interval '1 hour'))
      returning 1`.execute(tx)
    if (rows.length === 0) return false
    await requestNotice(tx, letter)
    return true
  })
}

export async function deleteOldLetters(db: Sql, now: Date): Promise<void> {
  await sql`delete from letters where at < ${now}::timestamptz - interval '1 day'`.execute(db)
}
