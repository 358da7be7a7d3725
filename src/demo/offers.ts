import { sql } from 'kysely'
import { NO_CLIENT } from '../cooperation/rules.ts'
import type { Tx } from '../db/database.ts'
import { DEMO_AGENT } from './agents.ts'
import { demoId } from './ids.ts'

const DAY = 24 * 3_600_000

/** To which of the demo's needs (demo/needs.ts), and how its agent answered, if at all. */
const OFFERS = [
  { need: 0, message: 'Tiene el jardín que busca tu cliente; las llaves las tengo yo.', answer: undefined },
  { need: 3, message: 'A dos cuadras de la escuela. ¿La ven juntos?', answer: 'Le gusta. Te llamo hoy.' },
]

interface Fitting {
  need_id: string
  buyer: string
  places: string[]
  listing_id: string
  owner: string
  shared_commission: string
}

/** Listings that their agents offered to needs: one waits for the demo agent, one is the demo agent's own. */
export async function insertOffers(tx: Tx, now: Date): Promise<void> {
  for (const [i, { need, message, answer }] of OFFERS.entries()) {
    const fitting = await findFitting(tx, demoId('need', need))
    if (!fitting) continue
    const { need_id, buyer, owner, listing_id, shared_commission: split } = fitting
    const id = demoId('offer', i)
    const at = new Date(now.getTime() - (i + 1) * DAY)
    const answeredAt = new Date(at.getTime() + DAY / 4)
    await tx
      .insertInto('cooperations')
      .values({
        id,
        listing_id,
        buyer_agent_id: buyer,
        owner_id: owner,
        proposed_by: 'owner',
        need_id,
        state: answer ? 'accepted' : 'proposed',
        awaited: answer ? null : 'buyer',
        awaited_since: at,
        client: NO_CLIENT,
        lead_id: null,
        wish: fitting.places.join(' · '),
        split,
        created_at: at,
        updated_at: answer ? answeredAt : at,
      })
      .execute()
    const entry = { cooperation_id: id, at, agent_id: owner, kind: 'propose' as const, text: message, split }
    await tx.insertInto('cooperation_entries').values(entry).execute()
    if (answer) {
      const accepted = { ...entry, at: answeredAt, agent_id: buyer, kind: 'accept' as const, text: answer }
      await tx
        .insertInto('cooperation_entries')
        .values({ ...accepted, split: null })
        .execute()
    }
  }
}

/** The demo agent's need with a colleague's listing in that city, or the other way round. */
async function findFitting(tx: Tx, needId: string): Promise<Fitting | undefined> {
  const demo = demoId('agent', DEMO_AGENT)
  const { rows } = await sql<Fitting>`
    select n.id as need_id, n.agent_id as buyer, n.places, l.id as listing_id, l.agent_id as owner, l.shared_commission
    from needs n join listings l on l.city = any(n.places) and l.agent_id <> n.agent_id
    join agents a on a.id = l.agent_id
    where n.id = ${needId} and is_on_market(l, a) and l.shared_commission is not null and ${demo} in (n.agent_id, l.agent_id)
    order by l.id limit 1`.execute(tx)
  return rows[0]
}
