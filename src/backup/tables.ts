import type pg from 'pg'

/** A table whose rows are saved. `migrations` tables are not: restoring runs the migrations themselves. */
export interface Table {
  /** With its schema, quoted as SQL needs it. */
  name: string
  /** All that are not computed, quoted. */
  columns: string
}

export interface TableContent extends Table {
  rows: number
  /** The same for the same rows in any order. */
  digest: string
}

/** So that rows read the same in every session. */
export const PLAIN_SESSION = `set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local search_path = public`

const OURS = `n.nspname in ('public', 'graphile_worker') and c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> 'migrations'`

/** Every table that outlives a restart, those first to which others refer. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table & { id: number; needs: number[] }>(`
    select c.oid::int8 as id, format('%I.%I', n.nspname, c.relname) as name,
      (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      array(select confrelid::int8 from pg_constraint
        where conrelid = c.oid and contype = 'f' and confrelid <> c.oid) as needs
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} order by name`)
  const waiting = rows.map(row => ({ ...row, needs: row.needs.map(Number) }))
  const ordered: Table[] = []
  const done = new Set<number>()
  while (waiting.length > 0) {
    const index = waiting.findIndex(({ needs }) => needs.every(id => done.has(id)))
    const [next] = waiting.splice(index, 1)
    if (index < 0 || !next) throw new Error('tables refer to each other in a circle')
    done.add(Number(next.id))
    ordered.push({ name: next.name, columns: next.columns })
  }
  return ordered
}

export async function describeContent(client: pg.ClientBase, table: Table): Promise<TableContent> {
  const { rows } = await client.query<{ rows: string; digest: string }>(`
    select count(*)::text as rows,
      coalesce(sum(('x' || left(md5(row(${table.columns})::text), 15))::bit(60)::int8), 0)::text as digest
    from ${table.name}`)
  const { rows: count = '0', digest = '0' } = rows[0] ?? {}
  return { ...table, rows: Number(count), digest }
}

export async function listSequences(client: pg.ClientBase): Promise<{ name: string; value: string }[]> {
  const { rows } = await client.query<{ name: string; value: string }>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
    where schemaname in ('public', 'graphile_worker') and last_value is not null order by name`)
  return rows
}

export async function listMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows: found } = await client.query(`select to_regclass('public.migrations') is not null as exists`)
  if (!found[0].exists) return []
  const { rows } = await client.query<{ name: string }>('select name from public.migrations order by name')
  return rows.map(row => row.name)
}
