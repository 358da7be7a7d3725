/**
 * Applies all migrations to a fresh database and writes its catalog as src/db/schema.ts, the types of the tables, and
 * db/schema.sql, for reading. With --check it writes nothing and fails if either file is out of date.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { openPool } from '../src/db/database.ts'
import { openEmbeddedPostgres } from '../src/db/embedded.ts'
import { migrate } from '../src/db/migrate.ts'

const TYPES = 'src/db/schema.ts'
const DUMP = 'db/schema.sql'

/** As returned by the parsers of src/db/database.ts. */
const TYPESCRIPT: Record<string, string> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  'double precision': 'number',
  integer: 'number',
  numeric: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
  // Read as text: a day has no time zone.
  date: 'string',
  tsvector: 'string',
  uuid: 'string',
  xid8: 'string',
}

/** Not in the catalog: JSON is written as text, and read as the type of that column. */
const OVERRIDES: Record<string, string> = {
  'findings.detail': 'ColumnType<Record<string, string | number>, string, string>',
  'import_memories.columns': 'ColumnType<Record<string, string>, string, string>',
  'import_rows.before': 'ColumnType<unknown, string | null | undefined, string | null>',
  'import_rows.cells': 'ColumnType<unknown, string, never>',
  'import_rows.issues': 'ColumnType<unknown, string | undefined, string>',
  'import_rows.notes': 'ColumnType<unknown, string | undefined, string>',
  'imports.columns': 'ColumnType<unknown, string | undefined, string>',
  'imports.counts': 'ColumnType<Record<string, number>, string | undefined, string>',
  'imports.issues': 'ColumnType<unknown, string | undefined, string>',
  'kept_answers.headers': 'ColumnType<Record<string, string>, string, never>',
  'lead_listings.whereabouts':
    'ReadOnly<{ state: string; city: string; municipality: string | null } | null>',
  'listing_changes.fields': 'ColumnType<Record<string, [unknown, unknown]>, string | undefined, never>',
  'outbox.data': 'ColumnType<unknown, string, never>',
  'setting_changes.value': 'ColumnType<unknown, string | null, never>',
  'webhook_deliveries.sent_headers':
    'ColumnType<[string, string][] | null, string | undefined, string | null>',
}

interface Column {
  name: string
  type: string
  required: boolean
  fallback: string | null
  identity: boolean
}

interface Table {
  name: string
  /** The query of a view; null for a table. */
  view: string | null
  /** Emptied by a crash, and not written to the log. */
  isUnlogged: boolean
  columns: Column[]
  /** Primary key first, then by name. */
  constraints: { name: string; definition: string; kind: string; columns: string[] }[]
  indexes: string[]
  triggers: string[]
}

const TABLES = `
  select c.relname as name, case c.relkind when 'v' then pg_get_viewdef(c.oid, true) end as view,
    c.relpersistence = 'u' as "isUnlogged",
    (select json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'required', a.attnotnull,
        'fallback', pg_get_expr(d.adbin, d.adrelid), 'identity', a.attidentity <> '') order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(json_build_object(
        'name', k.conname, 'definition', pg_get_constraintdef(k.oid, true), 'kind', k.contype,
        'columns', array(select attname from pg_attribute where attrelid = c.oid and attnum = any (k.conkey)))
        order by k.contype <> 'p', k.conname), '[]')
      from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')) as constraints,
    array(select pg_get_indexdef(i.indexrelid, 0, true) from pg_index i
      where i.indrelid = c.oid and not exists (select from pg_constraint where conindid = i.indexrelid and conrelid = c.oid)
      order by i.indexrelid::regclass::text) as indexes,
    array(select pg_get_triggerdef(t.oid, true) from pg_trigger t
      where t.tgrelid = c.oid and not t.tgisinternal order by t.tgname) as triggers
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') order by c.relname`

const FUNCTIONS = `
  select pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace
  order by proname, pg_get_function_identity_arguments(oid)`

/** This script supports only tables, views, indexes and identity sequences. */
const UNKNOWN = `
  select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind not in ('r', 'v', 'i', 'S')
  union all
  select typname from pg_type
  where typnamespace = 'public'::regnamespace and typtype not in ('b', 'c')`

async function onFreshDatabase<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lonja-types-'))
  try {
    const postgres = await openEmbeddedPostgres({ dataDir, durable: false, role: 'command' })
    const pool = openPool(postgres.url, 1)
    try {
      await migrate(pool)
      return await work(pool)
    } finally {
      await pool.end()
      await postgres.stop()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function columnType(table: Table, column: Column): string {
  const override = OVERRIDES[`${table.name}.${column.name}`]
  if (override) return override
  const [, base, array] = /^(.*?)(?:\([\d,]+\))?(\[\])?$/.exec(column.type) as unknown as [
    string,
    string,
    string,
  ]
  const plain = TYPESCRIPT[base]
  if (!plain)
    throw new Error(`${table.name}.${column.name} is ${column.type}: teach scripts/db-types.ts that type`)
  const type = array ? `${plain}[]` : (closedList(table, column) ?? plain)
  // The catalog does not record which columns of a view are never null.
  if (table.view !== null) return `ReadOnly<${type} | null>`
  if (column.identity) return `Generated<${type}>`
  if (!column.required) return `${type} | null`
  if (column.fallback === null) return type
  return type === 'Date' ? 'Stamp' : `Generated<${type}>`
}

/** The values allowed by a check on this column alone, such as `status = ANY (ARRAY['draft'::text, …])`. */
function closedList(table: Table, column: Column): string | undefined {
  const check = table.constraints.find(
    ({ kind, columns, definition }) =>
      kind === 'c' &&
      columns.join() === column.name &&
      definition.startsWith(`CHECK (${column.name} = ANY (ARRAY[`),
  )
  return check?.definition.match(/'[^']*'(?=::text)/g)?.join(' | ')
}

const singular = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '')
const interfaceName = ({ name, view }: Table) =>
  singular(name).replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()) +
  (view === null ? 'Table' : 'View')

function typesOf(tables: Table[]): string {
  const text = `// Made by \`npm run db:types\` from the migrations: do not edit.
import type { ColumnType, Generated } from 'kysely'

/** Filled by the database when not given. */
type Stamp = ColumnType<Date, Date | undefined, Date>
type ReadOnly<T> = ColumnType<T, never, never>

export interface Database {
${tables.map(table => `  ${table.name}: ${interfaceName(table)}`).join('\n')}
}
${tables
  .map(
    table => `
interface ${interfaceName(table)} {
${table.columns.map(column => `  ${column.name}: ${columnType(table, column)}`).join('\n')}
}
`,
  )
  .join('')}`
  return execFileSync('node_modules/.bin/biome', ['format', `--stdin-file-path=${TYPES}`], {
    input: text,
    encoding: 'utf8',
  })
}

function columnLine({ name, type, required, fallback, identity }: Column): string {
  const parts = [
    name,
    type.replace('timestamp with time zone', 'timestamptz'),
    required && 'NOT NULL',
    fallback !== null && `DEFAULT ${fallback}`,
    identity && 'GENERATED ALWAYS AS IDENTITY',
  ]
  return parts.filter(Boolean).join(' ')
}

function tableText({ name, view, isUnlogged, columns, constraints, indexes, triggers }: Table): string {
  if (view !== null) return `CREATE VIEW ${name} AS\n${view}\n`
  const lines = [
    ...columns.map(columnLine),
    ...constraints.map(({ name, definition }) => `CONSTRAINT ${name} ${definition}`),
  ]
  const after = [...indexes, ...triggers].map(line => `${line};\n`)
  const kind = isUnlogged ? 'UNLOGGED TABLE' : 'TABLE'
  return `CREATE ${kind} ${name} (\n${lines.map(line => `  ${line}`).join(',\n')}\n);\n${after.join('')}`
}

const dumpOf = (tables: Table[], functions: string[]) =>
  [
    '-- Made by `npm run db:types` from the migrations, for reading: the database as they leave it.\n',
    ...tables.map(tableText),
    ...functions.map(definition => `${definition.trimEnd()};\n`),
  ].join('\n')

const made = await onFreshDatabase(async pool => {
  const rows = async <T>(text: string) => (await pool.query(text)).rows as T[]
  const unknown = await rows<{ name: string }>(UNKNOWN)
  if (unknown.length > 0) {
    throw new Error(`Neither table, view, index nor sequence: ${unknown.map(({ name }) => name).join(', ')}`)
  }
  const tables = await rows<Table>(TABLES)
  const functions = (await rows<{ definition: string }>(FUNCTIONS)).map(({ definition }) => definition)
  return { tables: tables.length, files: { [TYPES]: typesOf(tables), [DUMP]: dumpOf(tables, functions) } }
})

const isCheck = process.argv.includes('--check')
for (const [file, text] of Object.entries(made.files)) {
  if (!isCheck) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    console.error(`${file} is not what the migrations make: npm run db:types`)
    process.exitCode = 1
  }
}
if (!process.exitCode) console.log(`Database: ${made.tables} tables, ${TYPES} and ${DUMP} are current.`)
