import pino from 'pino'
import { createAgent, listAgents, setVerified } from './agents/service.ts'
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { type Db, openDatabase, openPool } from './db/database.ts'
import { openExchangeDatabase } from './db/open.ts'
import { issueKey, listKeys, revokeKey } from './keys/service.ts'
import { setFlags, suspendListing } from './listings/service.ts'
import { serve } from './main.ts'

export interface Option {
  /** What stands after it; none for a switch. */
  value?: string
  required?: boolean
}

/** What was typed: options by name, switches as true. */
export type Values = Record<string, string | undefined> & { json?: string; argument: string }

/** The same answer for programs and for people. */
export interface Result {
  data: unknown
  text: string
}

export interface Command {
  summary: string
  argument?: string
  options?: Record<string, Option>
  run(values: Values): Promise<Result | undefined>
}

const required = (value: string): Option => ({ value, required: true })
const optional = (value: string): Option => ({ value })
const quiet = () => {}

/** Runs one piece of work on the data of the settings; whether a server runs on it makes no difference. */
async function onDatabase<T>(
  work: (db: Db) => Promise<T>,
  progress: (line: string) => void = quiet,
): Promise<T> {
  const database = await openExchangeDatabase(readConfig('command'), 'command', progress)
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

const table = (rows: Record<string, unknown>[]): string =>
  rows.length === 0 ? 'None.' : rows.map(row => Object.values(row).map(cell).join('  ')).join('\n')

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? value.join(',') : String(value)
}

const verifyCommand = (verified: boolean): Command => ({
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

const flagCommand = (flag: 'featured' | 'imported', on: string, off: string, summary: string): Command => ({
  summary,
  argument: 'ID',
  options: { off: {} },
  async run({ argument, off: isOff }) {
    const data = await onDatabase(db => setFlags(db, argument, { [flag]: !isOff }))
    return { data, text: `${data.slug} is ${isOff ? off : on}.` }
  },
})

export const COMMANDS: Record<string, Command> = {
  serve: {
    summary: 'Run the exchange. Needs DATABASE_URL or LONJA_DATA, and PUBLIC_URL; creates no demo data.',
    run: async () => void (await serve(readConfig('serve'))),
  },
  demo: {
    summary: 'Run the exchange with an invented market, filled at the first start.',
    run: async () => void (await serve(readConfig('demo'), { demo: true })),
  },
  migrate: {
    summary: 'Bring the database to this version.',
    async run() {
      const applied: string[] = []
      await onDatabase(
        async () => {},
        line => applied.push(line),
      )
      const migrations = applied
        .filter(line => line.startsWith('Applying '))
        .map(line => line.split(' ').at(-1))
      return {
        data: { applied: migrations },
        text: migrations.length > 0 ? applied.join('\n') : 'Up to date.',
      }
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
    async run(values) {
      const agent = await onDatabase(db =>
        createAgent(db, {
          name: values.name as string,
          email: values.email as string,
          phone: values.phone,
          agency: values.agency,
          licenseNumber: values['license-number'],
          licenseState: values['license-state'],
          password: values.password,
          verified: Boolean(values.verified),
          test: Boolean(values.test),
        }),
      )
      const data = { ...agent, verified: Boolean(values.verified), test: Boolean(values.test) }
      return { data, text: `Created ${agent.name} <${agent.email}>.` }
    },
  },
  'agent verify': verifyCommand(true),
  'agent unverify': verifyCommand(false),
  'agent list': {
    summary: 'All agents.',
    async run() {
      const agents = await onDatabase(listAgents)
      const rows = agents.map(({ email, name, agency, verified_at, is_test }) => ({
        email,
        name,
        agency,
        verified: verified_at ? 'verified' : 'not verified',
        test: is_test ? 'test account' : '',
      }))
      return { data: agents, text: table(rows) }
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
    summary: 'Stop a key at once.',
    argument: 'PREFIX',
    async run({ argument }) {
      await onDatabase(db => revokeKey(db, argument))
      return { data: { prefix: argument, revoked: true }, text: `${argument} is revoked.` }
    },
  },
  'listing feature': flagCommand(
    'featured',
    'featured',
    'no longer featured',
    'Show a listing first in every search; --off ends it.',
  ),
  'listing suspend': {
    summary: 'Hide a listing until the operator decides otherwise.',
    argument: 'ID',
    async run({ argument }) {
      const data = await onDatabase(db => suspendListing(db, argument))
      return { data, text: `${data.slug} is suspended.` }
    },
  },
  'listing import-mark': flagCommand(
    'imported',
    'marked as a licensed import',
    'no longer marked as an import',
    'Mark a listing as licensed from another MLS: the API shows it to nobody; --off ends it.',
  ),
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
