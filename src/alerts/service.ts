import type { Db, Sql, Tx } from '../db/database.ts'
import { examineForm, type Refused, seenNotice, type VisitorDeps } from '../leads/visitors/service.ts'
import type { Lang } from '../lib/i18n.ts'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import { requestLetter } from '../outbox/letters.ts'
import { requestNotice } from '../outbox/store.ts'
import { MAX_ALERTS, MAX_OF_ALL, type Pace, readAlert } from './rules.ts'
import * as store from './store.ts'

export { type AlertRow, countAlerts, type PersonAlert, stopAlert } from './store.ts'

export type SignUp = { outcome: 'received' } | { outcome: 'full' } | Refused

/** No mail would be sent: then nothing is kept either, because only the mail's link confirms it. */
class NoMail extends Error {}

/** The answer is the same whether the address is known or not, and whether a mail is sent or held back. */
export async function signUp(
  deps: VisitorDeps,
  form: URLSearchParams,
  { lang, address }: { lang: Lang; address: string },
): Promise<SignUp> {
  const { value, issues } = readAlert(form)
  const refused = await examineForm(deps, form, issues)
  if (refused) return refused
  const { allowed, retryAfter } = await deps.forms.take(address)
  if (!allowed) return { outcome: 'too_many', retryAfter }
  const { confirmed, unconfirmed } = await store.countAlerts(deps.db)
  if (confirmed + unconfirmed >= MAX_OF_ALL) return { outcome: 'full' }
  const now = new Date(deps.now())
  const notice = await seenNotice(deps, form)
  const work = deps.db.transaction().execute(async tx => {
    const id = await store.saveAlert(tx, value, lang, { at: now, notice })
    const letter = { kind: 'alert-link', agentId: null, ids: [id] } as const
    if (!(await requestLetter(tx, letter, { to: value.email, isProven: false, now }))) throw new NoMail()
  })
  await work.catch(error => {
    if (!(error instanceof NoMail)) throw error
  })
  return { outcome: 'received' }
}

export const findAlert = async (db: Sql, id: string): Promise<store.AlertRow | undefined> =>
  isUuid(id) ? store.findAlert(db, id) : undefined

/** What the page of the private link saves: it confirms the alert, sets its pace and shows that somebody wants it. */
export function useAlert(db: Db, id: string, pace: Pace): Promise<void> {
  return db.transaction().execute(async tx => {
    const alert = await findAlert(tx, id)
    if (!alert) throw new Problem('not_found')
    const all = await store.lockMailbox(tx, alert.email)
    const confirmed = all.filter(one => one.confirmed_at !== null && one.id !== id).length
    if (!alert.confirmed_at && confirmed >= MAX_ALERTS)
      throw new Problem('conflict', { issues: [issue('', 'too_many_alerts', { max: MAX_ALERTS })] })
    await store.useAlert(tx, id, pace)
  })
}

// ---- mail ------------------------------------------------------------------------------------------------

/** In the transaction of the matches: there is one such request for each mail. */
export const requestMatchMail = (tx: Tx, id: string, due: Date): Promise<void> =>
  requestNotice(tx, { kind: 'alert-matches', agentId: null, ids: [id] }, { notBefore: due })

/** The alert and what this job's mail is about; undefined if there is nothing to write, or nobody to write to. */
export function beginMail(db: Db, id: string, job: string) {
  return db.transaction().execute(async tx => {
    const listings = await store.takeMatches(tx, id, job)
    const alert = await store.findAlert(tx, id)
    return alert?.confirmed_at && listings.length > 0 ? { alert, listings } : undefined
  })
}

export function announceDaily(db: Db): Promise<number> {
  return db.transaction().execute(async tx => {
    const due = await store.takeDaily(tx)
    for (const one of due) await requestMatchMail(tx, one.id, one.due)
    return due.length
  })
}

const MOST_WARNED = 1_000

/** Hourly: the unconfirmed vanish, the unused are warned, and those that were warned end. */
export async function endUnused(db: Db): Promise<{ warned: number; ended: number }> {
  const ended = await store.stopWarned(db)
  const warned = await db.transaction().execute(async tx => {
    const unused = await store.takeUnused(tx, MOST_WARNED)
    for (const id of unused) await requestNotice(tx, { kind: 'alert-ending', agentId: null, ids: [id] })
    return unused.length
  })
  await store.deleteEnded(db)
  return { warned, ended }
}

// ---- a person's rights -----------------------------------------------------------------------------------

/** By email address: an alert has no phone. */
export const findAlertsOf = async (db: Sql, contact: string): Promise<store.PersonAlert[]> =>
  contact.includes('@') ? store.listOfPerson(db, contact.trim()) : []

export async function eraseAlertsOf(tx: Tx, contact: string): Promise<store.PersonAlert[]> {
  const alerts = await findAlertsOf(tx, contact)
  for (const { id } of alerts) await store.stopAlert(tx, id)
  return alerts
}
