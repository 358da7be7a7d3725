import type { Source } from './imports.ts'

/** Who else may access a table, and why calling its owner would not work: table → noun → reason. */
type Guests = Record<string, Record<string, string>>

export interface Ownership {
  /** Table or view → the noun whose folder has exclusive access. */
  owners: Record<string, string>
  readers: Guests
  /** Write access includes read access. */
  writers: Guests
  /** Nouns with access to everything. */
  everywhere: string[]
}

interface Use {
  file: string
  table: string
  isWrite: boolean
}

const nounOf = (file: string) => file.split('/')[0] as string

const KYSELY =
  /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|using|from|\w*Join)\(\s*(\[[^\]]*\]|'[^']*')/g
const BLIND = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(\s*[^'[\s]|\bsql\.table\(/
const KYSELY_WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto'])
const SQL_WRITE =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate|copy)\s+(?:only\s+)?(?:public\.)?([a-z_]+)/gi
/** `from a x, b y` names two tables. */
const SQL_READ =
  /\b(?:from|join|using)\s+(?:\(\s*)?(?:only\s+|lateral\s+)?(?:public\.)?((?:[a-z_]+(?:\s+(?:as\s+)?[a-z_]+)?\s*,\s*)*[a-z_]+)/gi

/** Mentions in comments are not uses. Comments follow a space; `//` in a URL does not. */
const withoutComments = (text: string) =>
  text.replace(/(^|\s)\/\*[\s\S]*?\*\//g, '$1').replace(/(^|\s)(?:\/\/|--\s).*$/gm, '$1')

function usesIn(file: string, code: string): Use[] {
  const kysely = [...code.matchAll(KYSELY)].flatMap(([, verb = '', names = '']) =>
    [...names.matchAll(/'(\w+)/g)].map(([, table = '']) => ({
      file,
      table,
      isWrite: KYSELY_WRITES.has(verb),
    })),
  )
  const writes = [...code.matchAll(SQL_WRITE)].map(([, table = '']) => ({ file, table, isWrite: true }))
  const reads = [...code.matchAll(SQL_READ)].flatMap(([, list = '']) =>
    list.split(',').map(part => ({ file, table: part.trim().split(/\s/)[0] as string, isWrite: false })),
  )
  return [...kysely, ...writes, ...reads]
}

/** `schema` is db/schema.sql: a name not in it is something else, such as a common table expression. */
export function judgeTables(sources: readonly Source[], schema: string, ownership: Ownership) {
  const { owners, readers, writers, everywhere } = ownership
  const tables = [...schema.matchAll(/^CREATE (?:TABLE|UNLOGGED TABLE|VIEW) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
  const read = sources.map(({ name, text }) => ({ name, code: withoutComments(text) }))
  const uses = read
    .flatMap(({ name, code }) => usesIn(name, code))
    .filter(({ table }) => tables.includes(table))
  const used = new Set<string>()

  const complaintAbout = ({ file, table, isWrite }: Use): string[] => {
    const noun = nounOf(file)
    const owner = owners[table]
    if (!owner || noun === owner || everywhere.includes(noun)) return []
    const verb = isWrite ? 'writes' : 'reads'
    used.add(`${noun} ${verb} ${table}`)
    const reason = writers[table]?.[noun] ?? (isWrite ? undefined : readers[table]?.[noun])
    return reason ? [] : [`src/${file} ${verb} ${table}, which ${owner} owns: ask ${owner}`]
  }
  const idle = (guests: Guests, kind: string) =>
    Object.entries(guests).flatMap(([table, nouns]) =>
      Object.keys(nouns)
        .filter(noun => !used.has(`${noun} ${kind} ${table}`))
        .map(noun => `${noun} is listed as one who ${kind} ${table}, and does not`),
    )
  const complaints = [
    ...tables.filter(table => !owners[table]).map(table => `${table} has no owner`),
    ...Object.keys(owners)
      .filter(table => !tables.includes(table))
      .map(table => `${table} has an owner, but db/schema.sql does not have it`),
    ...read
      .filter(({ name, code }) => !everywhere.includes(nounOf(name)) && BLIND.test(code))
      .map(({ name }) => `src/${name} names a table by a variable: its owner cannot be determined`),
    ...new Set(uses.flatMap(complaintAbout)),
    ...idle(readers, 'reads'),
    ...idle(writers, 'writes'),
    ...(uses.length === 0 ? ['no statements found: the check looks in the wrong place'] : []),
  ]
  return { tables: tables.length, complaints }
}
