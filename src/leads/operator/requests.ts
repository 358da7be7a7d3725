import { eraseAlertsOf, findAlertsOf } from '../../alerts/service.ts'
import type { Db } from '../../db/database.ts'
import { type Action, onRecord } from '../../portal/audit.ts'
import { erasePersons, exportPerson, findPerson, type RemoveMails } from '../persons.ts'

/** Who answers a person's request; null at the command line. */
type Answerer = { id: string } | null

/** The log outlives the person's data, so it holds counts alone: even a hash of a phone number can be reversed. */
const counted = (action: Action, { leads, alerts, mails = 0 }: Counts) => ({
  action,
  subject: String(leads),
  note:
    [alerts > 0 ? `alerts: ${alerts}` : '', mails > 0 ? `.eml: ${mails}` : ''].filter(Boolean).join(', ') ||
    undefined,
})

interface Counts {
  leads: number
  alerts: number
  mails?: number
}

export const findOnRecord = (db: Db, by: Answerer, contact: string) =>
  onRecord(
    db,
    by,
    async tx => ({ leads: await findPerson(tx, contact), alerts: await findAlertsOf(tx, contact) }),
    ({ leads, alerts }) => counted('person.find', { leads: leads.length, alerts: alerts.length }),
  )

export const exportOnRecord = (db: Db, by: Answerer, contact: string) =>
  onRecord(
    db,
    by,
    async tx => ({ leads: await exportPerson(tx, contact), alerts: await findAlertsOf(tx, contact) }),
    ({ leads, alerts }) => counted('person.export', { leads: leads.length, alerts: alerts.length }),
  ).then(({ leads, alerts }) => [...leads, ...alerts.map(alert => ({ kind: 'alert', ...alert }))])

export const eraseOnRecord = (db: Db, by: Answerer, contact: string, removeMails: RemoveMails) =>
  onRecord(
    db,
    by,
    async tx => {
      const alerts = await eraseAlertsOf(tx, contact)
      const addresses = alerts.map(({ email }) => email)
      const { leads, mails } = await erasePersons(tx, contact, named => removeMails([...named, ...addresses]))
      return { leads, alerts: alerts.length, mails }
    },
    erased => counted('person.erase', erased),
  )
