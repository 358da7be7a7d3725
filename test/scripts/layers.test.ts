import { describe, expect, it } from 'vitest'
import { type Folders, judgeImports } from '../../scripts/layers/imports.ts'
import { judgeTables } from '../../scripts/layers/tables.ts'

const FOLDERS: Folders = { lib: [], agents: ['lib'], leads: ['lib', 'agents'] }

const importing = (files: Record<string, string[]>) =>
  judgeImports(
    Object.entries(files).map(([name, paths]) => ({
      name,
      text: paths.map(path => `import { one } from '${path}'\n`).join(''),
    })),
    FOLDERS,
  ).complaints

describe('an import', () => {
  it('in the allowed direction passes', () => {
    expect(
      importing({
        'lib/text.ts': [],
        'agents/store.ts': ['../lib/text.ts'],
        'agents/service.ts': ['./store.ts'],
        'leads/service.ts': ['../agents/service.ts'],
      }),
    ).toEqual([])
  })

  it('in the opposite direction is reported', () => {
    expect(
      importing({ 'agents/service.ts': ['../leads/service.ts'], 'leads/service.ts': ['../lib/a.ts'] }),
    ).toEqual(['src/agents/service.ts → src/leads/service.ts: agents may not import leads'])
  })

  it('of another folder’s store is reported', () => {
    expect(importing({ 'leads/service.ts': ['../agents/store.ts'] })).toEqual([
      'src/leads/service.ts → src/agents/store.ts: store of agents is its own: ask its service',
    ])
  })

  it('from a lower role to a higher one is reported', () => {
    expect(importing({ 'leads/rules.ts': ['./service.ts'] })).toEqual([
      'src/leads/rules.ts → src/leads/service.ts: rules may not import service',
    ])
  })

  it('that forms a cycle of any length is reported', () => {
    expect(
      importing({ 'leads/a.ts': ['./b.ts'], 'leads/b.ts': ['./c.ts'], 'leads/c.ts': ['./a.ts'] }),
    ).toEqual(['circle: leads/a.ts → leads/b.ts → leads/c.ts → leads/a.ts'])
  })

  it('of a folder that is not listed is reported', () => {
    expect(importing({ 'agents/service.ts': ['../lib/a.ts'], 'odd/a.ts': [] })).toEqual([
      'src/odd/a.ts: its folder is not in the picture',
    ])
  })
})

const SCHEMA =
  'CREATE TABLE agents (\n);\nCREATE TABLE leads (\n);\nCREATE VIEW lead_listings AS\nSELECT 1;\n'
const OWNERS = { agents: 'agents', leads: 'leads', lead_listings: 'leads' }
const NOBODY = { owners: OWNERS, readers: {}, writers: {}, everywhere: ['demo'] }
/** The owners' own statements, so that every check has something to look at. */
const OWN = [{ name: 'agents/store.ts', text: 'sql`select from agents`' }]

const judge = (name: string, text: string, ownership: Partial<typeof NOBODY> = {}, schema = SCHEMA) =>
  judgeTables([...OWN, { name, text }], schema, { ...NOBODY, ...ownership }).complaints

describe('a statement about a table', () => {
  it.each([
    ['sql`select * from agents where id = 1`', 'reads'],
    ['sql`select from leads d join agents a on true`', 'reads'],
    ['sql`select from event, agents a`', 'reads'],
    ['sql`select from x left join (agents a join y on true) on true`', 'reads'],
    ['sql`delete from x using agents a`', 'reads'],
    ['sql`select from public.agents`', 'reads'],
    ['sql`SELECT FROM agents`', 'reads'],
    ["db.selectFrom('agents as a')", 'reads'],
    ["db.selectFrom(['x', 'agents as a'])", 'reads'],
    ["db.selectFrom('x').leftJoin(\n  'agents as a', 'a.id', 'x.id')", 'reads'],
    ['sql`insert into agents (id) values (1)`', 'writes'],
    ['sql`update agents set lang = 1`', 'writes'],
    ['sql`copy agents (id) from stdin`', 'writes'],
    ["db.insertInto('agents')", 'writes'],
    ["db.updateTable('agents')", 'writes'],
    ["db.deleteFrom('agents')", 'writes'],
  ])('of another folder is reported: %s', (statement, verb) => {
    expect(judge('leads/store.ts', statement)).toEqual([
      `src/leads/store.ts ${verb} agents, which agents owns: ask agents`,
    ])
  })

  it('that deletes from another folder’s table is reported as both', () => {
    expect(judge('leads/store.ts', 'sql`delete from agents`')).toEqual([
      'src/leads/store.ts writes agents, which agents owns: ask agents',
      'src/leads/store.ts reads agents, which agents owns: ask agents',
    ])
  })

  it.each([
    ['agents/operator/store.ts', 'sql`update agents set lang = 1`'],
    ['demo/load.ts', "db.insertInto('agents')"],
    ['leads/store.ts', '/** Never from agents. */\nsql`select 1 -- from agents\n` // update agents'],
    ['leads/store.ts', "fetch('https://x.example'); sql`select from lead_listings for update of l`"],
  ])('of its owner, of the demo or only in text passes: %s %s', (name, text) => {
    expect(judge(name, text)).toEqual([])
  })

  it('passes for a listed reader, and a reader that writes is reported', () => {
    const readers = { agents: { leads: 'the name of who answers' } }
    expect(judge('leads/store.ts', 'sql`select from agents`', { readers })).toEqual([])
    const both = 'sql`select from agents`; sql`update agents set lang = 1`'
    expect(judge('leads/store.ts', both, { readers })).toEqual([
      'src/leads/store.ts writes agents, which agents owns: ask agents',
    ])
  })

  it('that names its table by a variable is reported', () => {
    expect(judge('leads/store.ts', 'db.selectFrom(table)')).toEqual([
      'src/leads/store.ts names a table by a variable: its owner cannot be determined',
    ])
  })
})

describe('the map of owners', () => {
  it('has every table and view of the schema', () => {
    expect(judge('leads/store.ts', '', {}, `${SCHEMA}CREATE TABLE visits (\n);\n`)).toEqual([
      'visits has no owner',
    ])
  })

  it('has nothing that the schema does not have', () => {
    const owners = { ...OWNERS, visits: 'leads' }
    expect(judge('leads/store.ts', '', { owners })).toEqual([
      'visits has an owner, but db/schema.sql does not have it',
    ])
  })

  it('lists no reader or writer that does not read or write', () => {
    const guests = { agents: { leads: 'once upon a time' } }
    expect(judge('leads/store.ts', '', { readers: guests, writers: guests })).toEqual([
      'leads is listed as one who reads agents, and does not',
      'leads is listed as one who writes agents, and does not',
    ])
  })

  it('fails if there are no statements to check', () => {
    expect(judgeTables([], SCHEMA, NOBODY).complaints).toEqual([
      'no statements found: the check looks in the wrong place',
    ])
  })
})
