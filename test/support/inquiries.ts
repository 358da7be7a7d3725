import sharp from 'sharp'
import { beforeAll } from 'vitest'
import { toLocal } from '../../src/lib/time.ts'
import type { Exchange, TestAgent } from './exchange.ts'
import { linkIn, takeMail } from './mail.ts'
import { Visitor } from './visitor.ts'

/** The exchange's clock, which tests can move. */
export const clock = { now: Date.now(), read: () => clock.now }

/**
 * For the top of a file. The files of a worker share this module, so the clock is reset at once, for tables of cases
 * computed while the file loads, and again before its first test.
 */
export const useClock = () => {
  const reset = () => {
    clock.now = Date.now()
  }
  reset()
  beforeAll(reset)
  return { now: clock.read }
}

export const SECOND = 1_000
export const DAY = 86_400_000

let people = 0

/** A person who is in no other test. */
export const person = (fields: Record<string, string> = {}): Record<string, string> & { email: string } => ({
  name: 'Rosa Elena Cárdenas',
  email: `rosa-${++people}@example.com`,
  phone: '',
  message: '¿Sigue disponible?',
  consent: 'on',
  ...fields,
})

/** The fields of a showing that many days ahead, in central Mexican time. */
export const showing = (days = 3, time = '10:30') => ({
  kind: 'tour',
  date: toLocal(new Date(clock.now + days * DAY)).slice(0, 10),
  time,
})

/** Opens the page of a listing or an agent, reads for five seconds, and sends its form. */
export async function inquire(
  exchange: Exchange,
  path: string,
  fields: Record<string, string> = person(),
  visitor = new Visitor(exchange),
): Promise<Visitor> {
  await exchange.search.refresh()
  await visitor.open(path)
  clock.now += 5 * SECOND
  return visitor.submit(`${path}/contacto`, fields)
}

/** An agent with a published listing, and the paths of their pages. */
export async function market(exchange: Exchange, agent: TestAgent, fields: Record<string, unknown> = {}) {
  const listing = await exchange.published(agent, fields)
  return { listing, listingPath: `/propiedades/${listing.slug}`, agentPath: `/agentes/${agent.slug}` }
}

export const leadsOf = (exchange: Exchange, agentId: string) =>
  exchange.db
    .selectFrom('leads')
    .selectAll()
    .where('agent_id', '=', agentId)
    .orderBy('created_at', 'desc')
    .execute()

/** A request for a showing, up to the mail with the private link. */
export async function askForShowing(exchange: Exchange, agent: TestAgent, listingPath: string) {
  const fields = person(showing())
  const visitor = await inquire(exchange, listingPath, fields)
  if (visitor.status !== 200) throw new Error(`not taken: ${visitor.text}`)
  const [lead] = await leadsOf(exchange, agent.id)
  if (!lead) throw new Error('there is no lead')
  const mail = (await takeMail(exchange)).find(one => one.to.address === fields.email)
  return { lead, mail, link: linkIn(mail), visitor, fields }
}

export const DOCUMENT = { name: 'Rosa Elena Cárdenas Tzompantzi', document: 'ine', number: 'CRDTRS85QX77Z0' }

/** Noise, so that a few of its bytes can be searched for, with a location in its EXIF data. */
export async function documentPhoto(): Promise<Buffer> {
  const width = 200
  const pixels = Buffer.alloc(width * width * 3)
  for (let i = 0, x = 7; i < pixels.length; i++) {
    x = (x * 1_103_515_245 + 12_345) % 2_147_483_648
    pixels[i] = x >> 16
  }
  return sharp(pixels, { raw: { width, height: width, channels: 3 } })
    .withExif({ IFD0: { Copyright: 'EXIF-of-the-phone' } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** Fills in the form of the private link. */
export async function identify(
  exchange: Exchange,
  link: string,
  fields: Record<string, string> = DOCUMENT,
  photo?: Buffer,
): Promise<Visitor> {
  const visitor = await new Visitor(exchange).open(link)
  const bytes = photo ?? (await documentPhoto())
  return visitor.submit(link, fields, [{ field: 'picture', name: 'ine.jpg', bytes }])
}
