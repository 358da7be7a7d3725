import { erasePersons, exportPerson, findPerson } from '../leads/persons.ts'
import { removeMailsNaming } from '../notices/mailers.ts'
import { type Command, type OnDatabase, table } from './command.ts'

/** `lonja person …`: data-subject requests, to see or erase personal data. */
export const personCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'person find': {
    summary: 'List a visitor’s leads with any agent, by email address or phone.',
    argument: 'EMAIL_OR_PHONE',
    async run({ argument }) {
      const data = await onDatabase(db => findPerson(db, argument))
      return { data, text: table(data.map(lead => ({ ...lead }))) }
    },
  },
  'person export': {
    summary: 'Print all data stored about a visitor, as JSON.',
    argument: 'EMAIL_OR_PHONE',
    async run({ argument }) {
      const data = await onDatabase(db => exportPerson(db, argument))
      return { data, text: JSON.stringify(data, null, 2) }
    },
  },
  'person erase': {
    summary: 'Permanently erase a visitor from all leads, waiting deliveries and the mail folder.',
    argument: 'EMAIL_OR_PHONE',
    async run({ argument }) {
      const data = await onDatabase(async (db, config) => {
        const leads = await erasePersons(db, argument)
        const contacts = leads.flatMap(({ email, phone }) => [email, phone]).filter(one => one !== null)
        return { leads: leads.length, mails: await removeMailsNaming(config.mailDir, contacts) }
      })
      return { data, text: `Erased from ${data.leads} leads and ${data.mails} mail files.` }
    },
  },
})
