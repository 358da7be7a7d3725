import { beforeAll, describe, expect, it } from 'vitest'
import { expireUnanswered } from '../../src/cooperation/service.ts'
import { type Cooperation, offered, step } from '../support/cooperation.ts'
import { useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
import { takeMail } from '../support/mail.ts'
import { signedInAgent, urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange()
const CLIENT = /Rosa|Cárdenas|3355667788|rosa-|R\. E\. C\./
let one: Cooperation

beforeAll(async () => {
  one = await offered(exchange)
}, 60_000)

const rowOf = async (id: string) =>
  (await exchange.pool.query('select * from cooperations where id = $1', [id])).rows[0]
const count = async () => (await exchange.pool.query('select count(*)::int as n from cooperations')).rows[0].n

/** Sends the form of an offer as that visitor, whatever the page offers. */
async function send(visitor: Visitor, needId: unknown, fields: Record<string, string>) {
  await visitor.open('/portal')
  return visitor.request(
    'POST',
    `/portal/needs/${needId}/offer`,
    urlencoded([['_token', visitor.token], ...Object.entries(fields)]),
  )
}

describe('a listing offered to a need', () => {
  it('waits for the need’s agent, who learns it by mail, with the split that the listing shares', async () => {
    expect(await rowOf(one.id)).toMatchObject({
      state: 'proposed',
      awaited: 'buyer',
      proposed_by: 'owner',
      need_id: one.needId,
      split: '3',
      client: '—',
      wish: 'Venta · Zapopan',
    })
    const mails = (await takeMail(exchange)).filter(mail => mail.text.includes(one.id))
    expect(mails.map(mail => [mail.to.address, mail.subject.split(':')[0]])).toEqual([
      [one.buyer.agent.email, 'Olga Owner te ofrece una propiedad para tu búsqueda'],
    ])
    expect(mails[0]?.text).not.toMatch(/3%|justo lo que/)
    await one.buyer.visitor.open('/portal')
    expect(one.buyer.visitor.text).toContain('1 Cooperaciones por responder')
    await one.buyer.visitor.open('/portal/cooperations')
    expect(one.buyer.visitor.text).toContain('Propone Olga Owner · para una búsqueda')
    expect(one.buyer.visitor.text).toContain('Te toca responder')
    await one.buyer.visitor.open(one.path)
    expect(one.buyer.visitor.text).toContain('Tengo justo lo que buscas.')
    expect(one.buyer.visitor.html).toContain(`/portal/needs/${one.needId}`)
    expect(htmlFaults(one.buyer.visitor.html)).toEqual([])
  })

  it('tells both systems who proposed, and neither the client nor the split', async () => {
    const events = await exchange.events(one.id)
    expect(events.map(({ event, data }) => ({ event, ...(data as object) }))).toMatchObject([
      { event: 'cooperation.created', role: 'proposer', is_offer: true, state: 'proposed' },
      { event: 'cooperation.created', role: 'owner', is_offer: true, state: 'proposed' },
    ])
    expect(JSON.stringify(events)).not.toMatch(/3%|Rosa|Cárdenas/)
  })

  it('shows its agent nothing of the client, until the other links and shares them', async () => {
    const mine = await offered(exchange)
    const { visitor } = mine.owner
    await visitor.open(mine.path)
    expect(visitor.html).not.toMatch(CLIENT)
    expect(visitor.html).not.toContain(`/portal/needs/${mine.needId}"`)
    await step(mine, mine.buyer, 'accept')
    await visitor.open(mine.path)
    expect(visitor.html).not.toMatch(CLIENT)
    await visitor.request('GET', `${mine.path}/agreement.pdf`)
    expect(visitor.status).toBe(200)
    expect(visitor.html).not.toMatch(CLIENT)
    expect(visitor.html.indexOf('Olga Owner')).toBeLessThan(visitor.html.indexOf('Pedro Propone'))
    await step(mine, mine.buyer, 'attach', { lead: mine.leadId })
    await step(mine, mine.buyer, 'share')
    await visitor.open(mine.path)
    expect(visitor.text).toContain('Rosa Elena Cárdenas, 33 5566 7788')
    expect(mine.buyer.visitor.text).toContain('Av. Secreta 123')
  })

  it('is withdrawn by the one who offered it, or ends without an answer, and may then be offered again', async () => {
    const mine = await offered(exchange)
    const again = () => send(mine.owner.visitor, mine.needId, { listing: mine.listing.id })
    expect((await again()).status).toBe(422)
    expect(mine.owner.visitor.text).toContain('Ya ofreciste esta propiedad a esta búsqueda')
    await step(mine, mine.owner, 'withdraw')
    expect((await again()).status).toBe(303)
    await expireUnanswered(exchange.db, 7, new Date(Date.now() + 8 * 86_400_000))
    expect((await again()).status).toBe(303)
    const { rows } = await exchange.pool.query(
      'select state from cooperations where need_id = $1 order by created_at',
      [mine.needId],
    )
    expect(rows.map(row => row.state)).toEqual(['withdrawn', 'expired', 'proposed'])
  })

  it('that was declined is not offered to the same need again', async () => {
    const mine = await offered(exchange)
    await step(mine, mine.buyer, 'decline', { text: 'Muy lejos del centro' })
    expect((await send(mine.owner.visitor, mine.needId, { listing: mine.listing.id })).status).toBe(422)
    const other = await exchange.published(mine.owner.agent, { shared_commission: '2' })
    expect((await send(mine.owner.visitor, mine.needId, { listing: other.id })).status).toBe(303)
  })

  it('is an own one on the market, with a split', async () => {
    const { visitor, agent } = one.owner
    const [draft, bare, foreign, suspended] = [
      (await exchange.post('/properties', agent.key, { title: 'Borrador de casa' })).body,
      await exchange.published(agent, { title: 'Casa sin comisión' }),
      await exchange.published(one.buyer.agent, { shared_commission: '3' }),
      await exchange.published(agent, { shared_commission: '3' }),
    ]
    await exchange.setStatus(suspended.id, 'suspended')
    const before = await count()
    for (const listing of [draft.id, bare.id, foreign.id, suspended.id, '', 'x', "' or 1=1"]) {
      await send(visitor, one.needId, { listing })
      expect(visitor.status, listing).toBe(422)
    }
    await send(visitor, one.needId, { listing: bare.id, split: 'x'.repeat(101) })
    expect(visitor.status).toBe(422)
    await send(visitor, one.needId, { listing: bare.id, split: '3', message: 'x'.repeat(2_001) })
    expect(visitor.status).toBe(422)
    expect(await count()).toBe(before)
  })

  it.each([
    ['private', 'on_board = false'],
    ['closed', 'closed_at = now()'],
    ['over', `until = now() - interval '1 minute'`],
  ])('has to be for a need on the board: one that is %s does not exist', async (_name, change) => {
    const { rows } = await exchange.pool.query(
      `insert into needs (agent_id, query, places, on_board, until) values ($1, '', '{Tepic}', true, now() + interval '1 day') returning id`,
      [one.buyer.agent.id],
    )
    const { id } = rows[0]
    await exchange.pool.query(`update needs set ${change} where id = $1`, [id])
    const { visitor } = one.owner
    expect((await visitor.open(`/portal/needs/${id}/offer`)).status).toBe(404)
    expect((await send(visitor, id, { listing: one.listing.id })).status).toBe(404)
  })
})

describe('the form of an offer', () => {
  it('is linked from the board, for others’ needs only, and names matching listings first', async () => {
    const { visitor, agent } = one.owner
    const [later, match] = [await exchange.published(agent), await exchange.published(agent)]
    await exchange.pool.query(`update listings set updated_at = now() + interval '1 hour' where id = $1`, [
      later.id,
    ])
    await exchange.pool.query('insert into need_matches (need_id, listing_id) values ($1, $2)', [
      one.needId,
      match.id,
    ])
    await visitor.open('/portal/needs/board')
    const link = `/portal/needs/${one.needId}/offer`
    expect(visitor.html).toContain(`href="${link}"`)
    await visitor.open(`/portal/needs/board?listing=${match.id}`)
    expect(visitor.html).toContain(`href="${link}?listing=${match.id}"`)
    await visitor.open(link)
    expect(visitor.html).not.toMatch(CLIENT)
    expect(visitor.html.indexOf(match.id)).toBeLessThan(visitor.html.indexOf(later.id))
    expect(htmlFaults(visitor.html)).toEqual([])
    await one.buyer.visitor.open('/portal/needs/board')
    expect(one.buyer.visitor.html).not.toContain(`href="${link}"`)
  })

  it('is closed to strangers, the unverified, test accounts and the need’s own agent', async () => {
    const before = await count()
    const path = `/portal/needs/${one.needId}/offer`
    const test = await signedInAgent(exchange, { test: true })
    const cases = [
      [await new Visitor(exchange).open('/portal/sign-in'), 303, 303],
      [(await signedInAgent(exchange, { verified: false })).visitor, 403, 403],
      [one.buyer.visitor, 404, 404],
      [test.visitor, 200, 403],
    ] as const
    for (const [visitor, shown, sent] of cases) {
      expect((await visitor.request('GET', path)).status).toBe(shown)
      await send(visitor, one.needId, { listing: one.listing.id })
      expect(visitor.status).toBe(sent)
    }
    expect(await count()).toBe(before)
  })
})
