import { sql } from 'kysely'
import type { Tx } from '../db/database.ts'
import { DEMO_AGENT } from './agents.ts'
import { demoId } from './ids.ts'

/** About the demo agent's latest leads, one after the other; hours from now until a task is due. */
const TASKS = [
  { text: 'Llamar para confirmar la visita', inHours: -20 },
  { text: 'Enviar la ficha y los planos', inHours: 3 },
  { text: 'Preguntar por el avalúo del banco', inHours: 26 },
  { text: 'Pedir la carta oferta firmada', inHours: 75 },
  { text: 'Agradecer la visita', inHours: -50, isDone: true },
]
const NOTES = [
  'Busca para mudarse antes del ciclo escolar. Prefiere que le escriban por WhatsApp.',
  'Ya tiene crédito preaprobado; decide con su esposa.',
  'Visitó dos propiedades con otra inmobiliaria. Le importa el ruido de la avenida.',
]

/** Notes and tasks of the demo agent, a person who asked twice, and a lead that a colleague handed over. */
export async function insertContacts(tx: Tx, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string; created_at: Date }>`
    select id, created_at from leads where agent_id = ${demoId('agent', DEMO_AGENT)}
      and email is not null and phone is not null and status not in ('won', 'lost')
    order by created_at desc limit ${TASKS.length}`.execute(tx)
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
  const leadOf = (i: number) => (rows[i % rows.length] as (typeof rows)[number]).id
  await tx
    .insertInto('lead_tasks')
    .values(
      TASKS.map(({ text, inHours, isDone = false }, i) => ({
        id: demoId('task', i),
        lead_id: leadOf(i),
        text,
        due_at: at(inHours),
        reminded_at: inHours < 0 ? at(inHours) : null,
        done_at: isDone ? at(inHours) : null,
      })),
    )
    .execute()
  await tx
    .insertInto('lead_notes')
    .values(NOTES.map((text, i) => ({ id: demoId('note', i), lead_id: leadOf(i), text, at: at(-i - 1) })))
    .execute()
  await sql`
    update leads d set name = p.name, email = p.email, phone = p.phone, phone_e164 = p.phone_e164
    from leads p where p.id = ${leadOf(0)} and d.id = ${leadOf(TASKS.length - 1)}`.execute(tx)
  const [colleague, demo] = [demoId('agent', 1), demoId('agent', DEMO_AGENT)]
  await tx
    .insertInto('lead_handovers')
    .values({ lead_id: leadOf(1), from_id: colleague, to_id: demo, by_id: colleague, at: at(-30) })
    .execute()
}
