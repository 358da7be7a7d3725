import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { atomically, type Sql } from '../db/database.ts'
import { mailboxOf } from '../lib/email.ts'
import { type Letter, requestNotice } from './store.ts'

/**
 * Limits mail that people without an account can trigger, by typing an address or by contacting an agent. Per recipient
 * and kind: three in ten minutes, ten in a day, then one an hour, so that others cannot block all mail to a recipient.
 * The data is stored in any case; only the mail is skipped.
 */
const LIMITS = {
  account: { inTenMinutes: 3, inADay: 10 },
  visitor: { inTenMinutes: 3, inADay: 10 },
  /** Agents want mail for every lead, but not for more than a person could answer. */
  desk: { inTenMinutes: 30, inADay: 300 },
  /** One link is enough: it is the same for a while, and others may type the address. */
  alert: { inTenMinutes: 1, inADay: 6 },
}

const AUDIENCES: Record<Letter['kind'], keyof typeof LIMITS> = {
  confirm: 'account',
  reset: 'account',
  exists: 'account',
  inquiry: 'visitor',
  identify: 'visitor',
  'identification-refused': 'visitor',
  lead: 'desk',
  'showing-requested': 'desk',
  identification: 'desk',
  invitation: 'account',
  'alert-link': 'alert',
}

/** For unverified addresses, in total: a mail server that sends more is soon blocked. */
export const UNPROVEN_PER_HOUR = 1_000

interface Addressee {
  /** An email address, or another key that identifies one mailbox. */
  to: string
  /** Whether it is the verified address of an account. */
  isProven: boolean
  now?: Date
}

/** Whether the mail will be sent. The only place that decides it. */
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
    // Serialized per recipient, or concurrent requests would pass together.
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
