import { readFileSync } from 'node:fs'
import { StartupError } from '../lib/startup-error.ts'
import { importPlaces } from '../places/service.ts'
import type { Command, OnDatabase } from './command.ts'

const NOT_PLACES =
  'has no postal codes of Mexico: it must be MX.txt of https://download.geonames.org/export/zip/MX.zip.'

export const placeCommands = (onDatabase: OnDatabase): Record<string, Command> => ({
  'places import': {
    summary: 'Replace the postal codes that place listings on the map with a GeoNames file (MX.txt).',
    argument: 'FILE',
    async run({ argument }) {
      const text = contentOf(argument)
      const counts = await onDatabase(db => importPlaces(db, text))
      if (counts.imported === 0) throw new StartupError(`${argument} ${NOT_PLACES}`)
      return { data: counts, text: `${counts.imported} places imported, ${counts.skipped} lines skipped.` }
    },
  },
})

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartupError(`${path} cannot be read: ${(error as Error).message}`)
  }
}
