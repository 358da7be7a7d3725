import { connect } from 'node:net'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CONNECTION_LIMITS } from '../../src/http/connections.ts'
import {
  eraseOldIdentifications,
  refuseIdentification,
  verifyIdentification,
} from '../../src/leads/identification/service.ts'
import type { TOUR_STATUSES } from '../../src/leads/rules.ts'
import { erasePerson } from '../../src/leads/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import {
  askForShowing,
  clock,
  DAY,
  DOCUMENT,
  documentPhoto,
  identify,
  market,
  SECOND,
  useClock,
} from '../support/inquiries.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { head, listen } from '../support/socket.ts'
import { multipart, signedInAgent, Visitor } from '../support/visitor.ts'

const exchange = useExchange(useClock())
let agent: TestAgent
let portal: Visitor
let operator: Visitor
let path: string

beforeAll(async () => {
  ;({ agent, visitor: portal } = await signedInAgent(exchange))
  const desk = await signedInAgent(exchange, { name: 'Olga Operadora' })
  operator = desk.visitor
  await exchange.db.updateTable('agents').set({ is_operator: true }).where('id', '=', desk.agent.id).execute()
  path = (await market(exchange, agent)).listingPath
})

beforeEach(async () => {
  await takeMail(exchange)
})

const ask = () => askForShowing(exchange, agent, path)
const submitted = async () => {
  const asked = await ask()
  expect((await identify(exchange, asked.link)).status).toBe(200)
  return asked
}
const rowOf = (leadId: string) =>
  exchange.db
    .selectFrom('identifications')
    .selectAll()
    .where('lead_id', '=', leadId)
    .executeTakeFirstOrThrow()
const screen = (leadId: string) => `/portal/leads/${leadId}`
const form = (leadId: string, what: string) => `${screen(leadId)}/identification/${what}`
const setVerified = (at: Date | null) =>
  exchange.db.updateTable('agents').set({ verified_at: at }).where('id', '=', agent.id).execute()
/** Sends a portal form without opening its page. */
const post = (url: string, fields: Record<string, string> = {}) =>
  portal.request('POST', url, {
    payload: new URLSearchParams({ _token: portal.token, ...fields }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('an upload', () => {
  it('may take long: photos are large and connections slow', async () => {
    const { link } = await ask()
    const port = await listen(exchange)
    const { payload, headers } = multipart(Object.entries(DOCUMENT), [
      { field: 'picture', name: 'x.jpg', bytes: await documentPhoto() },
    ])
    const wait = setTimeout
    // Ordinary bodies have only a fifth of a second here.
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number) =>
      wait(work, ms === CONNECTION_LIMITS.bodyMs ? 200 : ms)) as typeof setTimeout)
    const sendSlowly = async (url: string) => {
      const { 'content-type': type } = headers
      const top = head(`POST ${url} HTTP/1.1`, `Content-Type: ${type}`, `Content-Length: ${payload.length}`)
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      let answer = ''
      socket.on('data', chunk => (answer += chunk))
      socket.write(top)
      socket.write(payload.subarray(0, -10))
      await new Promise(done => wait(done, 600))
      if (socket.writable) socket.write(payload.subarray(-10))
      await vi.waitFor(() => expect(socket.closed).toBe(true), 5_000)
      return answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)
    }
    try {
      expect(await sendSlowly(link)).toBe('200')
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('that is cut off or malformed is rejected with a page and uses nothing up', async () => {
    const { link, lead } = await ask()
    const { payload, headers } = multipart(Object.entries(DOCUMENT), [
      { field: 'picture', name: 'x.jpg', bytes: await documentPhoto() },
    ])
    const type = 'multipart/form-data'
    const broken = [
      { payload: payload.subarray(0, payload.length - 100), headers },
      { payload: payload.subarray(0, 50), headers },
      { payload: 'no form', headers },
      { payload, headers: { 'content-type': type } },
      { payload, headers: { 'content-type': `${type}; boundary=${'x'.repeat(300)}` } },
      multipart([['__proto__', 'x']]),
    ]
    const page = expect.stringContaining('</html>')
    for (const sent of broken) {
      const visitor = await new Visitor(exchange).request('POST', link, sent)
      expect([visitor.status, visitor.html]).toEqual([400, page])
    }
    const endless = multipart(Array.from({ length: 30 }, (_, i) => [`f${i}`, 'x']))
    const visitor = await new Visitor(exchange).request('POST', link, endless)
    expect([visitor.status, visitor.html]).toEqual([413, page])
    expect(await rowOf(lead.id)).toMatchObject({ status: 'asked', details: null })
    expect((await identify(exchange, link)).status).toBe(200)
  })
})

describe('an agent whose license is no longer verified', () => {
  it('sees no document and cannot decide; the link does not accept one', async () => {
    const [{ lead }, open] = [await submitted(), await ask()]
    await portal.open(screen(lead.id))
    await setVerified(null)
    try {
      await portal.open(screen(lead.id))
      expect([portal.status, portal.html]).toEqual([200, expect.not.stringContaining(DOCUMENT.number)])
      expect((await portal.request('GET', form(lead.id, 'picture'))).status).toBe(403)
      await portal.open('/portal')
      for (const what of ['verify', 'refuse', 'link']) {
        expect((await post(form(lead.id, what), { reason: 'La foto no se lee' })).status).toBe(403)
        await portal.open('/portal')
      }
      expect((await new Visitor(exchange).open(open.link)).status).toBe(404)
    } finally {
      await setVerified(new Date())
    }
    expect(await rowOf(lead.id)).toMatchObject({ status: 'submitted' })
    expect(await exchange.events(lead.id)).toEqual([])
    expect((await new Visitor(exchange).open(open.link)).status).toBe(200)
  })
})

describe('another link', () => {
  it('is not sent while an identification waits for a decision, which is kept', async () => {
    const { lead, link } = await ask()
    await portal.open(screen(lead.id))
    // The visitor submits while the agent has the page open.
    expect((await identify(exchange, link)).status).toBe(200)
    await takeMail(exchange)
    await portal.submit(form(lead.id, 'link'))
    expect(portal.text).toContain('decide primero sobre ella')
    expect(await rowOf(lead.id)).toMatchObject({ status: 'submitted', details: expect.any(Buffer) })
    expect(await takeMail(exchange)).toEqual([])
  })

  it('can be sent if the submitted document cannot be decrypted', async () => {
    const { lead } = await submitted()
    await takeMail(exchange)
    const details = Buffer.alloc(60, 1)
    await exchange.db.updateTable('identifications').set({ details }).where('lead_id', '=', lead.id).execute()
    await portal.open(screen(lead.id))
    expect(portal.text).toContain('no tiene la llave')
    await portal.submit(form(lead.id, 'link'))
    const fresh = linkIn((await takeMail(exchange)).at(-1))
    expect((await new Visitor(exchange).open(fresh)).status).toBe(200)
  })

  it('is what the page of a rejected identification’s link tells the visitor to request', async () => {
    const { lead, link } = await submitted()
    await portal.open(screen(lead.id))
    await portal.submit(form(lead.id, 'refuse'), { reason: 'La foto no se lee' })
    const visitor = await new Visitor(exchange).open(link)
    expect([visitor.status, visitor.text]).toEqual([410, expect.stringContaining('Pídele otro al agente')])
  })
})

describe('a document erased before a decision', () => {
  it('is pending nowhere: not for the operator, not in the inbox, not in a mail', async () => {
    const [{ lead }, old] = [await submitted(), await submitted()]
    await erasePerson(exchange.db, agent.id, lead.id)
    await eraseOldIdentifications(exchange.db, 30, new Date(clock.now + 60 * DAY))
    await operator.open('/portal/operator/identifications')
    for (const { id } of [lead, old.lead]) expect(operator.html).not.toContain(id)
    expect((await takeMail(exchange)).filter(mail => mail.kind === 'identification')).toEqual([])
    await portal.open('/portal/leads?view=table')
    expect(portal.text).not.toContain('Identificación por revisar')
    for (const { id } of [lead, old.lead]) {
      await portal.open(screen(id))
      expect(portal.text).toContain('se borraron el')
      expect(portal.text).not.toContain('Por revisar')
    }
  })
})

describe('erasure', () => {
  const setLead = (id: string, values: { showing_at?: Date; tour_status?: (typeof TOUR_STATUSES)[number] }) =>
    exchange.db.updateTable('leads').set(values).where('id', '=', id).execute()
  const eraseAt = (at: number) => eraseOldIdentifications(exchange.db, 30, new Date(at))

  it('happens 120 days after submission, however long the agent postpones the showing', async () => {
    const { lead } = await submitted()
    await verifyIdentification(exchange.db, lead.id, agent.id)
    await setLead(lead.id, { showing_at: new Date(clock.now + 3_000 * DAY) })
    const due = ((await rowOf(lead.id)).submitted_at as Date).getTime() + (90 + 30) * DAY
    await eraseAt(due - SECOND)
    expect((await rowOf(lead.id)).details).not.toBeNull()
    await eraseAt(due + SECOND)
    expect(await rowOf(lead.id)).toMatchObject({ details: null, picture: null, erased_at: expect.any(Date) })
  })

  it('includes the reason for a rejection, which may quote the document; the time of erasure is kept', async () => {
    const { lead } = await submitted()
    await refuseIdentification(exchange.db, lead.id, agent.id, `El número ${DOCUMENT.number} no se lee`)
    const before = await rowOf(lead.id)
    const due = (lead.tour_at as Date).getTime() + 30 * DAY
    await eraseAt(due - SECOND)
    expect((await rowOf(lead.id)).reason).toContain(DOCUMENT.number)
    await eraseAt(due + SECOND)
    expect(await rowOf(lead.id)).toEqual({ ...before, reason: null })
    await portal.open(screen(lead.id))
    expect(portal.text).toContain('se borraron el')
    expect(portal.text).not.toContain('Motivo:')
  })
})

describe('a canceled showing', () => {
  it('accepts no document: its link says so, and no other is sent', async () => {
    const { lead, link } = await ask()
    await portal.open(screen(lead.id))
    await portal.submit(`${screen(lead.id)}/details`, { tour_status: 'cancelled' })
    for (const [url, words] of [
      [link, 'Esta visita se canceló'],
      [link.replace('/identificacion/', '/en/identification/'), 'This showing was canceled'],
    ] as const) {
      const visitor = await new Visitor(exchange).open(url)
      expect([visitor.status, visitor.text]).toEqual([410, expect.stringContaining(words)])
      expect(visitor.html).not.toContain('type="file"')
    }
    const sent = multipart(Object.entries(DOCUMENT), [
      { field: 'picture', name: 'x.jpg', bytes: await documentPhoto() },
    ])
    expect((await new Visitor(exchange).request('POST', link, sent)).status).toBe(410)
    expect(await rowOf(lead.id)).toMatchObject({ status: 'asked', details: null })
    await portal.open(screen(lead.id))
    expect(portal.html).not.toContain(form(lead.id, 'link'))
    await post(form(lead.id, 'link'))
    expect(await takeMail(exchange)).toEqual([])
    expect((await new Visitor(exchange).open(link)).status).toBe(410)
  })

  it('does not send a link that was still queued', async () => {
    const { lead } = await ask()
    await portal.open(screen(lead.id))
    await portal.submit(form(lead.id, 'link'))
    await portal.submit(`${screen(lead.id)}/details`, { tour_status: 'cancelled' })
    expect(await takeMail(exchange)).toEqual([])
  })
})

describe('at the same time', () => {
  it('two accepts create one lead.created', async () => {
    const { lead } = await submitted()
    const decisions = await Promise.allSettled(
      Array.from({ length: 4 }, () => verifyIdentification(exchange.db, lead.id, agent.id)),
    )
    expect(decisions.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    expect((await exchange.events(lead.id)).map(one => one.event)).toEqual(['lead.created'])
  })

  it('accepting and erasing leaves nothing of the person, in either order', async () => {
    for (let i = 0; i < 6; i++) {
      clock.now += 600 * SECOND
      const { lead, fields } = await submitted()
      const work = [
        () => verifyIdentification(exchange.db, lead.id, agent.id),
        () => erasePerson(exchange.db, agent.id, lead.id),
      ]
      if (i % 2) work.reverse()
      await Promise.allSettled(work.map(one => one()))
      expect(await rowOf(lead.id)).toMatchObject({ details: null, picture: null, token_hash: null })
      const events = await exchange.events(lead.id)
      expect(events.length).toBeLessThanOrEqual(1)
      expect(JSON.stringify(events)).not.toMatch(new RegExp(`Cárdenas|${fields.email}`))
    }
  })
})
