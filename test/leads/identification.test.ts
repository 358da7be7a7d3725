import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eraseOldIdentifications } from '../../src/leads/identification/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { htmlFaults } from '../support/html.ts'
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
import { multipart, signedInAgent, Visitor } from '../support/visitor.ts'

const exchange = useExchange(useClock())
let agent: TestAgent
let portal: Visitor
let operator: { agent: TestAgent; visitor: Visitor }
let path: string

beforeAll(async () => {
  ;({ agent, visitor: portal } = await signedInAgent(exchange))
  operator = await signedInAgent(exchange, { name: 'Olga Operadora' })
  await exchange.db
    .updateTable('agents')
    .set({ is_operator: true })
    .where('id', '=', operator.agent.id)
    .execute()
  path = (await market(exchange, agent)).listingPath
})

beforeEach(async () => {
  await takeMail(exchange)
})

const ask = () => askForShowing(exchange, agent, path)
const submitted = async () => {
  const asked = await ask()
  const visitor = await identify(exchange, asked.link)
  expect(visitor.text).toContain('Recibimos tu identificación')
  return asked
}
const rowOf = (leadId: string) =>
  exchange.db
    .selectFrom('identifications')
    .selectAll()
    .where('lead_id', '=', leadId)
    .executeTakeFirstOrThrow()
const leadRow = (id: string) =>
  exchange.db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const screen = (leadId: string) => `/portal/leads/${leadId}`
const form = (leadId: string, what: string) => `${screen(leadId)}/identification/${what}`

describe('the private link', () => {
  it('is only in the mail: 256 random bits, stored as a hash', async () => {
    const { link, lead } = await ask()
    expect(link).toMatch(/^\/identificacion\/[\w-]{43}$/)
    const row = await rowOf(lead.id)
    expect(row).toMatchObject({ status: 'asked', details: null })
    expect(row.token_hash).toHaveLength(32)
  })

  it('can be opened repeatedly; its page is not cached, indexed or sent as a referrer', async () => {
    const { link } = await ask()
    for (let i = 0; i < 3; i++) {
      const visitor = await new Visitor(exchange).open(link)
      expect(visitor.status).toBe(200)
      expect(visitor.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
        'referrer-policy': 'no-referrer',
      })
      expect(htmlFaults(visitor.html)).toEqual([])
      expect(visitor.text).toContain('Casa con jardín en Providencia')
    }
  })

  it('has a page in English', async () => {
    const { link } = await ask()
    const english = link.replace('/identificacion/', '/en/identification/')
    const visitor = await new Visitor(exchange).open(english)
    expect([visitor.status, visitor.text]).toEqual([200, expect.stringContaining('Identify yourself')])
    expect(visitor.html).toContain(`href="${link}"`)
  })

  it('works once: afterwards it answers 410, and submissions change nothing', async () => {
    const { link, lead } = await submitted()
    const before = await rowOf(lead.id)
    const visitor = await new Visitor(exchange).open(link)
    expect([visitor.status, visitor.text]).toEqual([
      410,
      expect.stringContaining('solo se puede usar una vez'),
    ])
    const sent = multipart(Object.entries({ ...DOCUMENT, number: 'OTHER-1' }), [
      { field: 'picture', name: 'x.jpg', bytes: await documentPhoto() },
    ])
    expect((await visitor.request('POST', link, sent)).status).toBe(410)
    expect(await rowOf(lead.id)).toEqual(before)
  })

  it('works once even when submitted twice at the same time', async () => {
    const { link } = await ask()
    const sent = multipart(Object.entries(DOCUMENT), [
      { field: 'picture', name: 'x.jpg', bytes: await documentPhoto() },
    ])
    const visitors = await Promise.all(
      Array.from({ length: 4 }, () => new Visitor(exchange).request('POST', link, sent)),
    )
    expect(visitors.map(one => one.status).sort()).toEqual([200, 410, 410, 410])
    expect((await takeMail(exchange)).map(mail => mail.kind)).toEqual(['identification'])
  })

  it('expires after seven days: 410, and the agent can send another', async () => {
    const { link, lead } = await ask()
    clock.now += 7 * DAY + 60 * SECOND
    const visitor = await new Visitor(exchange).open(link)
    expect([visitor.status, visitor.text]).toEqual([410, expect.stringContaining('Pídele otro al agente')])
    clock.now -= 7 * DAY + 60 * SECOND
    await portal.open(screen(lead.id))
    await portal.submit(form(lead.id, 'link'))
    const fresh = linkIn((await takeMail(exchange)).at(-1))
    expect((await new Visitor(exchange).open(fresh)).status).toBe(200)
    expect((await new Visitor(exchange).open(link)).status).toBe(404)
  })

  it.each([
    ['unknown', 'A'.repeat(43)],
    ['too short', 'abc'],
    ['strange', '..%2F..%2Fetc%2Fpasswd%00'],
  ])('answers 404 with a friendly page when it is %s', async (_what, token) => {
    const visitor = await new Visitor(exchange).open(`/identificacion/${token}`)
    expect(visitor.status).toBe(404)
    expect(visitor.html).toContain('</html>')
  })
})

describe('422', () => {
  it.each([
    ['a name', { ...DOCUMENT, name: '' }, 'name'],
    ['a number', { ...DOCUMENT, number: '' }, 'number'],
    ['a known kind of document', { ...DOCUMENT, document: 'library card' }, 'document'],
  ])('without %s, and the link still works', async (_what, fields, field) => {
    const { link, lead } = await ask()
    const visitor = await identify(exchange, link, fields)
    expect(visitor.status).toBe(422)
    expect(visitor.html).toContain(`id="${field}-error"`)
    expect(await rowOf(lead.id)).toMatchObject({ status: 'asked', details: null, picture: null })
  })

  it.each([
    ['no picture', Buffer.alloc(0)],
    ['an unreadable picture', Buffer.from('%PDF-1.7 not a picture')],
    ['a drawing with scripts', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['more than 15 MB', Buffer.alloc(15 * 1024 * 1024 + 1, 1)],
    [
      'an iPhone’s HEIC picture',
      Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
      'comparte la foto como JPEG',
    ],
  ])('with %s', async (_what, bytes, advice = '') => {
    const { link, lead } = await ask()
    const visitor = await identify(exchange, link, DOCUMENT, bytes)
    expect(visitor.status).toBe(422)
    expect(visitor.html).toContain('id="picture-error"')
    expect(visitor.text).toContain(advice)
    expect(visitor.html).toContain(DOCUMENT.number)
    expect(await rowOf(lead.id)).toMatchObject({ status: 'asked' })
  })
})

describe('429', () => {
  it('after twenty pictures sent to one link in ten minutes', async () => {
    const { link } = await ask()
    const visitor = await new Visitor(exchange).open(link)
    for (let i = 0; i < 20; i++) await visitor.request('POST', link, multipart([]))
    expect(visitor.status).toBe(422)
    await visitor.request('POST', link, multipart([]))
    expect([visitor.status, visitor.text]).toEqual([429, expect.stringContaining('espera diez minutos')])
  })
})

describe('a submitted document', () => {
  it('is announced to the agent in a mail without its contents', async () => {
    await submitted()
    const mails = await takeMail(exchange)
    expect(mails.map(mail => [mail.kind, mail.to.address])).toEqual([['identification', agent.email]])
    expect(JSON.stringify(mails)).not.toMatch(/Cárdenas|CRDTRS85/)
  })

  it('is shown to the agent, with the picture re-encoded', async () => {
    const { lead } = await submitted()
    await portal.open(screen(lead.id))
    for (const words of [DOCUMENT.name, DOCUMENT.number, 'Por revisar']) expect(portal.text).toContain(words)
    const picture = await exchange.app.inject({
      url: form(lead.id, 'picture'),
      headers: { cookie: [...portal.cookies].map(pair => pair.join('=')).join('; ') },
    })
    expect(picture.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'no-store' })
    expect(picture.rawPayload.subarray(8, 12).toString()).toBe('WEBP')
    expect(picture.rawPayload.includes('EXIF-of-the-phone')).toBe(false)
  })

  it('does not exist for another agent', async () => {
    const { lead } = await submitted()
    const { visitor } = await signedInAgent(exchange)
    for (const url of [screen(lead.id), form(lead.id, 'picture')]) {
      expect([(await visitor.request('GET', url)).status, visitor.text]).toEqual([
        404,
        expect.not.stringContaining('CRDTRS85'),
      ])
    }
    await visitor.open('/portal')
    const sent = {
      payload: new URLSearchParams({ _token: visitor.token, reason: 'because I can' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    for (const what of ['verify', 'refuse', 'link']) {
      expect((await visitor.request('POST', form(lead.id, what), sent)).status).toBe(404)
    }
    expect(await rowOf(lead.id)).toMatchObject({ status: 'submitted' })
  })
})

describe('the decision of the agent', () => {
  it('accepts: the lead is verified and lead.created is sent once', async () => {
    const { lead } = await submitted()
    await portal.open(screen(lead.id))
    await portal.submit(form(lead.id, 'verify'))
    expect(portal.text).toContain('Identificación aceptada')
    expect(await leadRow(lead.id)).toMatchObject({ id_status: 'verified', awaiting_id: false })
    expect(await rowOf(lead.id)).toMatchObject({ status: 'verified', decided_by: agent.id })
    const sent = {
      payload: new URLSearchParams({ _token: portal.token }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    await portal.request('POST', form(lead.id, 'verify'), sent)
    const events = await exchange.events(lead.id)
    expect(events).toMatchObject([
      { event: 'lead.created', data: { kind: 'tour', id_status: 'verified' }, agent_id: agent.id },
    ])
  })

  it('rejects with a reason that the visitor gets; the document is erased, and a new link starts over', async () => {
    const { lead, fields } = await submitted()
    await takeMail(exchange)
    await portal.open(screen(lead.id))
    await portal.submit(form(lead.id, 'refuse'), { reason: 'no' })
    expect([portal.status, (await rowOf(lead.id)).status]).toEqual([422, 'submitted'])
    await portal.submit(form(lead.id, 'refuse'), { reason: 'La foto no se lee' })
    expect(await rowOf(lead.id)).toMatchObject({ status: 'refused', details: null, picture: null })
    const [mail, ...others] = await takeMail(exchange)
    expect([mail?.kind, mail?.to.address, others]).toEqual(['identification-refused', fields.email, []])
    expect(mail?.text).toContain('La foto no se lee')
    expect(await exchange.events(lead.id)).toEqual([])

    await portal.open(screen(lead.id))
    await portal.submit(form(lead.id, 'link'))
    const link = linkIn((await takeMail(exchange)).at(-1))
    expect((await identify(exchange, link)).status).toBe(200)
    expect(await rowOf(lead.id)).toMatchObject({ status: 'submitted', reason: null, erased_at: null })
  })

  it('sends at most three mails in ten minutes to one visitor', async () => {
    const { lead } = await ask()
    for (let i = 0; i < 4; i++) {
      await portal.open(screen(lead.id))
      await portal.submit(form(lead.id, 'link'))
    }
    expect(portal.text).toContain('espera diez minutos')
    expect(await takeMail(exchange)).toHaveLength(2)
  })
})

describe('the showing', () => {
  it.each(['confirmed', 'done'])('cannot be %s before the visitor is identified', async status => {
    const { lead } = await submitted()
    await portal.open(screen(lead.id))
    await portal.submit(`${screen(lead.id)}/details`, { tour_status: status })
    expect([portal.status, portal.text]).toEqual([
      422,
      expect.stringContaining('cuando aceptes su identificación'),
    ])
    expect(await leadRow(lead.id)).toMatchObject({ tour_status: 'requested', showing_at: null })
  })

  it('keeps the requested time when it is confirmed, unless the agent sets another', async () => {
    const { lead } = await submitted()
    await portal.open(screen(lead.id))
    await portal.submit(form(lead.id, 'verify'))
    await portal.submit(`${screen(lead.id)}/details`, { tour_status: 'confirmed' })
    expect(portal.status).toBe(200)
    expect(await leadRow(lead.id)).toMatchObject({ tour_status: 'confirmed', showing_at: lead.tour_at })
    await portal.submit(`${screen(lead.id)}/details`, { showing_at: '2027-01-05T17:00' })
    expect((await leadRow(lead.id)).showing_at?.toISOString()).toBe('2027-01-05T23:00:00.000Z')
  })
})

describe('the operator', () => {
  const desk = '/portal/operator/identifications'
  const log = () =>
    exchange.db
      .selectFrom('audit_log')
      .select(['action', 'subject', 'subject_id', 'note'])
      .orderBy('id')
      .execute()

  it('sees pending documents, opens one and accepts it; each action is in the log, without the visitor’s data', async () => {
    const { lead } = await submitted()
    const { visitor } = operator
    await visitor.open(desk)
    expect(visitor.html).toContain(`${desk}/${lead.id}`)
    await visitor.open(`${desk}/${lead.id}`)
    for (const words of [DOCUMENT.name, DOCUMENT.number]) expect(visitor.text).toContain(words)
    expect((await visitor.request('GET', `${desk}/${lead.id}/picture`)).status).toBe(200)
    await visitor.open(`${desk}/${lead.id}`)
    await visitor.submit(`${desk}/${lead.id}/verify`)
    expect(visitor.path).toBe(desk)
    expect(await leadRow(lead.id)).toMatchObject({ id_status: 'verified', awaiting_id: false })
    expect(await rowOf(lead.id)).toMatchObject({ decided_by: operator.agent.id })
    const entries = (await log()).filter(one => one.subject_id === lead.id)
    expect(entries.map(one => one.action)).toEqual([
      'identification.open',
      'identification.open',
      'identification.open',
      'identification.verify',
    ])
    expect(entries.map(one => one.note)).toEqual([null, 'La foto', null, null])
    expect(JSON.stringify(entries)).not.toMatch(/Cárdenas|CRDTRS85/)
  })

  it('rejects one, which is in the log too', async () => {
    const { lead } = await submitted()
    const { visitor } = operator
    await visitor.open(`${desk}/${lead.id}`)
    await visitor.submit(`${desk}/${lead.id}/refuse`, { reason: '' })
    expect(visitor.status).toBe(422)
    await visitor.submit(`${desk}/${lead.id}/refuse`, { reason: 'El documento está vencido' })
    expect(await rowOf(lead.id)).toMatchObject({ status: 'refused', details: null })
    expect((await log()).at(-1)).toMatchObject({ action: 'identification.refuse', subject_id: lead.id })
  })
})

describe('erasure', () => {
  it('happens thirty days after the showing and not before, and keeps the decision', async () => {
    const { lead } = await submitted()
    await portal.open(screen(lead.id))
    await portal.submit(form(lead.id, 'verify'))
    const due = (lead.tour_at as Date).getTime() + 30 * DAY
    await eraseOldIdentifications(exchange.db, 30, new Date(due - SECOND))
    expect((await rowOf(lead.id)).details).not.toBeNull()
    // Postponed by the agent: the actual day counts.
    const later = new Date((lead.tour_at as Date).getTime() + 5 * DAY)
    await exchange.db.updateTable('leads').set({ showing_at: later }).where('id', '=', lead.id).execute()
    await eraseOldIdentifications(exchange.db, 30, new Date(due + SECOND))
    expect((await rowOf(lead.id)).details).not.toBeNull()
    await eraseOldIdentifications(exchange.db, 30, new Date(due + 5 * DAY + SECOND))
    expect(await rowOf(lead.id)).toMatchObject({
      details: null,
      picture: null,
      status: 'verified',
      erased_at: expect.any(Date),
    })
    await portal.open(screen(lead.id))
    expect(portal.text).toContain('se borraron el')
    expect((await portal.request('GET', form(lead.id, 'picture'))).status).toBe(404)
  })

  it('happens with the rest of a person’s data when the agent erases it, link included', async () => {
    const [{ lead, link }, open] = [await submitted(), await ask()]
    for (const one of [lead, open.lead]) {
      await portal.open(`${screen(one.id)}/erase`)
      await portal.submit(`${screen(one.id)}/erase`, { sure: 'on' })
      expect(await rowOf(one.id)).toMatchObject({ details: null, picture: null, token_hash: null })
    }
    for (const gone of [link, open.link]) expect((await new Visitor(exchange).open(gone)).status).toBe(404)
  })
})
