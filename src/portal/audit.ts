import type { Db, Sql, Tx } from '../db/database.ts'

/** Operator actions, as named in the audit log. */
export type Action =
  | 'licence.verify'
  | 'licence.refuse'
  | 'licence.open'
  | 'agent.verify'
  | 'agent.unverify'
  | 'agent.test'
  | 'agent.untest'
  | 'agent.assign'
  | 'agent.sign-out'
  | 'agency.create'
  | 'agency.activate'
  | 'agency.deactivate'
  | 'listing.feature'
  | 'listing.unfeature'
  | 'listing.suspend'
  | 'listing.lift'
  | 'listing.import'
  | 'listing.unimport'
  | 'key.revoke'
  | 'webhook.pause'
  | 'widget.revoke'
  | 'feed.revoke'
  | 'identification.open'
  | 'identification.verify'
  | 'identification.refuse'
  | 'person.find'
  | 'person.export'
  | 'person.erase'
  | 'rate.set'
  | 'limits.change'
  | 'notice.change'
  | 'cooperation.open'
  | 'cooperation.resolve'

interface Entry {
  action: Action
  /** Display name of the subject. */
  subject: string
  subjectId?: string | undefined
  note?: string | undefined
}

/** Runs the action and its log entry in one transaction. */
export function onRecord<T>(
  db: Db,
  /** Null at the command line. */
  operator: { id: string } | null,
  work: (tx: Tx) => Promise<T>,
  /** Undefined if nothing happened. */
  entry: (result: T) => Entry | undefined,
): Promise<T> {
  return db.transaction().execute(async tx => {
    const result = await work(tx)
    const done = entry(result)
    if (!done) return result
    const { action, subject, subjectId, note } = done
    await tx
      .insertInto('audit_log')
      .values({
        operator_id: operator?.id ?? null,
        action,
        subject,
        subject_id: subjectId ?? null,
        note: note ?? null,
      })
      .execute()
    return result
  })
}

/** Newest first. */
export function listAudit(db: Sql, { limit, offset }: { limit: number; offset: number }) {
  return db
    .selectFrom('audit_log as l')
    .leftJoin('agents as a', 'a.id', 'l.operator_id')
    .select(['l.id', 'l.at', 'l.action', 'l.subject', 'l.subject_id', 'l.note', 'a.name as operator'])
    .orderBy('l.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}
