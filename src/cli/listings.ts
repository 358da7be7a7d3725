import { liftSuspension, setFlags, suspendListing } from '../listings/service.ts'
import type { Command, OnDatabase } from './command.ts'

const flagCommand = (
  onDatabase: OnDatabase,
  flag: 'featured' | 'imported',
  on: string,
  off: string,
  summary: string,
): Command => ({
  summary,
  argument: 'ID',
  options: { off: {} },
  async run({ argument }, switches) {
    const data = await onDatabase(db => setFlags(db, argument, { [flag]: !switches.off }))
    return { data, text: `${data.slug} is ${switches.off ? off : on}.` }
  },
})

export const listingCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'listing feature': flagCommand(
    onDatabase,
    'featured',
    'featured',
    'no longer featured',
    'Show a listing first in every search; --off ends it.',
  ),
  'listing suspend': {
    summary: 'Hide a listing until the operator decides otherwise; --off gives it back as a draft.',
    argument: 'ID',
    options: { off: {} },
    async run({ argument }, { off }) {
      const data = await onDatabase(db => (off ? liftSuspension : suspendListing)(db, argument))
      return { data, text: off ? `${data.slug} is a draft again.` : `${data.slug} is suspended.` }
    },
  },
  'listing import-mark': flagCommand(
    onDatabase,
    'imported',
    'marked as a licensed import',
    'no longer marked as an import',
    'Mark a listing as licensed from another MLS: the API shows it to nobody; --off ends it.',
  ),
})
