import { DEFAULTS, readConfig } from '../config.ts'
import { openDatabase, openPool } from '../db/database.ts'
import { issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { type Command, type OnDatabase, optional, type Terminal } from './command.ts'

// The server and the pages are imported lazily: loading them takes longer than most commands run.
export const processCommands = (onDatabase: OnDatabase, terminal: Terminal): Record<string, Command> => ({
  serve: {
    summary:
      'Run the exchange. Needs DATABASE_URL or LONJA_DATA, and PUBLIC_URL; creates no demo data. --role is web, worker (webhooks, mail, daily tasks) or all. --processes is how many answer requests on the one port, auto for as many as there are processors.',
    options: { role: optional('ROLE'), processes: optional('NUMBER') },
    isEndless: true,
    async run({ role = 'all', processes = '1' }) {
      const { countOf, leave, MOST_PROCESSES, readPart, ROLES, serveTogether } = await import(
        '../processes.ts'
      )
      const known = ROLES.find(name => name === role)
      const count = countOf(processes)
      const issues = [
        ...(known ? [] : [issue('role', 'unknown_value', { allowed: ROLES })]),
        ...(count ? [] : [issue('processes', 'out_of_range', { min: 1, max: MOST_PROCESSES })]),
        ...(known === 'worker' && count !== 1
          ? [issue('processes', 'unknown_value', { allowed: ['1'] })]
          : []),
      ]
      if (!known || !count || issues.length > 0) throw new Problem('validation', { issues })
      const config = readConfig('serve', terminal.settings())
      const part = readPart()
      if (count > 1 && known !== 'worker' && !part) await serveTogether(config, count, known)
      else {
        const { serve } = await import('../main.ts')
        await serve(config, { role: part?.role ?? known, part }).catch(leave)
      }
      return undefined
    },
  },
  demo: {
    summary: 'Run the exchange with a demo market, created on the first start.',
    isEndless: true,
    async run() {
      const { serve } = await import('../main.ts')
      await serve(readConfig('demo', terminal.settings()), { demo: true })
      return undefined
    },
  },
  'demo close': {
    summary:
      'Close all access to the demo accounts: passwords, sessions, keys, operator rights, webhooks, what they share. The fictional listings stay.',
    async run() {
      const { closeDemo, describeAccess } = await import('../demo/access.ts')
      const closed = await onDatabase(db => closeDemo(db))
      const text = describeAccess(closed)
      return { data: { closed }, text: text === '' ? 'Nothing was open.' : `Closed: ${text}.` }
    },
  },
  migrate: {
    summary: 'Migrate the database to this version.',
    async run() {
      const applied = await onDatabase(async (_db, _config, names) => names)
      const text = applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Up to date.'
      return { data: { applied }, text }
    },
  },
})

export const descriptionCommands: Record<string, Command> = {
  openapi: {
    summary: 'Print the API description.',
    async run() {
      const data = await describeApi()
      return { data, text: JSON.stringify(data, null, 2) }
    },
  },
}

/** The description needs the routes but no database: the pool never connects. */
async function describeApi(): Promise<unknown> {
  const { buildApp } = await import('../app.ts')
  const { pino } = await import('pino')
  const pool = openPool('postgres://nobody@127.0.0.1:1/none', 1)
  const app = await buildApp({
    db: openDatabase(pool),
    logger: pino({ level: 'silent' }),
    publicUrl: 'https://lonja.example',
    rateLimit: DEFAULTS.rateLimit,
    trustProxy: [],
  })
  await app.ready()
  const description = app.swagger()
  await app.close()
  await pool.end()
  return description
}
