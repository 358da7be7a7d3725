import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPool } from '../../src/db/database.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { StartupError } from '../../src/lib/startup-error.ts'

let home: string
let postgres: EmbeddedPostgres
let admin: pg.Pool
let pool: pg.Pool
let folder: string
let count = 0

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'lonja-migrate-'))
  postgres = await openEmbeddedPostgres({ dataDir: join(home, 'data'), durable: false, role: 'server' })
  admin = new pg.Pool({ connectionString: postgres.url })
})

afterAll(async () => {
  await admin.end()
  await postgres.stop()
  await rm(home, { recursive: true })
})

beforeEach(async () => {
  const name = `m${++count}`
  await admin.query(`create database ${name}`)
  pool = openPool(postgres.url.replace(/\/lonja$/, `/${name}`), 4)
  folder = await mkdtemp(join(home, 'migrations-'))
  await put('0001_first.sql', 'create table a (x int);\ninsert into a values (1);')
  await put('0002_second.sql', 'create table b (x int);')
})

afterEach(() => pool.end())

const put = (name: string, text: string) => writeFile(join(folder, name), text)
const run = (progress?: (line: string) => void) => migrate(pool, progress, pathToFileURL(`${folder}/`))
const applied = async () =>
  (await pool.query('select name from migrations order by name')).rows.map(r => r.name)

describe('migrate', () => {
  it('applies missing migrations, in order, and only once', async () => {
    expect(await run()).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await run()).toEqual([])
    await put('0003_third.sql', 'drop table b;')
    expect(await run()).toEqual(['0003_third.sql'])
    expect(await applied()).toEqual(['0001_first.sql', '0002_second.sql', '0003_third.sql'])
  })

  it('behind a long reader, lets others pass instead of stopping them, and is applied when it ends', async () => {
    await run()
    const reader = await pool.connect()
    await reader.query('begin; select from a')
    await put('0003_third.sql', 'alter table a add y int;')
    const lines: string[] = []
    const migrating = run(line => lines.push(line))
    await expect.poll(() => lines.at(-1), { timeout: 10_000 }).toMatch(/0003_third\.sql waits until others/)
    // In the pause of the migration, nothing waits for a lock.
    await pool.query('insert into a values (2)')
    expect(await applied()).toEqual(['0001_first.sql', '0002_second.sql'])
    await reader.query('commit')
    reader.release()
    expect(await migrating).toEqual(['0003_third.sql'])
    expect((await pool.query('select x, y from a order by x')).rows).toHaveLength(2)
  })

  it('needs no right to create anything if nothing is pending', async () => {
    await run()
    const { database } = (await pool.query('select current_database() as database')).rows[0]
    await admin.query(`create role reader_${database} login password 'reader'`)
    await pool.query(`
      grant select on migrations to reader_${database};
      grant usage on schema graphile_worker to reader_${database};
      grant select on all tables in schema graphile_worker to reader_${database}`)
    const url = new URL(postgres.url)
    Object.assign(url, { username: `reader_${database}`, password: 'reader', pathname: `/${database}` })
    const reading = openPool(url.href, 2)
    try {
      expect(await migrate(reading, undefined, pathToFileURL(`${folder}/`))).toEqual([])
      await put('0003_third.sql', 'create table c (x int);')
      await expect(migrate(reading, undefined, pathToFileURL(`${folder}/`))).rejects.toThrow(
        /0003_third\.sql failed and changed nothing \(permission denied/,
      )
    } finally {
      await reading.end()
    }
  })

  it('leaves nothing of a failed migration, and keeps those before it', async () => {
    await put('0002_second.sql', 'create table b (x int);\nselect 1 / 0;')
    await expect(run()).rejects.toThrow(/0002_second\.sql failed and changed nothing \(division by zero\)/)
    expect(await applied()).toEqual(['0001_first.sql'])
    expect((await pool.query("select to_regclass('b') as b")).rows[0].b).toBe(null)
  })

  it('applies each migration once when several processes start together', async () => {
    await put('0003_slow.sql', 'select pg_sleep(0.8);')
    const lines: string[] = []
    const results = await Promise.all([1, 2, 3].map(() => run(line => lines.push(line))))
    expect(results.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql', '0003_slow.sql'])
    expect(lines).toContain('Waiting for another process that is migrating this database')
  })

  it('rejects a migration that was changed after it was applied', async () => {
    await run()
    await put('0001_first.sql', 'create table a (x bigint);')
    await expect(run()).rejects.toThrow(/0001_first\.sql was changed after it was applied/)
  })

  it('ignores differences in line endings', async () => {
    await run()
    await put('0001_first.sql', 'create table a (x int);\r\ninsert into a values (1);')
    expect(await run()).toEqual([])
  })

  it('rejects a database that a newer version has migrated', async () => {
    await run()
    await pool.query("insert into migrations (name, sha256) values ('0099_future.sql', '')")
    await expect(run()).rejects.toThrow(/0099_future\.sql, which this version of Lonja does not know/)
  })

  it('reports an unreachable server in a sentence', async () => {
    const nowhere = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/x' })
    const failure = await migrate(nowhere).catch(error => error)
    expect(failure).toBeInstanceOf(StartupError)
    expect(failure.message).toMatch(
      /^PostgreSQL cannot be reached \(.*ECONNREFUSED.*\): check DATABASE_URL\.$/,
    )
    await nowhere.end()
  })

  it('rejects a server older than PostgreSQL 15', async () => {
    const client = {
      query: async () => ({ rows: [{ number: 140012, text: '14.12' }] }),
      release: () => {},
    }
    const old = { connect: async () => client } as unknown as pg.Pool
    await expect(migrate(old, undefined, pathToFileURL(`${folder}/`))).rejects.toThrow(
      'Lonja needs PostgreSQL 15 or later, and DATABASE_URL is PostgreSQL 14.12.',
    )
  })
})
