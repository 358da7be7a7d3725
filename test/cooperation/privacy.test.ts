import { describe, expect, it } from 'vitest'
import { threadHash } from '../../src/cooperation/thread/hash.ts'
import { erasePersons, exportPerson } from '../../src/leads/persons.ts'
import {
  broughtTo,
  type Cooperation,
  proposed,
  type Side,
  soon,
  step,
  verifyBuyer,
} from '../support/cooperation.ts'
import { useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { icalValue, readIcalendar } from '../support/icalendar.ts'
import { documentPhoto } from '../support/inquiries.ts'

const exchange = useExchange()
const PERSON = /Rosa|Cárdenas|3355667788|5566[- ]?7788|rosa-|R\. E\. C\.|jardín grande/

const entriesOf = async (id: string) =>
  (await exchange.pool.query('select * from cooperation_entries where cooperation_id = $1 order by id', [id]))
    .rows

async function addFile(one: Cooperation, { visitor }: Side) {
  await visitor.open(one.path)
  const photo = { field: 'file', name: 'carta.jpg', bytes: await documentPhoto() }
  await visitor.submit(`${one.path}/file`, {}, [photo])
}

/** A client who was shared, named in the thread by both, and whose papers are in it. */
async function shared(): Promise<Cooperation> {
  const one = await proposed(exchange)
  await exchange.pool.query(`update cooperations set wish = 'Rosa quiere un jardín grande' where id = $1`, [
    one.id,
  ])
  await step(one, one.owner, 'accept', { text: 'Con gusto' })
  await step(one, one.buyer, 'share')
  await step(one, one.owner, 'message', { text: '¿La señora CARDENAS puede el lunes?' })
  await step(one, one.buyer, 'message', { text: 'Márcale: 33 5566-7788' })
  await step(one, one.owner, 'message', { text: 'Ya quedó' })
  await addFile(one, one.buyer)
  await addFile(one, one.owner)
  return one
}

async function erase(one: Cooperation) {
  const { visitor } = one.buyer
  await visitor.open(`/portal/leads/${one.leadId}/erase`)
  await visitor.submit(`/portal/leads/${one.leadId}/erase`, { sure: 'on' })
  expect(visitor.status).toBe(200)
}

describe('erasing a client', () => {
  it('removes them from the thread for both, and leaves who did what, when and for which split', async () => {
    const one = await shared()
    const before = await entriesOf(one.id)
    await erase(one)
    for (const { visitor } of [one.owner, one.buyer]) {
      await visitor.open(one.path)
      expect(visitor.html).not.toMatch(PERSON)
      expect(visitor.text).toContain('Eliminado a petición del cliente')
      expect(visitor.text).toContain('Tengo a la compradora ideal.')
      expect(visitor.text).toContain('Ya quedó')
      expect(htmlFaults(visitor.html)).toEqual([])
    }
    const after = await entriesOf(one.id)
    const steps = (rows: typeof before) => rows.map(({ at, kind, split }) => ({ at, kind, split }))
    expect(steps(after)).toEqual(steps(before))
    // Both texts that name her and the papers of her agent; the owner's file is about the listing.
    expect(after.filter(row => row.removed_at).map(row => row.kind)).toEqual(['message', 'message', 'file'])
    expect(JSON.stringify(after)).not.toMatch(PERSON)
    const { rows } = await exchange.pool.query('select client, wish from cooperations where id = $1', [
      one.id,
    ])
    expect(rows).toEqual([{ client: '—', wish: null }])
  })

  it('leaves the hash of the thread as it was, in agreements handed out before too', async () => {
    const one = await shared()
    const before = threadHash(await entriesOf(one.id))
    await erase(one)
    const { visitor } = one.owner
    await visitor.open(one.path)
    expect(visitor.text).toContain(`SHA-256: ${before}`)
    await visitor.request('GET', `${one.path}/agreement.pdf`)
    expect(visitor.html).toContain(before)
    expect(visitor.html).not.toMatch(PERSON)
  })

  it('lets go of the files of their agent, and only of those', async () => {
    const one = await shared()
    const files = async () =>
      (await entriesOf(one.id)).filter(row => row.kind === 'file').map(row => row.file !== null)
    expect(await files()).toEqual([true, true])
    await one.owner.visitor.open(one.path)
    const links = [...one.owner.visitor.html.matchAll(/href="([^"]+\/files\/\d+)"/g)].map(found => found[1])
    await erase(one)
    expect(await files()).toEqual([false, true])
    const statuses = []
    for (const link of links) statuses.push((await one.owner.visitor.request('GET', link as string)).status)
    expect(statuses).toEqual([404, 200])
  })

  it('is the only change of a thread, and no way to make another', async () => {
    const one = await shared()
    const [first] = await entriesOf(one.id)
    for (const set of [
      `removed_at = now(), digest = 'x'`,
      `removed_at = now(), digest = 'x', text = 'other'`,
      `removed_at = now(), digest = 'x', text = null, split = '9'`,
      `removed_at = now(), text = null`,
      `text = null`,
    ])
      await expect(
        exchange.pool.query(`update cooperation_entries set ${set} where id = $1`, [first.id]),
      ).rejects.toThrow()
    await erase(one)
    const removed = (await entriesOf(one.id)).find(row => row.removed_at)
    await expect(
      exchange.pool.query(
        `update cooperation_entries set removed_at = null, digest = null, text = 'x' where id = $1`,
        [removed.id],
      ),
    ).rejects.toThrow('never changed')
  })

  it('by the operator reaches the cooperations of every agent; the export shows what they hold', async () => {
    const one = await shared()
    const contact = `rosa-${one.listing.id}@example.com`
    const [exported] = (await exportPerson(exchange.db, contact)) as { cooperations: unknown[] }[]
    expect(exported?.cooperations).toMatchObject([
      {
        listing: one.listing.title,
        listing_agent: 'Olga Owner',
        state: 'accepted',
        client: 'R. E. C.',
        wish: 'Rosa quiere un jardín grande',
        shared_at: expect.any(Date),
        texts: [{ text: '¿La señora CARDENAS puede el lunes?' }, { text: 'Márcale: 33 5566-7788' }],
      },
    ])
    await exchange.db.transaction().execute(tx => erasePersons(tx, contact, async () => 0))
    await one.owner.visitor.open(one.path)
    expect(one.owner.visitor.html).not.toMatch(PERSON)
  })

  it('removes what their agent’s needs say of them, and nobody else’s', async () => {
    const one = await proposed(exchange)
    const needOf = async (agentId: string, client: string, note: string) => {
      const { rows } = await exchange.pool.query(
        `insert into needs (agent_id, client, note, query, places, until) values ($1, $2, $3, '', '{Tepic}', now() + interval '1 day') returning id`,
        [agentId, client, note],
      )
      return rows[0].id
    }
    const ids = [
      await needOf(one.buyer.agent.id, 'Sra. Cárdenas', 'Con jardín'),
      await needOf(one.buyer.agent.id, 'Familia López', 'Recomendados por Rosa'),
      await needOf(one.owner.agent.id, 'Rosa', 'De otra agente'),
    ]
    const contact = `rosa-${one.listing.id}@example.com`
    const [exported] = (await exportPerson(exchange.db, contact)) as { needs: string[] }[]
    expect(exported?.needs.sort()).toEqual(['Recomendados por Rosa', 'Sra. Cárdenas'])
    await exchange.db.transaction().execute(tx => erasePersons(tx, contact, async () => 0))
    const { rows } = await exchange.pool.query(
      'select client, note from needs where id = any($1) order by array_position($1, id)',
      [ids],
    )
    expect(rows).toEqual([
      { client: null, note: 'Con jardín' },
      { client: 'Familia López', note: null },
      { client: 'Rosa', note: 'De otra agente' },
    ])
  })

  it('and a step of the cooperation at the same moment wait for each other', async () => {
    const one = await broughtTo(exchange, 'showing')
    await exchange.pool.query('update leads set listing_id = $1 where id = $2', [one.listing.id, one.leadId])
    const contact = `rosa-${one.listing.id}@example.com`
    await one.owner.visitor.open(one.path)
    const erasing = exchange.db.transaction().execute(tx => erasePersons(tx, contact, async () => 0))
    const moving = one.owner.visitor.submit(`${one.path}/showing`, { showing_at: soon(5) })
    await Promise.all([erasing, moving])
    expect([200, 422]).toContain(one.owner.visitor.status)
    await one.owner.visitor.open(one.path)
    expect(one.owner.visitor.html).not.toMatch(PERSON)
  })
})

describe('a showing of a cooperation', () => {
  const feedOf = async ({ agent }: Side, showing: Cooperation) => {
    const { rows } = await exchange.pool.query('select calendar_key from agents where id = $1', [agent.id])
    const answer = await exchange.app.inject({
      method: 'GET',
      url: `/calendario/${rows[0].calendar_key}.ics`,
    })
    const { components } = readIcalendar(answer.rawPayload)
    return components.filter(event => icalValue(event, 'UID') === showing.id)
  }
  const agreed = async () => {
    const one = await proposed(exchange)
    await step(one, one.owner, 'accept')
    await verifyBuyer(exchange, one.leadId)
    await step(one, one.buyer, 'showing', { showing_at: soon(2) })
    return one
  }

  it('is in the calendar of both: the person for their agent, initials for the other until shared', async () => {
    const one = await agreed()
    const [mine] = await feedOf(one.buyer, one)
    const [theirs] = await feedOf(one.owner, one)
    expect(icalValue(mine as never, 'SUMMARY')).toBe('Visita: Rosa Elena Cárdenas')
    expect(icalValue(mine as never, 'LOCATION')).toContain('Av. Secreta 123')
    expect(icalValue(mine as never, 'URL')).toContain(one.path)
    expect(icalValue(theirs as never, 'SUMMARY')).toBe('Visita: R. E. C.')
    expect(JSON.stringify(theirs)).not.toMatch(/Rosa|33556677/)
    await step(one, one.buyer, 'share')
    const [known] = await feedOf(one.owner, one)
    expect(icalValue(known as never, 'SUMMARY')).toBe('Visita: Rosa Elena Cárdenas')
    for (const { visitor } of [one.owner, one.buyer]) {
      await visitor.open(`/portal/calendar?month=${soon(2).slice(0, 7)}`)
      expect(visitor.html).toContain(`href="${one.path}"`)
      expect(htmlFaults(visitor.html)).toEqual([])
    }
  })

  it('is canceled there when the deal is lost, without the address, and without the person once erased', async () => {
    const one = await agreed()
    await step(one, one.owner, 'lose', { text: 'Se vendió' })
    const [lost] = await feedOf(one.buyer, one)
    expect(icalValue(lost as never, 'STATUS')).toBe('CANCELLED')
    expect(JSON.stringify(lost)).not.toContain('Secreta')
    await erase(one)
    for (const side of [one.buyer, one.owner])
      expect(JSON.stringify(await feedOf(side, one))).not.toMatch(PERSON)
  })

  it('is there once for the buyer’s agent if it is also the lead’s own', async () => {
    const one = await proposed(exchange)
    await exchange.pool.query('update leads set listing_id = $1 where id = $2', [one.listing.id, one.leadId])
    await step(one, one.owner, 'accept')
    await verifyBuyer(exchange, one.leadId)
    await step(one, one.buyer, 'showing', { showing_at: soon(2) })
    expect(await feedOf(one.buyer, one)).toHaveLength(0)
    expect(await feedOf(one.buyer, { ...one, id: one.leadId })).toHaveLength(1)
    expect(await feedOf(one.owner, one)).toHaveLength(1)
  })
})
