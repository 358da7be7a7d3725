import { REGION_OF } from './agencies.ts'
import { DEMO_AGENT, homeOf } from './agents.ts'
import { chance, pick, type Random, shuffle, weighted } from './random.ts'
import type { DemoAgent, ListingStatus } from './types.ts'

/** What is decided for the whole market before any listing is drawn. */
export type Slot = {
  state: string
  agent: number
  status: ListingStatus
  idx_opt_out: boolean
  imported: boolean
}

const STATE_WEIGHTS: Readonly<Record<string, number>> = {
  'Ciudad de México': 21,
  Jalisco: 14,
  'Nuevo León': 12,
  'Estado de México': 11,
  'Quintana Roo': 12,
  Yucatán: 9,
  Querétaro: 8,
  Puebla: 7,
  Guanajuato: 4,
  'Baja California Sur': 3.5,
  'Baja California': 3,
  Morelos: 3,
  Nayarit: 2.5,
  Veracruz: 2.5,
  Chihuahua: 2,
  'San Luis Potosí': 2,
  Sinaloa: 2,
  Coahuila: 1.7,
  Michoacán: 1.7,
  Sonora: 1.7,
  Hidalgo: 1.5,
  Tamaulipas: 1.3,
  Aguascalientes: 1.2,
  Guerrero: 1.2,
  Oaxaca: 1.2,
  Chiapas: 1,
  Tabasco: 1,
  Colima: 0.8,
  Durango: 0.8,
  Campeche: 0.7,
  Tlaxcala: 0.7,
  Zacatecas: 0.7,
}

const STATUS_WEIGHTS: readonly (readonly [ListingStatus, number])[] = [
  ['published', 83],
  ['draft', 4.5],
  ['withdrawn', 3.5],
  ['sold', 3.5],
  ['expired', 2.5],
  ['rented', 2],
  ['suspended', 1],
]

const VISIBLE_PER_STATE = 8
const FLOOR_PER_STATE = 14

/** A minimum per state, lower in small markets, then by weight, rounded by largest remainders. */
function stateQuotas(total: number): Map<string, number> {
  const states = Object.entries(STATE_WEIGHTS)
  const floor = Math.min(FLOOR_PER_STATE, Math.floor(total / (2 * states.length)))
  const rest = total - floor * states.length
  const sum = states.reduce((s, [, weight]) => s + weight, 0)
  const exact = states.map(([state, weight]): [string, number] => [state, floor + (rest * weight) / sum])
  const quotas = new Map(exact.map(([state, share]): [string, number] => [state, Math.floor(share)]))
  const missing = total - [...quotas.values()].reduce((a, b) => a + b, 0)
  const byRemainder = exact.toSorted(([, a], [, b]) => (b % 1) - (a % 1))
  for (const [state] of byRemainder.slice(0, missing)) quotas.set(state, (quotas.get(state) ?? 0) + 1)
  return quotas
}

const isSeen = (agent: DemoAgent): boolean => agent.verified && !agent.is_test

/** Agents of the state, of its region, and all agents, each with a weight. */
function candidates(agents: readonly DemoAgent[], state: string): (readonly [number, number])[][] {
  // Hidden accounts have a few listings, enough to show that these stay hidden.
  const weigh = (index: number): readonly [number, number] => [
    index,
    isSeen(agents[index] as DemoAgent) ? 1 : 0.15,
  ]
  const all = agents.map((_, i) => i)
  const home = all.filter(i => homeOf(i) === state)
  const region = all.filter(i => REGION_OF[homeOf(i)] === REGION_OF[state])
  return [home, region, all].filter(group => group.length > 0).map(group => group.map(weigh))
}

function drawAgent(r: Random, groups: (readonly [number, number])[][]): number {
  for (const group of groups.slice(0, -1)) if (chance(r, 0.85)) return weighted(r, group)
  return weighted(r, groups.at(-1) ?? [])
}

/** All seven statuses come first, so that a small market has them too. */
const DEMO_STATUSES: readonly ListingStatus[] = [
  'published',
  'draft',
  'withdrawn',
  'sold',
  'rented',
  'expired',
  'suspended',
  ...Array<ListingStatus>(31).fill('published'),
  ...Array<ListingStatus>(4).fill('draft'),
  'withdrawn',
  'withdrawn',
  'sold',
  'sold',
  'rented',
  'expired',
]

/** Gives the demo agent an inventory, mostly in the home state, some in the same region. */
function giveToDemoAgent(slots: readonly Slot[]): Slot[] {
  const count = Math.min(DEMO_STATUSES.length, Math.floor(slots.length / 4))
  const home = homeOf(DEMO_AGENT)
  const near = (slot: Slot): number =>
    slot.state === home ? 0 : REGION_OF[slot.state] === REGION_OF[home] ? 1 : 2
  const order = slots.map((_, i) => i).toSorted((a, b) => near(slots[a] as Slot) - near(slots[b] as Slot))
  const atHome = order.filter(i => near(slots[i] as Slot) === 0).slice(0, Math.ceil(count * 0.8))
  const chosen = [...atHome, ...order.filter(i => near(slots[i] as Slot) > 0)].slice(0, count)
  const status = new Map(
    chosen.map((i, nth): [number, ListingStatus] => [i, DEMO_STATUSES[nth] as ListingStatus]),
  )
  return slots.map((slot, i) => {
    const own = status.get(i)
    return own ? { ...slot, agent: DEMO_AGENT, status: own, idx_opt_out: false, imported: false } : slot
  })
}

/** Publishes more listings in states with too few visible ones. */
function ensureVisible(r: Random, slots: readonly Slot[], agents: readonly DemoAgent[]): Slot[] {
  const seen = (slot: Slot): boolean =>
    slot.status === 'published' &&
    !slot.idx_opt_out &&
    !slot.imported &&
    isSeen(agents[slot.agent] as DemoAgent)
  const count = new Map<string, number>()
  for (const slot of slots) if (seen(slot)) count.set(slot.state, (count.get(slot.state) ?? 0) + 1)
  return slots.map(slot => {
    const have = count.get(slot.state) ?? 0
    if (have >= VISIBLE_PER_STATE || seen(slot) || slot.agent === DEMO_AGENT) return slot
    count.set(slot.state, have + 1)
    const region = agents.flatMap((a, i) =>
      isSeen(a) && REGION_OF[homeOf(i)] === REGION_OF[slot.state] ? [i] : [],
    )
    const agent = isSeen(agents[slot.agent] as DemoAgent) ? slot.agent : pick(r, region)
    return { ...slot, agent, status: 'published', idx_opt_out: false, imported: false }
  })
}

export function planSlots(r: Random, agents: readonly DemoAgent[], total: number): Slot[] {
  const groups = new Map(Object.keys(STATE_WEIGHTS).map(state => [state, candidates(agents, state)]))
  const states = [...stateQuotas(total)].flatMap(([state, quota]) => Array<string>(quota).fill(state))
  const drawn = shuffle(r, states).map(
    (state): Slot => ({
      state,
      agent: drawAgent(r, groups.get(state) ?? []),
      status: weighted(r, STATUS_WEIGHTS),
      idx_opt_out: chance(r, 0.02),
      imported: chance(r, 0.01),
    }),
  )
  return ensureVisible(r, giveToDemoAgent(drawn), agents)
}
