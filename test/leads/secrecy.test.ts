import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redraw } from '../../src/files/images.ts'
import { identificationBox, openIdentity, openPicture } from '../../src/leads/identification/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { askForShowing, DOCUMENT, documentPhoto, identify, market, useClock } from '../support/inquiries.ts'
import { LEAD_FIELDS } from '../support/lead-fields.ts'
import { takeMail } from '../support/mail.ts'
import { loopbackNetwork, Receiver } from '../support/receiver.ts'
import { signedInAgent, Visitor } from '../support/visitor.ts'
import { dispatch, settled, subscribe } from '../support/webhooks.ts'

const KEY = 'a key that is not in the database'
const exchange = useExchange({ ...useClock(), network: loopbackNetwork(), serverKey: KEY })
const receiver = new Receiver()
const strangers = new Receiver()
let agent: TestAgent
let other: TestAgent
let portal: Visitor
let stranger: Visitor
let lead: { id: string; tour_at: Date | null }
let link: string
let email: string
let photo: Buffer
/** Every mail sent. */
const mails: unknown[] = []
/** Every API response, verbatim. */
const answers: string[] = []

const API = ['/me', '/leads', '/my/properties', '/properties?q=casa', '/agents', '/meta', '/openapi.json']

async function askTheApi() {
  for (const { key } of [agent, other]) {
    for (const path of API) answers.push(JSON.stringify((await exchange.get(path, key)).body))
  }
}

beforeAll(async () => {
  await Promise.all([receiver.listen(), strangers.listen()])
  ;({ agent, visitor: portal } = await signedInAgent(exchange))
  ;({ agent: other, visitor: stranger } = await signedInAgent(exchange))
  await subscribe(exchange, agent, receiver.url(), ['lead.created', 'lead.updated'])
  await subscribe(exchange, other, strangers.url(), ['lead.created', 'lead.updated'])
  const { listingPath } = await market(exchange, agent)
  await takeMail(exchange)
  const asked = await askForShowing(exchange, agent, listingPath)
  ;({ lead, link } = asked)
  email = asked.fields.email
  mails.push(asked.mail && { ...asked.mail, html: '', text: asked.mail.text.replace(link, '') })
  photo = await documentPhoto()
})

afterAll(() => Promise.all([receiver.close(), strangers.close()]))

/** Everything in the database: each column of each row of each table, as text and as raw bytes. */
async function dump(): Promise<Buffer> {
  const { rows: tables } = await exchange.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(25)
  const parts: Buffer[] = []
  for (const { name } of tables) {
    const { rows: texts } = await exchange.pool.query(`select t::text as text from ${name} t`)
    for (const { text } of texts) parts.push(Buffer.from(text))
    const { rows } = await exchange.pool.query(`select * from ${name}`)
    for (const value of rows.flatMap(row => Object.values(row))) {
      parts.push(Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value) ?? ''))
    }
  }
  return Buffer.concat(parts.flatMap(part => [part, Buffer.from('\n')]))
}

/** A text or part of a picture in every encoding it could have been stored in. */
const shapesOf = (needle: Buffer) => [
  needle,
  Buffer.from(needle.toString('hex')),
  Buffer.from(needle.toString('base64').replace(/=+$/, '').slice(0, -1)),
  Buffer.from(needle.toString('base64url').replace(/=+$/, '').slice(0, -1)),
  Buffer.from(needle.toString('utf8'), 'utf16le'),
]
const holds = (hay: Buffer, needle: Buffer) => shapesOf(needle).some(shape => hay.includes(shape))

/** The document, its picture as submitted and as re-encoded, and the link. */
async function secrets(): Promise<[string, Buffer][]> {
  const drawn = (await redraw(photo, { maxSide: 2000, quality: 82 })) as Buffer
  const middle = (bytes: Buffer) => bytes.subarray(bytes.length >> 1, (bytes.length >> 1) + 24)
  return [
    ['the number', Buffer.from(DOCUMENT.number)],
    ['the name', Buffer.from('Tzompantzi')],
    ['the picture as sent', middle(photo)],
    ['the picture as drawn', middle(drawn)],
    ['the link', Buffer.from(link.slice(-43))],
  ]
}

async function expectNowhere() {
  const places: [string, Buffer][] = [
    ['the database', await dump()],
    ['the log', Buffer.from(exchange.log.join(''))],
    ['mails', Buffer.from(JSON.stringify(mails))],
    ['the API', Buffer.from(answers.join(''))],
    ['webhooks', Buffer.concat(receiver.received.map(({ body }) => body))],
  ]
  for (const [place, content] of places) {
    for (const [what, needle] of await secrets()) {
      expect(`${what} in ${place}: ${holds(content, needle)}`).toBe(`${what} in ${place}: false`)
    }
  }
  return new Map(places)
}

describe('from the request for a showing to its confirmation', () => {
  it('the agent’s system gets nothing before the visitor is identified', async () => {
    const worker = await dispatch(exchange)
    expect((await identify(exchange, link, DOCUMENT, photo)).status).toBe(200)
    mails.push(...(await takeMail(exchange)))
    await settled(exchange.db)
    await worker.stop()
    expect(receiver.connections).toBe(0)
  })

  it('the visitor’s document is in no table, log line, mail or response', async () => {
    await portal.open(`/portal/leads/${lead.id}`)
    expect(portal.text).toContain(DOCUMENT.number)
    await portal.request('GET', `/portal/leads/${lead.id}/identification/picture`)
    await askTheApi()
    const places = await expectNowhere()
    // The same search finds what is meant to be there.
    for (const place of ['the database', 'the API']) {
      expect(holds(places.get(place) as Buffer, Buffer.from(email))).toBe(true)
    }
  })

  it('but it is stored, encrypted, for those with the key', async () => {
    const row = await exchange.db
      .selectFrom('identifications')
      .selectAll()
      .where('lead_id', '=', lead.id)
      .executeTakeFirstOrThrow()
    const box = identificationBox(KEY)
    expect(openIdentity(box, lead.id, row.details as Buffer)).toEqual(DOCUMENT)
    const picture = await openPicture(exchange.db, box, lead.id)
    expect(picture?.subarray(8, 12).toString()).toBe('WEBP')
    expect(() => openIdentity(identificationBox('another'), lead.id, row.details as Buffer)).toThrow()
    expect(() => openIdentity(box, other.id, row.details as Buffer)).toThrow()
    expect(() => openIdentity(box, lead.id, row.picture as Buffer)).toThrow()
  })

  it('after acceptance the agent’s system gets one event with the documented data; no one else does', async () => {
    const worker = await dispatch(exchange)
    await portal.open(`/portal/leads/${lead.id}`)
    await portal.submit(`/portal/leads/${lead.id}/identification/verify`)
    await settled(exchange.db)
    await portal.submit(`/portal/leads/${lead.id}/details`, { tour_status: 'confirmed' })
    await settled(exchange.db)
    await worker.stop()
    expect(receiver.received.map(({ body }) => JSON.parse(body.toString()))).toEqual([
      {
        event: 'lead.created',
        created_at: expect.any(String),
        data: {
          id: lead.id,
          name: 'Rosa Elena Cárdenas',
          email,
          phone: null,
          message: '¿Sigue disponible?',
          kind: 'tour',
          id_status: 'verified',
          listing: expect.objectContaining({ title: 'Casa con jardín en Providencia' }),
          source: 'site',
        },
      },
    ])
    expect(strangers.connections).toBe(0)
    mails.push(...(await takeMail(exchange)))
    await askTheApi()
    await expectNowhere()
  })

  it('no screen, list or mail of another agent mentions the lead', async () => {
    expect((await exchange.get('/leads', other.key)).body.content).toEqual([])
    for (const path of ['/portal', '/portal/leads', '/portal/leads?view=table', '/portal/leads/export.csv']) {
      await stranger.open(path)
      expect(stranger.html).not.toContain(email)
    }
    expect(mails.length).toBeGreaterThan(2)
    expect(JSON.stringify(mails)).not.toContain(other.email)
  })
})

describe('the API’s record of it', () => {
  it('has exactly the documented fields of a lead', async () => {
    const { body } = await exchange.get('/leads', agent.key)
    expect(Object.keys(body.content[0])).toEqual(LEAD_FIELDS)
    expect(body.content[0]).toMatchObject({
      tour_status: 'confirmed',
      showing_at: lead.tour_at?.toISOString(),
    })
  })
})

describe('the log', () => {
  it.each([
    ['unchanged', (path: string) => path],
    ['in English', (path: string) => path.replace('/identificacion/', '/en/identification/')],
    ['with a percent-encoded letter', (path: string) => path.replace('ident', '%69dent')],
    ['after another path', (path: string) => path.replace('/identificacion/', '/calendario/')],
    ['of a collection', (path: string) => path.replace('/identificacion/', '/c/')],
    ['of a collection, with an extra slash', (path: string) => path.replace('/identificacion/', '/en//c/')],
    ['with more path after it', (path: string) => `${path}/more?x=${path.slice(-43)}`],
  ])('does not hold a private link, %s', async (_how, change) => {
    exchange.log.length = 0
    const visitor = new Visitor(exchange)
    await visitor.request('GET', change(link))
    await visitor.request('POST', change(link))
    const log = exchange.log.join('')
    expect(log).toContain('[hidden]')
    expect(log).not.toContain(link.slice(-43))
  })
})
