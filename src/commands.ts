import { createAgent, listAgents, setOperator, setVerified } from './agents/service.ts'
import { type Config, type Environment, readConfig } from './config.ts'
import { type Db, openDatabase, openPool } from './db/database.ts'
import { openExchangeDatabase } from './db/open.ts'
import { issueKey, listKeys, revokeKey } from './keys/service.ts'
import { Problem } from './lib/problem.ts'
import { liftSuspension, setFlags, suspendListing } from './listings/service.ts'
import { webhookCommands } from './webhook-commands.ts'

export interface Option {
  /** What stands after it; none for a switch. */
  value?: string
  required?: boolean
}

/** What was typed after the options that take a value, and in the place of the argument. */
export type Values = Record<string, string | undefined> & { argument: string }

/** Every switch of the command: true if it was typed. */
export type Switches = Record<string, boolean>

/** The same answer for programs and for people. */
interface Result {
  data: unknown
  text: string
}

export interface Command {
  summary: string
  argument?: string
  options?: Record<string, Option>
  /** It runs until it is stopped and has no result. */
  isEndless?: true
  run(values: Values, switches: Switches): Promise<Result | undefined>
}

/** Where a command was typed. */
export interface Terminal {
  settings(): Environment
  print(line: string): void
  /** Standard error: beside the result, not in it. */
  remark(line: string): void
}

/** Runs one piece of work on the data of the settings; whether a server runs on it makes no difference. */
type OnDatabase = <T>(work: (db: Db, config: Config, applied: string[]) => Promise<T>) => Promise<T>

const onDatabaseOf =
  ({ settings, remark }: Terminal): OnDatabase =>
  async work => {
    const config = readConfig('command', settings())
    // Whoever made a database in the wrong folder should see it.
    const database = await openExchangeDatabase(config, 'command', remark)
    try {
      return await work(database.db, config, database.applied)
    } finally {
      await database.close()
    }
  }

const required = (value: string): Option => ({ value, required: true })
const optional = (value: string): Option => ({ value })

const table = (rows: Record<string, unknown>[]): string =>
  rows.length === 0 ? 'None.' : rows.map(row => Object.values(row).map(cell).join('  ').trimEnd()).join('\n')

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.join(',') : String(value)
}

const verifyCommand = (onDatabase: OnDatabase, verified: boolean): Command => ({
  summary: verified
    ? 'Mark an agent’s licence as verified: keys work, published listings appear.'
    : 'Take the verification back: keys stop, listings vanish from everyone else.',
  argument: 'EMAIL',
  async run({ argument }) {
    const { id, email, name } = await onDatabase(db => setVerified(db, argument, verified))
    return {
      data: { id, email, name, verified },
      text: `${email} is ${verified ? 'verified' : 'no longer verified'}.`,
    }
  },
})

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

// The server and the pages are imported only where they are needed: they take longer to load than most commands to run.
export function commandsAt(terminal: Terminal): Record<string, Command> {
  const onDatabase = onDatabaseOf(terminal)
  return {
    serve: {
      summary:
        'Run the exchange. Needs DATABASE_URL or LONJA_DATA, and PUBLIC_URL; creates no demo data. --role is web, worker (webhooks, mail, daily tasks) or all.',
      options: { role: optional('ROLE') },
      isEndless: true,
      async run({ role = 'all' }) {
        const { ROLES, serve } = await import('./main.ts')
        const known = ROLES.find(name => name === role)
        if (!known) throw new Problem('validation', { errors: [`role must be one of: ${ROLES.join(', ')}`] })
        await serve(readConfig('serve', terminal.settings()), { role: known })
        return undefined
      },
    },
    demo: {
      summary: 'Run the exchange with an invented market, filled at the first start.',
      isEndless: true,
      async run() {
        const { serve } = await import('./main.ts')
        await serve(readConfig('demo', terminal.settings()), { demo: true })
        return undefined
      },
    },
    migrate: {
      summary: 'Bring the database to this version.',
      async run() {
        const applied = await onDatabase(async (_db, _config, names) => names)
        const text = applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Up to date.'
        return { data: { applied }, text }
      },
    },
    'agent create': {
      summary: 'Add an agent. --agency names the agency, created if new; --test makes a test account.',
      options: {
        name: required('NAME'),
        email: required('EMAIL'),
        phone: optional('PHONE'),
        agency: optional('NAME'),
        'license-number': optional('NUMBER'),
        'license-state': optional('STATE'),
        password: optional('PASSWORD'),
        verified: {},
        test: {},
      },
      async run(values, switches) {
        const { verified, test } = switches
        const agent = await onDatabase(db =>
          createAgent(db, {
            name: values.name as string,
            email: values.email as string,
            phone: values.phone,
            agency: values.agency,
            licenseNumber: values['license-number'],
            licenseState: values['license-state'],
            password: values.password,
            verified,
            test,
          }),
        )
        return { data: { ...agent, verified, test }, text: `Created ${agent.name} <${agent.email}>.` }
      },
    },
    'agent verify': verifyCommand(onDatabase, true),
    'agent unverify': verifyCommand(onDatabase, false),
    'agent operator': {
      summary: 'Let an agent work at the operator’s desk of the portal; --off ends it.',
      argument: 'EMAIL',
      options: { off: {} },
      async run({ argument }, { off }) {
        const { id, email, name } = await onDatabase(db => setOperator(db, argument, !off))
        return {
          data: { id, email, name, operator: !off },
          text: `${email} is ${off ? 'no longer an operator' : 'an operator'}.`,
        }
      },
    },
    'agent list': {
      summary: 'All agents.',
      async run() {
        const agents = await onDatabase(listAgents)
        const data = agents.map(({ is_test, ...agent }) => ({
          ...agent,
          verified: agent.verified_at !== null,
          test: is_test,
        }))
        const rows = data.map(({ email, name, agency, verified, test }) => ({
          email,
          name,
          agency,
          verified: verified ? 'verified' : 'not verified',
          test: test ? 'test account' : '',
        }))
        return { data, text: table(rows) }
      },
    },
    'key create': {
      summary: 'Make an API key, shown this once. --scopes is read, read,write or partner.',
      options: { agent: required('EMAIL'), label: required('TEXT'), scopes: required('SCOPES') },
      async run({ agent, label, scopes }) {
        const data = await onDatabase(db =>
          issueKey(db, { agentEmail: agent as string, label: label as string, scopes: scopes as string }),
        )
        return { data, text: `${data.key}\nKeep it now: it is not shown again.` }
      },
    },
    'key list': {
      summary: 'All keys, without their secrets.',
      async run() {
        const keys = await onDatabase(listKeys)
        const rows = keys.map(({ prefix, agent, scopes, label, last_used_at, revoked_at }) => ({
          prefix,
          agent,
          scopes,
          label,
          used: last_used_at ? `used ${last_used_at.toISOString()}` : 'never used',
          state: revoked_at ? 'revoked' : '',
        }))
        return { data: keys, text: table(rows) }
      },
    },
    'key revoke': {
      summary: 'Stop a key at once. PREFIX is the eight characters after svc_; the whole key will do.',
      argument: 'PREFIX',
      async run({ argument }) {
        const prefix = prefixIn(argument)
        await onDatabase(db => revokeKey(db, prefix))
        return { data: { prefix, revoked: true }, text: `${prefix} is revoked.` }
      },
    },
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
    ...webhookCommands(onDatabase, table, terminal.print),
    openapi: {
      summary: 'Print the API description.',
      async run() {
        const data = await describeApi()
        return { data, text: JSON.stringify(data, null, 2) }
      },
    },
  }
}

/** Of a prefix or a whole key, the prefix. What is neither may still be a secret and is not repeated. */
function prefixIn(text: string): string {
  const [, ofKey, alone] = /^(?:svc_([0-9A-Za-z]{8})_[0-9A-Za-z]*|([0-9A-Za-z]{8}))$/.exec(text) ?? []
  const prefix = ofKey ?? alone
  if (prefix) return prefix
  throw new Problem('validation', {
    errors: ['PREFIX must be the eight letters and digits after svc_, or the whole key'],
  })
}

/** The description needs the routes but no database: the pool never connects. */
async function describeApi(): Promise<unknown> {
  const { buildApp } = await import('./app.ts')
  const { pino } = await import('pino')
  const pool = openPool('postgres://nobody@127.0.0.1:1/none', 1)
  const app = await buildApp({
    db: openDatabase(pool),
    logger: pino({ level: 'silent' }),
    publicUrl: 'https://lonja.example',
    rateLimit: 600,
    trustProxy: [],
  })
  await app.ready()
  const description = app.swagger()
  await app.close()
  await pool.end()
  return description
}
