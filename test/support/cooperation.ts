import { expect } from 'vitest'
import type { Step } from '../../src/cooperation/rules.ts'
import { toLocal } from '../../src/lib/time.ts'
import type { Exchange, TestAgent } from './exchange.ts'
import { signedInAgent, type Visitor } from './visitor.ts'

export interface Side {
  agent: TestAgent
  visitor: Visitor
}

export interface Cooperation {
  id: string
  path: string
  buyer: Side
  owner: Side
  // biome-ignore lint/suspicious/noExplicitAny: a record of the API
  listing: any
  leadId: string
  /** If it was offered. */
  needId?: string
}

export const soon = (days = 3) => toLocal(new Date(Date.now() + days * 86_400_000))

const known = new WeakMap<object, Promise<{ owner: Side; buyer: Side }>>()

/** The same two in all tests of a file: signing in takes long on purpose. */
function usualSides(exchange: Exchange) {
  const make = async () => ({
    owner: await signedInAgent(exchange, { name: 'Olga Owner', phone: '33 1111 2222' }),
    buyer: await signedInAgent(exchange, { name: 'Pedro Propone' }),
  })
  const sides = known.get(exchange.app) ?? make()
  known.set(exchange.app, sides)
  return sides
}

/** Two agents and their proposal, made through the pages. */
export async function proposed(
  exchange: Exchange,
  { fields = {}, owner, buyer }: { fields?: Record<string, unknown>; owner?: Side; buyer?: Side } = {},
): Promise<Cooperation> {
  const usual = await usualSides(exchange)
  const sides = { owner: owner ?? usual.owner, buyer: buyer ?? usual.buyer }
  const listing = await exchange.published(sides.owner.agent, {
    shared_commission: '3',
    address: 'Av. Secreta 123',
    ...fields,
  })
  const person = { name: 'Rosa Elena Cárdenas', email: `rosa-${listing.id}@example.com`, phone: '3355667788' }
  const lead = await exchange.post('/leads', sides.buyer.agent.key, person)
  const { visitor } = sides.buyer
  await visitor.open(`/portal/market/${listing.slug}/propose?lead=${lead.body.id}`)
  await visitor.submit(`/portal/market/${listing.slug}/propose`, { message: 'Tengo a la compradora ideal.' })
  expect(visitor.path, visitor.text).toMatch(/^\/portal\/cooperations\/[0-9a-f-]{36}$/)
  return {
    id: visitor.path.split('/').at(-1) as string,
    path: visitor.path,
    ...sides,
    listing,
    leadId: lead.body.id,
  }
}

/** The same the other way round: the listing's agent offers it to a need on the board. */
export async function offered(exchange: Exchange): Promise<Cooperation> {
  const { buyer, owner } = await usualSides(exchange)
  const listing = await exchange.published(owner.agent, {
    shared_commission: '3',
    address: 'Av. Secreta 123',
  })
  const person = { name: 'Rosa Elena Cárdenas', email: `rosa-${listing.id}@example.com`, phone: '3355667788' }
  const lead = await exchange.post('/leads', buyer.agent.key, person)
  const { rows } = await exchange.pool.query(
    `insert into needs (agent_id, client, query, places, on_board, until, held_at)
     values ($1, 'Rosa Elena Cárdenas', 'operation=sale', '{Zapopan}', true, now() + interval '1 day', now()) returning id`,
    [buyer.agent.id],
  )
  const { visitor } = owner
  const form = `/portal/needs/${rows[0].id}/offer`
  await visitor.open(`${form}?listing=${listing.id}`)
  await visitor.submit(form, { message: 'Tengo justo lo que buscas.' })
  expect(visitor.path, visitor.text).toMatch(/^\/portal\/cooperations\/[0-9a-f-]{36}$/)
  const id = visitor.path.split('/').at(-1) as string
  return { id, path: visitor.path, buyer, owner, listing, leadId: lead.body.id, needId: rows[0].id }
}

/** A step through its form on the page. */
export async function step(
  { path }: Cooperation,
  { visitor }: Side,
  name: Step,
  fields: Record<string, string> = {},
) {
  await visitor.open(path)
  return visitor.submit(`${path}/${name}`, fields)
}

export const verifyBuyer = (exchange: Exchange, leadId: string) =>
  exchange.pool.query(`update leads set id_status = 'verified', awaiting_id = false where id = $1`, [leadId])

const PATH: [Step, Record<string, string>][] = [
  ['accept', {}],
  ['showing', { showing_at: soon() }],
  ['offer', { text: 'Cuatro millones de contado' }],
  ['close', {}],
]

/** Brought to that state by the usual steps, the owner's except for the answer to an offer. */
export async function broughtTo(
  exchange: Exchange,
  state: string,
  by: 'buyer' | 'owner' = 'buyer',
): Promise<Cooperation> {
  const one = await (by === 'buyer' ? proposed : offered)(exchange)
  const [proposer, other] = by === 'buyer' ? [one.buyer, one.owner] : [one.owner, one.buyer]
  // An offer is about nobody yet.
  if (by === 'owner') await step(one, one.buyer, 'attach', { lead: one.leadId })
  if (state === 'declined') await step(one, other, 'decline', { text: 'Ya está apartada' })
  if (state === 'withdrawn') await step(one, proposer, 'withdraw')
  if (state === 'expired') {
    await exchange.pool.query(`update cooperations set state = 'expired', awaited = null where id = $1`, [
      one.id,
    ])
  }
  await verifyBuyer(exchange, one.leadId)
  const steps = { accepted: 1, lost: 1, showing: 2, offer: 3, closed: 4 }[state] ?? 0
  for (const [name, fields] of PATH.slice(0, steps))
    await step(one, name === 'accept' ? other : one.owner, name, fields)
  if (state === 'lost') await step(one, one.owner, 'lose', { text: 'El dueño la vendió' })
  const { rows } = await exchange.pool.query('select state from cooperations where id = $1', [one.id])
  expect(rows[0].state).toBe(state)
  return one
}
