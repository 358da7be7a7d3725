import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'

export { listPublic } from './store.ts'

/** Whose: an agent's, an agency's, or those with these ids. */
export type Selected = { agentId: string } | { agencyId: string | null } | { ids: readonly string[] }

const ID_BYTES = 16

/**
 * The public listings among them, newest first: the ids as bytes, so that 50,000 take 800 kB, and a digest of their
 * versions, which changes with anything that a record shows.
 */
export async function findSelected(db: Sql, of: Selected): Promise<{ ids: Buffer; digest: string }> {
  const { rows } = await sql<{ ids: Buffer; digest: string }>`
    select coalesce(string_agg(uuid_send(id), ''::bytea order by published_at desc, id), '') as ids,
      encode(sha256(coalesce(string_agg(uuid_send(id) || int8send(version), ''::bytea
        order by published_at desc, id), '')), 'hex') as digest
    from (
      select l.id, l.version, l.published_at
      from listings l
      join agents a on a.id = l.agent_id
      left join agencies g on g.id = a.agency_id and g.active
      where is_public(l, a) and ${among(of)}
    ) selected`.execute(db)
  return rows[0] as { ids: Buffer; digest: string }
}

function among(of: Selected) {
  if ('agentId' in of) return sql`l.agent_id = ${of.agentId}`
  if ('agencyId' in of) return sql`g.id = ${of.agencyId}`
  return sql`l.id = any(${[...of.ids]}::uuid[])`
}

export const countIn = (ids: Buffer): number => ids.length / ID_BYTES

/** A page of ids, as text. */
export function idsIn(ids: Buffer, from: number, count: number): string[] {
  const page = ids.subarray(from * ID_BYTES, (from + count) * ID_BYTES)
  return Array.from({ length: page.length / ID_BYTES }, (_, i) =>
    page
      .toString('hex', i * ID_BYTES, (i + 1) * ID_BYTES)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )
}
