import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { DEMO_AGENT } from './agents.ts'
import { demoId } from './ids.ts'

const DAY = 24 * 3_600_000

interface Wish {
  note: string
  client: string
  onBoard: boolean
  notices: 'at_once' | 'daily' | 'none'
}

const MINE: Wish[] = [
  { client: 'Familia R.', note: 'Con jardín, crédito autorizado.', onBoard: true, notices: 'at_once' },
  { client: 'Inversionista M.', note: 'Para rentar, de contado.', onBoard: false, notices: 'daily' },
  { client: 'Pareja joven', note: 'Primera vivienda.', onBoard: true, notices: 'none' },
]
const THEIRS: Wish[] = [
  { client: 'Sra. L.', note: 'Cerca de escuelas, se muda en verano.', onBoard: true, notices: 'daily' },
  { client: 'Corporativo', note: 'Contrato a nombre de empresa.', onBoard: true, notices: 'at_once' },
  { client: 'Jubilados', note: 'De preferencia en una planta.', onBoard: true, notices: 'daily' },
  { client: 'Sr. T.', note: 'Puede cerrar este mes.', onBoard: true, notices: 'none' },
]

interface Sample {
  city: string
  property_type: string
  price: number
  currency: string
  operation: string
}

/** What the demo agent and colleagues look for, like listings the other side has. Matches are found when the demo starts. */
export async function insertNeeds(tx: Tx, now: Date): Promise<void> {
  const demo = demoId('agent', DEMO_AGENT)
  const samples = async (isOwn: boolean, count: number) =>
    (
      await sql<Sample>`
        select l.city, l.property_type, coalesce(l.sale_price, l.rent_price) as price,
          coalesce(l.sale_currency, l.rent_currency) as currency,
          case when l.sale_price is null then 'rental' else 'sale' end as operation
        from listings l join agents a on a.id = l.agent_id
        where (l.agent_id = ${demo}) = ${isOwn} and is_on_market(l, a) order by l.id limit ${count}`.execute(
        tx,
      )
    ).rows
  const { rows: colleagues } = await sql<{ id: string }>`
    select id from agents a where is_public(a) and id <> ${demo} order by id limit ${THEIRS.length}`.execute(
    tx,
  )
  const mine = (await samples(false, MINE.length)).map((sample, i) => ({
    sample,
    wish: MINE[i],
    agent: demo,
  }))
  const theirs = (await samples(true, THEIRS.length)).map((sample, i) => ({
    sample,
    wish: THEIRS[i],
    agent: colleagues[i % colleagues.length]?.id,
  }))
  for (const [i, { sample, wish, agent }] of [...mine, ...theirs].entries()) {
    if (!wish || !agent) continue
    const query = new URLSearchParams({
      operation: sample.operation,
      type: sample.property_type,
      max_price: String(Math.ceil(sample.price * 1.1)),
      currency: sample.currency,
    })
    await tx
      .insertInto('needs')
      .values({
        id: demoId('need', i),
        agent_id: agent,
        client: wish.client,
        note: wish.note,
        query: String(query),
        places: [sample.city],
        on_board: wish.onBoard,
        notices: wish.notices,
        until: new Date(now.getTime() + (30 + i * 10) * DAY),
        created_at: new Date(now.getTime() - (i + 1) * DAY),
      })
      .execute()
  }
}
