import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { setVerified } from '../../src/agents/service.ts'
import { addListing, createCollection } from '../../src/collections/service.ts'
import { openPool } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { markIdentified, receiveLead } from '../../src/leads/service.ts'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { clock, leadsOf, person, showing, useClock } from '../support/inquiries.ts'
import { linkIn, takeMail } from '../support/mail.ts'
import { databaseUrl } from '../support/postgres.ts'
import { loopbackNetwork } from '../support/receiver.ts'
import { signedInAgent, Visitor } from '../support/visitor.ts'
import { subscribe } from '../support/webhooks.ts'

const exchange = useExchange({ network: loopbackNetwork(), ...useClock() })

const SEEN = { title: 'Casa que todos vieron', neighborhood: 'Chapalita' }
/** A word in everything the owner writes after the listing is hidden. */
const SECRET = 'Xochipilli'
const HIDDEN = {
  title: `Remate ${SECRET}, no difundir`,
  neighborhood: `Privada ${SECRET}`,
  address: `Calle ${SECRET} 12`,
  city: `Villa ${SECRET}`,
  show_exact_address: true,
}

/** An inquiry through `agent`'s collection, about another agent's listing. */
async function askAbout(agent: TestAgent, listing: { id: string }, fields = {}) {
  const id = await createCollection(exchange.db, agent.id, {
    value: { title: 'Casas', message: null },
    issues: [],
  })
  await addListing(exchange.db, agent.id, id, listing.id)
  const { token } = await exchange.db
    .selectFrom('collections')
    .select('token')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const visitor = await new Visitor(exchange).open(`/c/${token}`)
  clock.now += 5_000
  await visitor.submit(`/c/${token}/contacto`, { ...person(), listing: listing.id, ...fields })
  expect(visitor.status).toBe(200)
  const [lead] = await leadsOf(exchange, agent.id)
  return lead as { id: string; email: string }
}

const calendarOf = async ({ id }: TestAgent) => {
  const agent = exchange.db.selectFrom('agents').select('calendar_key').where('id', '=', id)
  const { calendar_key: key } = await agent.executeTakeFirstOrThrow()
  return (await exchange.app.inject(`/calendario/${key}.ics`)).body.replaceAll('\r\n ', '')
}

describe('another agent’s listing, hidden and changed after a lead arrived', () => {
  let owner: TestAgent
  let agent: TestAgent
  let desk: Visitor
  let listing: { id: string; slug: string }
  let tour: { id: string }
  let link: string

  beforeAll(async () => {
    owner = await exchange.agent({ name: 'Dueña Ajena' })
    ;({ agent, visitor: desk } = await signedInAgent(exchange))
    await subscribe(exchange, agent, 'https://agent.example/hook')
    listing = await exchange.published(owner, SEEN)
    tour = await askAbout(agent, listing, showing())
    link = linkIn((await takeMail(exchange)).find(mail => mail.kind === 'identify'))
    await askAbout(agent, listing)
    // The mails about the inquiry are sent only after the listing was hidden.
    await exchange.post(`/properties/${listing.id}/unpublish`, owner.key)
    expect((await exchange.put(`/properties/${listing.id}`, owner.key, HIDDEN)).status).toBe(200)
  })

  it('keeps its public state on the visitor’s page and in every mail', async () => {
    const visitor = await new Visitor(exchange).open(link)
    expect(visitor.text).toContain(SEEN.title)
    await markIdentified(exchange.db, tour.id)
    await desk.open(`/portal/leads/${tour.id}`)
    await desk.submit(`/portal/leads/${tour.id}/details`, { tour_status: 'confirmed' })
    const mails = await takeMail(exchange)
    expect(new Set(mails.map(mail => mail.kind))).toEqual(new Set(['lead', 'inquiry', 'showing-confirmed']))
    for (const mail of mails) expect(`${mail.kind}: ${mail.text}`).toContain(SEEN.title)
    expect(`${visitor.html} ${JSON.stringify(mails)}`).not.toContain(SECRET)
  })

  it('keeps its old title in the API and in webhooks', async () => {
    const { body } = await exchange.get('/leads', agent.key)
    expect(body.content).toHaveLength(2)
    for (const lead of body.content) {
      expect(lead).toMatchObject({ listing_title: SEEN.title, listing_slug: listing.slug })
    }
    const [event] = await exchange.events(tour.id)
    expect(event?.data).toMatchObject({ listing: { title: SEEN.title, slug: listing.slug } })
    expect(JSON.stringify([body, event])).not.toContain(SECRET)
  })

  it.each(['/leads', '/leads?view=table', '/leads/export.csv', '/calendar', ''])(
    'keeps its public state on /portal%s',
    async path => {
      const month = showing().date.slice(0, 7)
      await desk.open(`/portal${path}${path === '/calendar' ? `?month=${month}` : ''}`)
      expect(desk.status).toBe(200)
      if (path) expect(desk.text).toContain(SEEN.title)
      expect(desk.html).not.toContain(SECRET)
    },
  )

  it('keeps its public state on the lead’s page, without a broken link', async () => {
    await desk.open(`/portal/leads/${tour.id}`)
    expect(desk.text).toContain(`Propiedad de interés ${SEEN.title}`)
    expect(desk.html).not.toContain(`/propiedades/${listing.slug}`)
    expect(desk.html).not.toContain(SECRET)
  })

  it('keeps its public place in the calendar', async () => {
    const feed = await calendarOf(agent)
    expect(feed).toContain('LOCATION:Chapalita\\, Guadalajara')
    expect(feed).not.toContain(SECRET)
  })

  it('is found by its old words, not by the new ones', async () => {
    await desk.open(`/portal/leads?view=table&q=${SECRET}`)
    expect(desk.html).not.toContain(tour.id)
    await desk.open('/portal/leads?view=table&q=todos+vieron')
    expect(desk.html).toContain(tour.id)
  })

  it('looks the same to operators and to the lead’s agent', async () => {
    await exchange.db.updateTable('agents').set({ is_operator: true }).where('id', '=', agent.id).execute()
    await exchange.db
      .updateTable('identifications')
      .set({
        status: 'submitted',
        submitted_at: new Date(),
        details: Buffer.from('x'),
        picture: Buffer.from('x'),
      })
      .where('lead_id', '=', tour.id)
      .execute()
    await desk.open('/portal/operator/identifications')
    expect(desk.text).toContain(SEEN.title)
    expect(desk.html).not.toContain(SECRET)
  })

  it('shows its current state while it is public again, and the last public one afterwards', async () => {
    const shown = async () => (await exchange.get('/leads', agent.key)).body.content[0].listing_title
    await exchange.post(`/properties/${listing.id}/publish`, owner.key)
    expect(await shown()).toBe(HIDDEN.title)
    await exchange.db
      .updateTable('listings')
      .set({ idx_opt_out: true })
      .where('id', '=', listing.id)
      .execute()
    expect(await shown()).toBe(SEEN.title)
    await exchange.db
      .updateTable('listings')
      .set({ idx_opt_out: false })
      .where('id', '=', listing.id)
      .execute()
    await setVerified(exchange.db, owner.email, false)
    expect(await shown()).toBe(SEEN.title)
  })
})

describe('an agent’s own listing', () => {
  it('shows its current state to the agent; the visitor sees what was public', async () => {
    const { agent, visitor: desk } = await signedInAgent(exchange)
    const listing = await exchange.published(agent, SEEN)
    const lead = await askAbout(agent, listing, showing())
    await takeMail(exchange)
    await exchange.post(`/properties/${listing.id}/unpublish`, agent.key)
    await exchange.put(`/properties/${listing.id}`, agent.key, HIDDEN)
    await markIdentified(exchange.db, lead.id)
    await desk.open(`/portal/leads/${lead.id}`)
    expect(desk.text).toContain(HIDDEN.title)
    await desk.submit(`/portal/leads/${lead.id}/details`, { tour_status: 'confirmed' })
    const { body } = await exchange.get('/leads', agent.key)
    expect(body.content[0].listing_title).toBe(HIDDEN.title)
    expect(await calendarOf(agent)).toContain(`LOCATION:Calle ${SECRET} 12`)
    const mails = await takeMail(exchange)
    const toVisitor = mails.filter(mail => mail.to.address === lead.email)
    expect(toVisitor.map(mail => mail.kind)).toEqual(['showing-confirmed'])
    expect(toVisitor[0]?.text).toContain(SEEN.title)
    expect(toVisitor[0]?.text).not.toContain(SECRET)
  })
})

describe('a lead about a listing that is hidden at the same moment', () => {
  it('stores nothing of the listing', async () => {
    const [owner, agent] = [await exchange.agent(), await exchange.agent()]
    const listing = await exchange.listing(owner, { title: `Borrador ${SECRET}` })
    const sent = { value: { name: 'Eva' }, issues: [] }
    await receiveLead(exchange.db, agent.id, sent, { source: 'site', listingId: listing.id })
    const { body } = await exchange.get('/leads', agent.key)
    expect(body.content[0]).toMatchObject({ listing_title: null, listing_slug: null })
    expect(JSON.stringify(await exchange.events(body.content[0].id))).not.toContain(SECRET)
  })
})

describe('older leads', () => {
  it('get what was public when they arrived, from the listing’s history', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lonja-migrations-'))
    const all = new URL('../../db/migrations/', import.meta.url)
    for (const name of await readdir(all)) {
      if (name < '0011') await cp(new URL(name, all), join(folder, name))
    }
    const serverUrl = inject('postgresUrl')
    const name = `test_${randomUUID().replaceAll('-', '')}`
    const admin = openPool(serverUrl, 1)
    await admin.query(`create database ${name}`)
    const pool = openPool(databaseUrl(serverUrl, name), 2)
    try {
      await migrate(pool, undefined, pathToFileURL(`${folder}/`))
      await pool.query(`
        insert into agents (id, email, name, name_fold, slug, verified_at)
          select ('00000000-0000-4000-8000-00000000000' || n)::uuid, n || '@x.mx', n, n, n, now()
          from unnest(array['1', '2']) n;
        insert into listings (id, agent_id, slug, title, city, state, city_fold, title_fold, search, address,
            show_exact_address)
          values ('00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-000000000001', 'casa',
            'Newest', 'Tepic', 'Nayarit', 'tepic', 'newest', '', 'Calle 1', true);
        insert into leads (agent_id, listing_id, name, source, created_at)
          select ('00000000-0000-4000-8000-00000000000' || n)::uuid, '00000000-0000-4000-8000-00000000000a', n,
            'site', '2026-01-02' from unnest(array['1', '2']) n;
        insert into listing_changes (listing_id, at, via, action, fields) values
          ('00000000-0000-4000-8000-00000000000a', '2026-01-01', 'api', 'edit', '{"title":["Oldest","Then"]}'),
          ('00000000-0000-4000-8000-00000000000a', '2026-01-03', 'api', 'edit',
            '{"title":["Then","Later"],"show_exact_address":[false,true]}'),
          ('00000000-0000-4000-8000-00000000000a', '2026-01-04', 'api', 'edit', '{"title":["Later","Newest"]}')`)
      await migrate(pool)
      const kept = await pool.query(
        'select name, listing_title, listing_slug, listing_place from leads order by name',
      )
      expect(kept.rows).toEqual([
        { name: '1', listing_title: 'Then', listing_slug: 'casa', listing_place: 'Calle 1, Tepic' },
        { name: '2', listing_title: 'Then', listing_slug: 'casa', listing_place: 'Tepic' },
      ])
      const shown = await pool.query('select is_own, title from lead_listings order by is_own')
      expect(shown.rows).toEqual([
        { is_own: false, title: 'Then' },
        { is_own: true, title: 'Newest' },
      ])
    } finally {
      await pool.end()
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
      await rm(folder, { recursive: true })
    }
  })
})
