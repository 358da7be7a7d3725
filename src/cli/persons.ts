import { eraseOnRecord, exportOnRecord, findOnRecord } from '../leads/operator/requests.ts'
import { removeMailsNaming } from '../notices/mailers.ts'
import { type Command, type OnDatabase, table } from './command.ts'

/** `lonja person …`: data-subject requests, to see or erase personal data. */
export const personCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'person find': {
    summary: 'List a visitor’s leads with any agent and alerts, by email address or phone.',
    argument: 'EMAIL_OR_PHONE',
    async run({ argument }) {
      const { leads, alerts } = await onDatabase(db => findOnRecord(db, null, argument))
      const kept = alerts.map(({ id, email, query, created_at }) => ({
        kind: 'alert',
        id,
        email,
        query,
        created_at,
      }))
      const text = [leads, kept]
        .filter(rows => rows.length > 0)
        .map(rows => table(rows.map(row => ({ ...row }))))
      return { data: [...leads, ...kept], text: text.join('\n') || table([]) }
    },
  },
  'person export': {
    summary: 'Print all data stored about a visitor, as JSON.',
    argument: 'EMAIL_OR_PHONE',
    async run({ argument }) {
      const data = await onDatabase(db => exportOnRecord(db, null, argument))
      return { data, text: JSON.stringify(data, null, 2) }
    },
  },
  'person erase': {
    summary: 'Permanently erase a visitor: leads, alerts, waiting deliveries and the mail folder.',
    argument: 'EMAIL_OR_PHONE',
    async run({ argument }) {
      const data = await onDatabase((db, { mailDir }) =>
        eraseOnRecord(db, null, argument, contacts => removeMailsNaming(mailDir, contacts)),
      )
      return {
        data,
        text: `Erased from ${data.leads} leads, ${data.alerts} alerts and ${data.mails} mail files.`,
      }
    },
  },
})
