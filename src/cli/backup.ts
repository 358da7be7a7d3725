import { resolve } from 'node:path'
import type { Manifest } from '../backup/manifest.ts'
import { readConfig } from '../config.ts'
import { openDatabase, openPool } from '../db/database.ts'
import { openExchangeDatabase, openServer } from '../db/open.ts'
import { openStorage } from '../files/place.ts'
import { MB } from '../lib/sizes.ts'
import { hasSameSecret } from '../webhooks/secrets.ts'
import type { Command, Terminal } from './command.ts'
import { everyTwoSeconds } from './progress.ts'

const sumOf = (tables: { rows: number }[]) => tables.reduce((sum, { rows }) => sum + rows, 0)

export const backupCommands = ({ settings, remark }: Terminal): Record<string, Command> => ({
  backup: {
    summary:
      'Save the database and the uploads, without LONJA_SECRET, in a new folder: DIR, or one named by the time in ./backups. Works while the exchange runs.',
    argument: '[DIR]',
    async run({ argument }) {
      const { backUp } = await import('../backup/backup.ts')
      const config = readConfig('command', settings())
      const folder = resolve(argument || `backups/${new Date().toISOString().replaceAll(':', '-')}`)
      const database = await openExchangeDatabase(config, 'command', remark)
      const pool = openPool(database.url, 1, { patient: true })
      try {
        const client = await pool.connect()
        const progress = everyTwoSeconds(remark)
        const made = await backUp({ client, files: openStorage(config), folder, progress }).finally(() =>
          client.release(),
        )
        const data = { folder, tables: made.tables.length, rows: sumOf(made.tables), files: made.files }
        const megabytes = Math.round(made.files.bytes / MB)
        return {
          data,
          text: `${data.rows} rows and ${made.files.count} files (${megabytes} MB) are in ${folder}. Keep LONJA_SECRET apart from it.`,
        }
      } finally {
        await pool.end()
        await database.close()
      }
    },
  },
  restore: {
    summary:
      'Restore a backup into an empty database while no Lonja runs. Everything is compared before the first and after the last row.',
    argument: 'DIR',
    async run({ argument }) {
      const { readBackup, restore } = await import('../backup/restore.ts')
      const config = readConfig('command', settings())
      const folder = resolve(argument)
      const manifest = await readBackup(folder)
      const server = await openServer(config, remark)
      // One connection: any other on the database belongs to a process that runs.
      const pool = openPool(server.url, 1, { patient: true })
      try {
        await restore({
          pool,
          files: openStorage(config),
          manifest,
          folder,
          progress: everyTwoSeconds(remark),
        })
        const isSame =
          manifest.secret_fingerprint === null || (await hasSameSecret(openDatabase(pool), config.secret))
        return restored(manifest, isSame)
      } finally {
        await pool.end()
        await server.close()
      }
    },
  },
})

function restored({ made_at, tables, files, secret_fingerprint }: Manifest, isSame: boolean) {
  const rows = sumOf(tables)
  const needs = `It was made with another LONJA_SECRET (fingerprint ${secret_fingerprint?.slice(0, 12)}…): set that one, or start over with "lonja secret replace".`
  return {
    data: { made_at, tables: tables.length, rows, files, secret: isSame ? 'same' : 'different' },
    text: `${rows} rows and ${files.count} files of ${made_at} are restored and verified.${isSame ? '' : `\n${needs}`}`,
  }
}
