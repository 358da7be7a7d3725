import { liftSuspension, setFlags, suspendListing } from '../listings/service.ts'
import type { Command, OnDatabase } from './command.ts'

interface Flag {
  flag: 'featured' | 'imported'
  summary: string
  /** The state reported afterwards. */
  on: string
  off: string
}

const flagCommand = (onDatabase: OnDatabase, { flag, summary, on, off }: Flag): Command => ({
  summary,
  argument: 'ID',
  options: { off: {} },
  async run({ argument }, switches) {
    const data = await onDatabase(db => setFlags(db, argument, { [flag]: !switches.off }))
    return { data, text: `${data.slug} is ${switches.off ? off : on}.` }
  },
})

export const listingCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'listing feature': flagCommand(onDatabase, {
    flag: 'featured',
    summary: 'Show a listing first in every search; --off undoes it.',
    on: 'featured',
    off: 'no longer featured',
  }),
  'listing suspend': {
    summary: 'Hide a listing until the operator lifts the suspension; --off returns it as a draft.',
    argument: 'ID',
    options: { off: {} },
    async run({ argument }, { off }) {
      const data = await onDatabase(db => (off ? liftSuspension : suspendListing)(db, argument))
      return { data, text: off ? `${data.slug} is a draft again.` : `${data.slug} is suspended.` }
    },
  },
  'listing import-mark': flagCommand(onDatabase, {
    flag: 'imported',
    summary: 'Mark a listing as licensed from another MLS: the API never returns it; --off undoes it.',
    on: 'marked as a licensed import',
    off: 'no longer marked as an import',
  }),
})
