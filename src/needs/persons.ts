import { sql } from 'kysely'
import type { Sql, Tx } from '../db/database.ts'

/** Text that an agent wrote about a client. */
interface Said {
  id: string
  client: string | null
  note: string | null
}

async function listSaid(db: Sql, agentId: string): Promise<Said[]> {
  const { rows } = await sql<Said>`
    select id, client, note from needs
    where agent_id = ${agentId} and (client is not null or note is not null)`.execute(db)
  return rows
}

/** What the agent's needs say of a person, for their right of access. */
export async function listNaming(
  db: Sql,
  agentId: string,
  isNaming: (text: string) => boolean,
): Promise<string[]> {
  const said = await listSaid(db, agentId)
  return said.flatMap(({ client, note }) =>
    [client, note].filter(text => text !== null && isNaming(text)),
  ) as string[]
}

/** Removes from the agent's needs what names an erased person. What is looked for stays. */
export async function eraseFromNeeds(
  tx: Tx,
  agentId: string,
  isNaming: (text: string) => boolean,
): Promise<void> {
  const kept = (text: string | null) => (text !== null && isNaming(text) ? null : text)
  for (const { id, client, note } of await listSaid(tx, agentId)) {
    if (kept(client) === client && kept(note) === note) continue
    await sql`
      update needs set client = ${kept(client)}, note = ${kept(note)}, updated_at = next_stamp(updated_at)
      where id = ${id}`.execute(tx)
  }
}
