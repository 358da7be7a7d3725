import { sql } from 'kysely'
import { initialsOf, type State } from '../cooperation/rules.ts'
import type { Tx } from '../db/database.ts'
import { DEMO_AGENT } from './agents.ts'
import { demoId } from './ids.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** P: who brings the client; O: the listing's agent; S: the system. Days after the proposal. */
type DemoStep = [after: number, by: 'P' | 'O' | 'S', kind: string, text?: string, split?: string]

interface Story {
  state: State
  /** Whether the demo agent brings the client; otherwise the listing is the demo agent's. */
  isMine: boolean
  daysAgo: number
  wish: string
  message: string
  steps: DemoStep[]
  isDisputed?: boolean
}

const STORIES: Story[] = [
  {
    state: 'proposed',
    isMine: false,
    daysAgo: 1,
    wish: 'Casa con jardín, 3 recámaras, crédito aprobado',
    message: 'Mi clienta ya tiene crédito autorizado y puede verla esta semana.',
    steps: [],
  },
  {
    state: 'proposed',
    isMine: true,
    daysAgo: 3,
    wish: 'Departamento para invertir, hasta 4 millones',
    message: '¿Cooperamos? Mi cliente compra de contado.',
    steps: [[1, 'O', 'counter', 'Con gusto, pero ya comparto con otra oficina: puedo con 2%.', '2']],
  },
  {
    state: 'accepted',
    isMine: true,
    daysAgo: 5,
    wish: 'Familia de cuatro, cerca de escuelas',
    message: 'Tengo una familia que busca justo en esa colonia.',
    steps: [
      [0.3, 'O', 'accept', 'Adelante, avísame qué día pueden.'],
      [0.4, 'P', 'message', 'Gracias. Pido su identificación y te propongo horario.'],
    ],
  },
  {
    state: 'showing',
    isMine: true,
    daysAgo: 9,
    wish: 'Casa de un nivel para sus papás',
    message: 'Mi cliente quiere verla el fin de semana.',
    steps: [
      [0.2, 'O', 'accept'],
      [1, 'P', 'share'],
      [1.1, 'O', 'showing', 'Nos vemos en la entrada del fraccionamiento.'],
    ],
  },
  {
    state: 'offer',
    isMine: false,
    daysAgo: 16,
    wish: 'Terreno para construir dos casas',
    message: 'Ya conocen la zona y tienen el enganche.',
    steps: [
      [0.5, 'O', 'accept'],
      [2, 'O', 'showing'],
      [6, 'P', 'message', 'Les gustó. Están revisando el uso de suelo.'],
      [11, 'P', 'offer', '6% abajo del precio anunciado, firma en 30 días.'],
    ],
  },
  {
    state: 'closed',
    isMine: true,
    daysAgo: 74,
    wish: 'Departamento con dos estacionamientos',
    message: 'Mi cliente se muda en dos meses.',
    steps: [
      [0.4, 'O', 'counter', 'Puedo con 2.5%.', '2.5'],
      [0.9, 'P', 'accept', 'De acuerdo.'],
      [3, 'P', 'showing'],
      [5, 'P', 'offer', 'Precio completo, con crédito bancario.'],
      [41, 'O', 'close', 'Escriturada. Gracias por la cooperación.'],
    ],
  },
  {
    state: 'closed',
    isMine: false,
    daysAgo: 120,
    wish: 'Casa amueblada en renta',
    message: 'Ejecutivo con póliza jurídica.',
    steps: [
      [0.2, 'O', 'accept'],
      [1, 'O', 'showing'],
      [2, 'P', 'offer', 'Contrato de un año.'],
      [8, 'O', 'close', 'Contrato firmado.'],
    ],
  },
  {
    state: 'declined',
    isMine: true,
    daysAgo: 20,
    wish: 'Local en esquina',
    message: 'Mi cliente abre una farmacia.',
    steps: [[1, 'O', 'decline', 'El dueño ya aceptó otra oferta esta mañana.']],
  },
  {
    state: 'expired',
    isMine: true,
    daysAgo: 33,
    wish: 'Oficina de 200 metros',
    message: '¿Sigue disponible?',
    steps: [[7, 'S', 'expire']],
  },
  {
    state: 'lost',
    isMine: false,
    daysAgo: 45,
    wish: 'Casa de playa',
    message: 'Vienen de visita en diciembre.',
    isDisputed: true,
    steps: [
      [0.5, 'O', 'accept'],
      [4, 'O', 'showing'],
      [20, 'P', 'lose', 'Compraron en otro desarrollo.'],
      [26, 'P', 'dispute', 'Mi cliente me dice que cerró directo con la dueña de esta propiedad.'],
    ],
  },
]

interface Person {
  id: string
  name: string
  agent_id: string
}

interface Place {
  id: string
  agent_id: string
  shared_commission: string
}

/** What the demo agent and colleagues agreed on: some under way, some over. */
export async function insertCooperations(tx: Tx, now: Date): Promise<void> {
  const demo = demoId('agent', DEMO_AGENT)
  const people = async (isMine: boolean) =>
    (
      await sql<Person>`
        select d.id, d.name, d.agent_id from leads d join agents a on a.id = d.agent_id
        where (d.agent_id = ${demo}) = ${isMine} and d.id_status = 'verified' and is_public(a)
        order by d.id limit ${STORIES.length}`.execute(tx)
    ).rows
  const places = async (isOwn: boolean) =>
    (
      await sql<Place>`
        select l.id, l.agent_id, l.shared_commission from listings l join agents a on a.id = l.agent_id
        where (l.agent_id = ${demo}) = ${isOwn} and is_public(l, a) and l.shared_commission is not null
        order by l.id limit ${STORIES.length}`.execute(tx)
    ).rows
  const found = {
    mine: [await people(true), await places(false)],
    theirs: [await people(false), await places(true)],
  } as const
  for (const [i, story] of STORIES.entries()) {
    const [leads, listings] = story.isMine ? found.mine : found.theirs
    const [lead, listing] = [leads[i % leads.length], listings[i % listings.length]]
    if (lead && listing && lead.agent_id !== listing.agent_id)
      await insertStory(tx, story, { i, lead, listing, now })
  }
}

async function insertStory(
  tx: Tx,
  story: Story,
  { i, lead, listing, now }: { i: number; lead: Person; listing: Place; now: Date },
): Promise<void> {
  const begun = now.getTime() - story.daysAgo * DAY
  const at = (days: number) => new Date(begun + days * DAY)
  const steps: DemoStep[] = [[0, 'P', 'propose', story.message, listing.shared_commission], ...story.steps]
  const last = steps.at(-1) as DemoStep
  const shownAt = steps.find(step => step[2] === 'showing')
  const split = steps.findLast(step => step[4])?.[4] as string
  const id = demoId('cooperation', i)
  await tx
    .insertInto('cooperations')
    .values({
      id,
      listing_id: listing.id,
      buyer_agent_id: lead.agent_id,
      owner_id: listing.agent_id,
      state: story.state,
      awaited: story.state === 'proposed' ? (last[1] === 'P' ? 'owner' : 'buyer') : null,
      awaited_since: at(last[0]),
      client: initialsOf(lead.name),
      lead_id: lead.id,
      wish: story.wish,
      split,
      client_shared_at: steps.some(step => step[2] === 'share') ? at(1) : null,
      showing_at: shownAt ? showingOf(at(shownAt[0])) : null,
      disputed_at: story.isDisputed ? at(last[0]) : null,
      created_at: at(0),
      updated_at: at(last[0]),
    })
    .execute()
  await tx
    .insertInto('cooperation_entries')
    .values(
      steps.map(([days, by, kind, text, share]) => ({
        cooperation_id: id,
        at: at(days),
        agent_id: by === 'S' ? null : by === 'P' ? lead.agent_id : listing.agent_id,
        kind: kind as 'message',
        text: text ?? null,
        split: share ?? null,
        showing_at: kind === 'showing' ? showingOf(at(days)) : null,
      })),
    )
    .execute()
}

/** Two days later, at eleven in the morning in central Mexico. */
function showingOf(agreed: Date): Date {
  const day = new Date(agreed.getTime() + 2 * DAY)
  day.setUTCHours(17, 0, 0, 0)
  return day
}
