import type { Db } from '../../db/database.ts'
import { type Action, onRecord } from '../../portal/audit.ts'
import { erasePersons, exportPerson, findPerson, type RemoveMails } from '../persons.ts'

/** Who answers a person's request; null at the command line. */
type Answerer = { id: string } | null

/** The log outlives the person's data, so it holds counts alone: even a hash of a phone number can be reversed. */
const counted = (action: Action, leads: number, mails = 0) => ({
  action,
  subject: String(leads),
  note: mails > 0 ? `.eml: ${mails}` : undefined,
})

export const findOnRecord = (db: Db, by: Answerer, contact: string) =>
  onRecord(
    db,
    by,
    tx => findPerson(tx, contact),
    found => counted('person.find', found.length),
  )

export const exportOnRecord = (db: Db, by: Answerer, contact: string) =>
  onRecord(
    db,
    by,
    tx => exportPerson(tx, contact),
    found => counted('person.export', found.length),
  )

export const eraseOnRecord = (db: Db, by: Answerer, contact: string, removeMails: RemoveMails) =>
  onRecord(
    db,
    by,
    tx => erasePersons(tx, contact, removeMails),
    ({ leads, mails }) => counted('person.erase', leads, mails),
  )
