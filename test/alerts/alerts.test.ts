import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CONFIRM_HOURS, MAX_ALERTS, MAX_WAITING } from '../../src/alerts/rules.ts'
import { announceDaily, endUnused } from '../../src/alerts/service.ts'
import { alertSource } from '../../src/alerts/source.ts'
import { eraseOnRecord, exportOnRecord, findOnRecord } from '../../src/leads/operator/requests.ts'
import { FORM_FIELD, TRAP_FIELD } from '../../src/leads/visitors/service.ts'
import { sendNotice } from '../../src/notices/service.ts'
import { MatchFollower } from '../../src/search/matching/follower.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { clock, SECOND, useClock } from '../support/inquiries.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange(useClock())
let agent: TestAgent
const followers: MatchFollower[] = []

const startFollower = () => {
  const url = exchange.pool.options.connectionString as string
  followers.push(new MatchFollower({ url, logger: pino({ level: 'silent' }), sources: [alertSource] }))
}

beforeAll(async () => {
  agent = await exchange.agent()
  // Two, as with two workers.
  startFollower()
  startFollower()
})
afterAll(() => Promise.all(followers.map(follower => follower.stop())))
beforeEach(async () => {
  await takeMail(exchange)
  clock.now += 3_600 * SECOND
})

let people = 0
const newAddress = () => `vera-${++people}@example.com`

/** Opens the form from the results of a search, reads for five seconds, and sends it. */
async function ask(query: string, fields: Record<string, string> = {}, prefix = '/avisos') {
  const visitor = await new Visitor(exchange).open(`${prefix}?${query}`)
  clock.now += 5 * SECOND
  return visitor.submit(prefix, { email: newAddress(), consent: 'on', ...fields })
}

/** Asks, and turns the alert on by the link of the mail. */
async function activeAlert(query: string, fields: Record<string, string> = {}, prefix = '/avisos') {
  const asked = await ask(query, fields, prefix)
  expect(asked.path, asked.text).toBe(`${prefix}/gracias`)
  const link = linkIn((await takeMail(exchange)).find(mail => mail.kind === 'alert-link'))
  const page = await new Visitor(exchange).open(link)
  await page.submit(link, { do: 'save' })
  expect(page.path, page.text).toBe(`${link}?guardado`)
  const id = link.split('.')[1] as string
  return { id, link, page }
}

const inCity = (city: string, price = 3_000_000, more: Record<string, unknown> = {}) =>
  exchange.published(agent, { city, sale_price: price, sale_currency: 'MXN', ...more })

const rowsOf = async (id: string) =>
  (await exchange.pool.query('select * from alert_matches where alert_id = $1', [id])).rows
const untilMatched = (id: string, count: number) =>
  vi.waitFor(async () => expect(await rowsOf(id)).toHaveLength(count), { timeout: 5_000, interval: 30 })

/** A listing that this alert, of everything in a city, has matched: then all before it was held too. */
async function settle(): Promise<void> {
  const city = `Ciudad ${++people}`
  const probe = await activeAlert(`city=${encodeURIComponent(city)}`)
  await inCity(city)
  await untilMatched(probe.id, 1)
}

describe('an alert', () => {
  it('announces nothing before its link is used, then each new listing once, in the language of the page', async () => {
    const asked = await ask('city=Celaya&operation=sale', { pace: 'at_once' }, '/en/alerts')
    expect(asked.path).toBe('/en/alerts/gracias')
    const [mail, ...others] = await takeMail(exchange)
    expect(others).toEqual([])
    expect(mail?.subject).toBe('Confirm your property alert')
    await inCity('Celaya')
    const link = linkIn(mail)
    expect(link).toMatch(/^\/en\/alerts\//)
    const page = await new Visitor(exchange).open(link)
    expect(page.text).toContain('Turn on your alert')
    expect(page.headers['x-robots-tag']).toBe('noindex, nofollow')
    await page.submit(link, { do: 'save' })
    expect(page.text).toContain('Done: your alert is on.')
    const id = link.split('.')[1] as string
    expect(await rowsOf(id)).toEqual([])
    const listing = await inCity('Celaya')
    await inCity('Salamanca')
    await untilMatched(id, 1)
    const [news, ...more] = await takeMail(exchange)
    expect(more).toEqual([])
    expect(news?.subject).toMatch(/^A property for your search: Sale · Celaya$/)
    expect(news?.text).toContain(`/en/propiedades/${listing.slug}`)
    expect(news?.unsubscribeUrl).toContain('/en/unsubscribe/alerts.')
    // Another change of it is no news.
    await exchange.put(`/properties/${listing.id}`, agent.key, { bedrooms: 7 })
    await settle()
    expect(await takeMail(exchange)).toEqual([])
  })

  it('announces a listing that was there before once its price is lowered, and not for any other change', async () => {
    const listing = await inCity('Irapuato', 5_000_000)
    const { id } = await activeAlert('city=Irapuato&max_price=4500000', { pace: 'at_once' })
    const { id: wider } = await activeAlert('city=Irapuato', { pace: 'at_once' })
    await exchange.put(`/properties/${listing.id}`, agent.key, { bedrooms: 9 })
    await settle()
    expect([await rowsOf(id), await rowsOf(wider)]).toEqual([[], []])
    await exchange.put(`/properties/${listing.id}`, agent.key, { sale_price: 4_000_000 })
    await untilMatched(id, 1)
    await untilMatched(wider, 1)
    expect((await takeMail(exchange)).filter(mail => mail.text.includes(listing.slug))).toHaveLength(2)
  })

  it('with daily mail gets one mail a day about all that is new, and none without news', async () => {
    const { id } = await activeAlert('city=Tepatitlan', { pace: 'daily' })
    const [one, two] = [await inCity('Tepatitlán'), await inCity('Tepatitlán')]
    await untilMatched(id, 2)
    expect(await takeMail(exchange)).toEqual([])
    await announceDaily(exchange.db)
    const [mail, ...others] = (await takeMail(exchange)).filter(({ text }) => text.includes('Tepatitl'))
    expect(others).toEqual([])
    for (const { slug } of [one, two]) expect(mail?.text).toContain(slug)
    await inCity('Tepatitlán')
    await untilMatched(id, 3)
    await announceDaily(exchange.db)
    expect((await takeMail(exchange)).filter(({ text }) => text.includes('Tepatitl'))).toEqual([])
  })

  it('that announces at once waits between two mails, and collects what is new meanwhile', async () => {
    const { id } = await activeAlert('city=Lagos', { pace: 'at_once' })
    await inCity('Lagos')
    await untilMatched(id, 1)
    expect(await takeMail(exchange)).toHaveLength(1)
    await inCity('Lagos')
    await inCity('Lagos')
    await untilMatched(id, 3)
    const { rows } = await exchange.pool.query(
      `select extract(epoch from run_at - now()) as seconds from graphile_worker._private_jobs`,
    )
    expect(rows).toHaveLength(1)
    expect(Number(rows[0].seconds)).toBeGreaterThan(600)
    expect((await takeMail(exchange))[0]?.subject).toContain('2 propiedades')
  })

  it('whose mail was accepted by a worker that then died is sent the same mail again, and nothing new in it', async () => {
    const { id } = await activeAlert('city=Jerez', { pace: 'at_once' })
    const first = await inCity('Jerez')
    await untilMatched(id, 1)
    const { rows } = await exchange.pool.query('select id, payload from graphile_worker._private_jobs')
    const sent: { id: string; text: string }[] = []
    const deps = {
      db: exchange.db,
      mailer: {
        send: async (mail: { id: string; text: string }) => String(sent.push(mail)),
        close: () => {},
      },
      logger: exchange.app.log,
      publicUrl: 'https://lonja.example',
      reconfirmDays: 60,
      unsubscribeKey: async () => Buffer.alloc(32),
    }
    await sendNotice(deps, rows[0].payload, rows[0].id)
    const second = await inCity('Jerez')
    await untilMatched(id, 2)
    await sendNotice(deps, rows[0].payload, rows[0].id)
    expect(sent[1]).toEqual(sent[0])
    expect(sent[0]?.text).toContain(first.slug)
    await exchange.pool.query('delete from graphile_worker._private_jobs where id = $1', [rows[0].id])
    const later = await takeMail(exchange)
    expect(later.map(mail => mail.text.includes(second.slug))).toEqual([true])
    expect(later[0]?.text).not.toContain(first.slug)
  })

  it('keeps a bounded number of matches until its next mail', async () => {
    const { id } = await activeAlert('city=Atlixco', { pace: 'daily' })
    const listing = await inCity('Atlixco')
    await untilMatched(id, 1)
    await exchange.pool.query(
      `with copies as (
         insert into listings select (jsonb_populate_record(l, jsonb_build_object(
           'id', gen_random_uuid(), 'slug', 'copia-' || n, 'status', 'draft', 'external_id', null))).*
         from listings l, generate_series(2, $3::int) n where l.id = $2 returning id)
       insert into alert_matches (alert_id, listing_id) select $1, id from copies`,
      [id, listing.id, MAX_WAITING],
    )
    await inCity('Atlixco')
    await settle()
    expect(await rowsOf(id)).toHaveLength(MAX_WAITING)
    await announceDaily(exchange.db)
    await takeMail(exchange)
    await inCity('Atlixco')
    await untilMatched(id, MAX_WAITING + 1)
  })

  it('never announces what is not public when the mail is written', async () => {
    const { id } = await activeAlert('city=Ocotlan', { pace: 'at_once' })
    const listing = await inCity('Ocotlán')
    await untilMatched(id, 1)
    await exchange.post(`/properties/${listing.id}/unpublish`, agent.key)
    expect(await takeMail(exchange)).toEqual([])
  })
})

describe('the private link', () => {
  it('changes the pace and ends the alert, and with it the address is gone', async () => {
    const email = newAddress()
    const { id, link, page } = await activeAlert('city=Guanajuato', { email })
    await page.open(link)
    expect(page.text).toContain(email)
    await page.submit(link, { do: 'save', pace: 'at_once' })
    const paceOf = async () => (await exchange.pool.query('select pace from alerts where id = $1', [id])).rows
    expect(await paceOf()).toEqual([{ pace: 'at_once' }])
    await page.submit(link, { do: 'end' })
    expect(page.text).toContain('Listo, ya no te avisamos')
    expect((await new Visitor(exchange).open(link)).status).toBe(404)
    const { rows } = await exchange.pool.query('select email from alerts where id = $1', [id])
    expect(rows).toEqual([{ email: null }])
    await inCity('Guanajuato')
    await settle()
    expect(await rowsOf(id)).toEqual([])
  })

  it('of a mail program’s one click ends it without cookies or a form', async () => {
    const { id, link } = await activeAlert('city=Silao', { pace: 'at_once' })
    await inCity('Silao')
    await untilMatched(id, 1)
    const [mail] = await takeMail(exchange)
    const url = new URL(mail?.unsubscribeUrl as string).pathname
    const program = new Visitor(exchange)
    await program.request('GET', url)
    expect((await new Visitor(exchange).open(link)).status).toBe(200)
    const oneClick = urlencoded([['List-Unsubscribe', 'One-Click']])
    await program.request('POST', url, { ...oneClick, headers: { ...oneClick.headers, origin: '' } })
    expect(program.status).toBe(200)
    expect((await new Visitor(exchange).open(link)).status).toBe(404)
  })

  it('that was changed, or belongs to other mail, opens nothing', async () => {
    const { link } = await activeAlert('city=Cortazar')
    const forged = [
      link.slice(0, -1),
      `${link}x`,
      link.replace('alerts.', 'needs.'),
      '/avisos/x',
      '/avisos/%00',
    ]
    for (const path of forged) expect((await new Visitor(exchange).open(path)).status, path).toBe(404)
  })

  it('does nothing by being opened, and expires unless it is used in time', async () => {
    await ask('city=Yuriria')
    const link = linkIn((await takeMail(exchange))[0])
    const id = link.split('.')[1] as string
    await new Visitor(exchange).open(link)
    const age = `created_at = now() - interval '${CONFIRM_HOURS} hours 1 minute'`
    await exchange.pool.query(`update alerts set ${age} where id = $1 and confirmed_at is null`, [id])
    expect((await new Visitor(exchange).open(link)).status).toBe(404)
    await endUnused(exchange.db)
    expect((await exchange.pool.query('select from alerts where id = $1', [id])).rows).toEqual([])
  })

  it(`activates at most ${MAX_ALERTS} alerts of one mailbox, however it is written`, async () => {
    const [name, host] = newAddress().split('@')
    for (let i = 0; i < MAX_ALERTS; i++) {
      clock.now += 3_600 * SECOND
      await activeAlert(`q=palabra${i}`, { email: `${name}+${i}@${host}` })
    }
    clock.now += 3_600 * SECOND
    await ask('q=otra', { email: `${name}@${host?.toUpperCase()}` })
    const link = linkIn((await takeMail(exchange)).find(mail => mail.kind === 'alert-link'))
    const page = await new Visitor(exchange).open(link)
    await page.submit(link, { do: 'save' })
    expect(page.status).toBe(409)
    expect(page.text).toContain('Un correo puede tener 10 avisos')
  })
})

describe('an alert that nobody uses for a year', () => {
  it('is warned of by one mail, kept if somebody keeps it, and ends by itself if not', async () => {
    const [kept, left] = [await activeAlert('city=Sayula'), await activeAlert('city=Tamazula')]
    const ids = [kept.id, left.id]
    await exchange.pool.query(`update alerts set used_at = now() - interval '366 days' where id = any($1)`, [
      ids,
    ])
    await endUnused(exchange.db)
    await endUnused(exchange.db)
    const warnings = await takeMail(exchange)
    expect(warnings.map(mail => mail.kind)).toEqual(['alert-ending', 'alert-ending'])
    await kept.page.open(kept.link)
    expect(kept.page.text).toContain('Conservar aviso')
    await kept.page.submit(kept.link, { do: 'save' })
    await exchange.pool.query(
      `update alerts set warned_at = warned_at - interval '15 days' where id = any($1)`,
      [ids],
    )
    await endUnused(exchange.db)
    expect((await new Visitor(exchange).open(kept.link)).status).toBe(200)
    expect((await new Visitor(exchange).open(left.link)).status).toBe(404)
  })
})

describe('the form', () => {
  it('answers the same for every address and sends each one link in ten minutes, nothing typed repeated in it', async () => {
    const email = newAddress()
    const answers = new Set<string>()
    const text = 'gana dinero en spam.example'
    for (let i = 0; i < 4; i++) {
      const asked = await ask(`q=${encodeURIComponent(text)}`, { email: i % 2 ? email : email.toUpperCase() })
      answers.add(`${asked.status} ${asked.path} ${asked.text}`)
    }
    const [link] = await takeMail(exchange)
    expect(JSON.stringify(link)).not.toContain('spam.example')
    const known = await activeAlert('city=Autlan')
    const { rows } = await exchange.pool.query('select email from alerts where id = $1', [known.id])
    clock.now += 3_600 * SECOND
    const again = await ask('city=Autlan', { email: rows[0].email })
    answers.add(`${again.status} ${again.path} ${again.text}`)
    expect(answers.size).toBe(1)
    const mails = await takeMail(exchange)
    expect(mails.map(mail => mail.subject)).toEqual(['Ya tienes este aviso'])
    const links = await exchange.pool.query('select from alerts where mailbox_of(email) = $1', [email])
    expect(links.rows).toHaveLength(1)
  })

  it('without our token, with the hidden field, too fast, without consent, address or search stores nothing', async () => {
    const before = (await exchange.pool.query('select count(*) from alerts')).rows
    const visitor = await new Visitor(exchange).open('/avisos?city=Tala')
    const token = new Map(visitor.forms().find(form => form.action === '/avisos')?.fields).get(
      FORM_FIELD,
    ) as string
    const good = {
      [FORM_FIELD]: token,
      email: newAddress(),
      consent: 'on',
      query: 'city=Tala',
      pace: 'daily',
    }
    const send = async (fields: Record<string, string>, status: number) => {
      await visitor.request('POST', '/avisos', urlencoded(Object.entries(fields)))
      expect(visitor.status, JSON.stringify(fields)).toBe(status)
    }
    await send(good, 422)
    clock.now += 5 * SECOND
    await send({ ...good, [FORM_FIELD]: 'x' }, 422)
    await send({ ...good, [TRAP_FIELD]: 'x' }, 422)
    await send({ ...good, consent: '' }, 422)
    await send({ ...good, email: 'nobody' }, 422)
    await send({ ...good, email: 'a@b.c\r\nBcc: x@y.z' }, 422)
    await send({ ...good, query: '' }, 422)
    await send({ ...good, query: 'min_price=abc' }, 422)
    await send({ ...good, query: `q=${'x'.repeat(5_000)}` }, 422)
    await send({ ...good, pace: 'hourly' }, 422)
    await send({ ...good, query: 'city=%00' }, 422)
    expect((await exchange.pool.query('select count(*) from alerts')).rows).toEqual(before)
    expect(await takeMail(exchange)).toEqual([])
  })

  it('accepts a limited number from one connection', async () => {
    const visitor = new Visitor(exchange)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) {
      await visitor.open(`/avisos?city=Tala`)
      clock.now += 3 * SECOND
      await visitor.submit('/avisos', { email: newAddress(), consent: 'on' })
      statuses.push(visitor.status)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429])
  })

  it('is offered on searches with filters, on pages of places, and asks for a search first', async () => {
    await inCity('Zapopan')
    await exchange.search.refresh()
    const visitor = await new Visitor(exchange).open('/propiedades?city=Zapopan&sort=price_asc')
    expect(visitor.html).toContain('href="/avisos?city=Zapopan"')
    expect((await visitor.open('/propiedades')).html).not.toContain('/avisos?')
    expect((await visitor.open('/mx/jalisco')).html).toContain('/avisos?state=Jalisco')
    expect((await visitor.open('/avisos')).text).toContain('Primero busca lo que quieres')
    expect((await visitor.open('/avisos?min_price=abc')).text).toContain('Primero busca lo que quieres')
  })
})

describe('a person who asks for their data', () => {
  it('is shown their alerts, and erased from them', async () => {
    const [name, host] = newAddress().split('@')
    const { id } = await activeAlert('city=Mascota', { email: `${name}+casa@${host}` })
    const email = `${name}@${host}`
    expect((await findOnRecord(exchange.db, null, email)).alerts).toMatchObject([
      { id, query: 'city=Mascota' },
    ])
    expect(await exportOnRecord(exchange.db, null, email)).toMatchObject([{ kind: 'alert', id }])
    const named: string[] = []
    const erased = await eraseOnRecord(exchange.db, null, email, async contacts => named.push(...contacts))
    expect(erased).toEqual({ leads: 0, alerts: 1, mails: 1 })
    expect(named).toEqual([`${name}+casa@${host}`])
    expect((await findOnRecord(exchange.db, null, email)).alerts).toEqual([])
    const { rows } = await exchange.pool.query(`select from alerts a where a::text like '%' || $1 || '%'`, [
      name,
    ])
    expect(rows).toEqual([])
  })
})
