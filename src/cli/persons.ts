import { erasePersons, exportPerson, findPerson } from '../leads/persons.ts'
import { removeMailsNaming } from '../notices/mailers.ts'
import { type Command, type OnDatabase, table } from './command.ts'

/** `lonja person …`: what people may ask of whoever keeps their data. */
export const personCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'person find': {
    summary: 'The leads of a visitor, by e-mail address or phone, of whichever agent.',
    argument: 'EMAIL_OR_PHONE',
    async run({ argument }) {
      const data = await onDatabase(db => findPerson(db, argument))
      return { data, text: table(data.map(lead => ({ ...lead }))) }
    },
  },
  'person export': {
    summary: 'All that is kept of a visitor, as JSON.',
    argument: 'EMAIL_OR_PHONE',
    async run({ argument }) {
      const data = await onDatabase(db => exportPerson(db, argument))
      return { data, text: JSON.stringify(data, null, 2) }
    },
  },
  'person erase': {
    summary: 'Erase a visitor from every lead, from waiting deliveries and from the mail folder. For good.',
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
