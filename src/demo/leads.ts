import { DEMO_AGENT, homeOf } from './agents.ts'
import { grouped } from './facts.ts'
import { drawForeignName, drawName, drawPhone, emailOf } from './people.ts'
import { between, chance, int, pick, type Random, stream, weighted } from './random.ts'
import type { DemoAgent, DemoLead, DemoListing, Lang, LeadStatus } from './types.ts'

const DAY = 24 * 60
const DEMO_LEADS = 32

const STATUSES: readonly (readonly [LeadStatus, number])[] = [
  ['new', 34],
  ['contacted', 24],
  ['qualified', 13],
  ['showing', 9],
  ['negotiation', 6],
  ['won', 5],
  ['lost', 9],
]

type Wish = Pick<DemoLead, 'interest' | 'budget_min' | 'budget_max'>

/** A budget near the asking price, in its currency, to two digits. */
function drawWish(r: Random, listing: DemoListing | null): Wish {
  if (!listing) return { interest: pick(r, ['sale', 'rental', null]), budget_min: null, budget_max: null }
  const interest =
    listing.sale_price !== null && (listing.rent_price === null || chance(r, 0.7)) ? 'sale' : 'rental'
  const price = (interest === 'sale' ? listing.sale_price : listing.rent_price) ?? 0
  if (!chance(r, 0.45)) return { interest, budget_min: null, budget_max: null }
  const step = 10 ** Math.max(0, Math.floor(Math.log10(price)) - 1)
  const near = (share: number): number => Math.max(step, Math.round((price * share) / step) * step)
  return {
    interest,
    budget_min: chance(r, 0.6) ? near(between(r, 0.7, 0.9)) : null,
    budget_max: near(between(r, 1, 1.15)),
  }
}

function messageEs(r: Random, listing: DemoListing | null, tour: boolean, wish: Wish): string {
  if (!listing)
    return pick(r, [
      'Hola, busco casa de 3 recámaras con cochera. ¿Me puede enviar opciones?',
      'Buenas tardes, quiero vender mi departamento y me gustaría que lo valúen.',
      'Vi su página y me interesa invertir en terrenos. ¿Qué tiene disponible?',
      'Buen día, ¿maneja propiedades en renta que acepten mascotas?',
    ])
  const spot = `la propiedad de ${listing.neighborhood}, ${listing.city}`
  if (tour)
    return pick(r, [
      `Hola, me gustaría visitar ${spot}. ¿Se puede este fin de semana?`,
      `Buenas tardes, quisiera agendar una cita para conocer ${spot}.`,
      `¿Podemos ver ${spot} entre semana después de las 5 de la tarde?`,
    ])
  const budget =
    wish.budget_max === null
      ? null
      : `Mi presupuesto es de hasta $${grouped(wish.budget_max)}. ¿El precio es negociable?`
  return pick(
    r,
    [
      `Hola, me interesa ${spot}. ¿Sigue disponible?`,
      `Buen día, ¿me puede dar más informes de ${spot}?`,
      wish.interest === 'rental'
        ? '¿Qué requisitos piden para rentar y desde cuándo está disponible?'
        : '¿Aceptan crédito Infonavit o bancario?',
      '¿Me comparte más fotos y la ubicación, por favor?',
      budget,
    ].filter(m => m !== null),
  )
}

const messageEn = (r: Random, tour: boolean): string =>
  tour
    ? pick(r, [
        'Hi, I will be in town next week. Could I see this place?',
        'I would like to schedule a showing, please.',
      ])
    : pick(r, [
        'Hello, is this property still available?',
        'Could you send me more details and the HOA fees?',
        'Can foreigners buy here? Please explain the process.',
      ])

type Progress = Pick<
  DemoLead,
  'status' | 'kind' | 'tour_minutes_ago' | 'tour_status' | 'showing_minutes_ago' | 'id_status' | 'awaiting_id'
>

const NO_TOUR = { tour_minutes_ago: null, tour_status: null } as const

/** A showing is some days after the request: in the past it took place or failed, in the future it is planned. */
function drawTour(r: Random, created: number): Progress {
  const tour = created - int(r, DAY, 9 * DAY)
  if (chance(r, 0.3))
    return {
      status: 'new',
      kind: 'tour',
      tour_minutes_ago: tour,
      tour_status: 'requested',
      showing_minutes_ago: null,
      id_status: 'pending',
      awaiting_id: true,
    }
  const past = tour >= 0
  const tour_status = past
    ? weighted(r, [
        ['done', 7],
        ['cancelled', 2],
        ['no_show', 1],
      ] as const)
    : weighted(r, [
        ['confirmed', 6],
        ['requested', 4],
      ] as const)
  const status: LeadStatus =
    tour_status === 'done'
      ? pick(r, ['showing', 'negotiation', 'won', 'lost'])
      : tour_status === 'confirmed'
        ? 'showing'
        : tour_status === 'requested'
          ? pick(r, ['new', 'contacted'])
          : pick(r, ['contacted', 'lost'])
  return {
    status,
    kind: 'tour',
    tour_minutes_ago: tour,
    tour_status,
    showing_minutes_ago: tour_status === 'done' || tour_status === 'confirmed' ? tour : null,
    id_status: 'verified',
    awaiting_id: false,
  }
}

/** Showings require identification, so inquiries at that stage are verified. */
function drawInquiry(r: Random, created: number): Progress {
  const status = weighted(r, STATUSES)
  const shown = status === 'showing' || ((status === 'negotiation' || status === 'won') && chance(r, 0.8))
  return {
    status,
    kind: 'info',
    ...NO_TOUR,
    showing_minutes_ago: shown ? created - int(r, DAY, 12 * DAY) : null,
    id_status: shown ? 'verified' : null,
    awaiting_id: false,
  }
}

const drawSource = (r: Random, kind: DemoLead['kind']): string =>
  kind === 'tour'
    ? pick(r, ['sitio web', 'widget:w4k2m9pa', 'widget:r7d1x3nc'])
    : weighted(r, [
        ['sitio web', 34],
        ['api', 22],
        ['widget:w4k2m9pa', 12],
        ['widget:r7d1x3nc', 6],
        ['whatsapp', 12],
        ['facebook', 7],
        ['letrero', 4],
        ['recomendación', 3],
      ])

type Contact = Pick<DemoLead, 'name' | 'email' | 'phone'>

function drawContact(r: Random, index: number, lang: Lang, state: string): Contact {
  const name = lang === 'en' ? drawForeignName(r) : drawName(r)
  const phone = chance(r, 0.85) ? drawPhone(r, state) : null
  const email = phone === null ? !chance(r, 0.05) : chance(r, 0.78)
  return { name, email: email ? emailOf(name, index) : null, phone }
}

function generateLead(
  r: Random,
  index: number,
  agent: number,
  listing: { index: number; data: DemoListing } | null,
): DemoLead {
  const home = listing?.data
  const lang: Lang = chance(r, home?.title_en ? 0.4 : 0.04) ? 'en' : 'es'
  const oldest = Math.min(home?.published_minutes_ago ?? 180 * DAY, 180 * DAY)
  const created = Math.round(oldest * r() ** 2)
  const progress = home && chance(r, 0.34) ? drawTour(r, created) : drawInquiry(r, created)
  const wish = drawWish(r, home ?? null)
  const open = progress.status !== 'won' && progress.status !== 'lost'
  const message =
    lang === 'en'
      ? messageEn(r, progress.kind === 'tour')
      : messageEs(r, home ?? null, progress.kind === 'tour', wish)
  return {
    agent,
    listing: listing?.index ?? null,
    ...drawContact(r, index, lang, homeOf(agent)),
    message: chance(r, 0.9) ? message : null,
    source: drawSource(r, progress.kind),
    ...progress,
    lang,
    ...wish,
    follow_up_minutes_ago:
      open && progress.status !== 'new' && chance(r, 0.5) ? int(r, -10 * DAY, 2 * DAY) : null,
    created_minutes_ago: created,
    updated_minutes_ago: progress.status === 'new' ? created : Math.round(created * r()),
  }
}

/** Only listings that were public at some time get leads, with agents who were visible. */
const attracts = (listing: DemoListing, agents: readonly DemoAgent[]): boolean => {
  const agent = agents[listing.agent] as DemoAgent
  return (
    agent.verified &&
    !agent.is_test &&
    listing.published_minutes_ago !== null &&
    listing.status !== 'suspended'
  )
}

export function generateLeads(
  seed: number,
  agents: readonly DemoAgent[],
  listings: readonly DemoListing[],
  total: number,
): DemoLead[] {
  const open = listings.flatMap((data, index) => (attracts(data, agents) ? [{ index, data }] : []))
  const own = open.filter(l => l.data.agent === DEMO_AGENT)
  const reachable = agents.flatMap((a, i) => (a.verified && !a.is_test ? [i] : []))
  return Array.from({ length: total }, (_, i) => {
    const r = stream(seed, `lead/${i}`)
    const forDemo = i % Math.ceil(total / DEMO_LEADS) === 0
    const pool = forDemo ? own : open
    if (pool.length === 0 || chance(r, 0.08))
      return generateLead(r, i, forDemo ? DEMO_AGENT : pick(r, reachable), null)
    const listing = pick(r, pool)
    return generateLead(r, i, listing.data.agent, listing)
  })
}
