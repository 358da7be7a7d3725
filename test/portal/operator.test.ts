import { describe, expect, it } from 'vitest'
import { setOperator } from '../../src/agents/service.ts'
import { createWidget, switchWidget } from '../../src/widgets/service.ts'
import { useExchange } from '../support/exchange.ts'
import { newFeed, readFeed } from '../support/feeds.ts'
import { signedInAgent } from '../support/visitor.ts'

const exchange = useExchange()

async function operator() {
  const { agent, visitor } = await signedInAgent(exchange, { name: 'Olga Operadora' })
  await setOperator(exchange.db, agent.email, true)
  return { agent, visitor }
}

const lastEntry = () =>
  exchange.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

describe('agents', () => {
  it('lose and regain their verification, and with it their keys', async () => {
    const desk = await operator()
    const agent = await exchange.agent({ name: 'Beto Luna' })
    const path = `/portal/operator/agents/${agent.id}`
    await desk.visitor.open(path)
    await desk.visitor.submit(`${path}/unverify`)
    expect((await exchange.get('/me', agent.key)).status).toBe(401)
    expect(await lastEntry()).toMatchObject({
      action: 'agent.unverify',
      operator_id: desk.agent.id,
      subject_id: agent.id,
      subject: `Beto Luna <${agent.email}>`,
    })
    await desk.visitor.submit(`${path}/verify`)
    expect((await exchange.get('/me', agent.key)).status).toBe(200)
    expect((await lastEntry()).action).toBe('agent.verify')
  })

  it('become test accounts, whose listings no one else sees', async () => {
    const desk = await operator()
    const [agent, other] = [await exchange.agent(), await exchange.agent()]
    const { id } = await exchange.published(agent)
    const path = `/portal/operator/agents/${agent.id}`
    await desk.visitor.open(path)
    await desk.visitor.submit(`${path}/test`)
    expect((await exchange.get(`/properties/${id}`, other.key)).status).toBe(404)
    await desk.visitor.submit(`${path}/untest`)
    expect((await exchange.get(`/properties/${id}`, other.key)).status).toBe(200)
  })

  it('are added to an agency and removed from it', async () => {
    const desk = await operator()
    const agent = await exchange.agent()
    await desk.visitor.open('/portal/operator/agencies')
    await desk.visitor.submit('/portal/operator/agencies', { name: 'Grupo Sur' })
    const agency = await exchange.db
      .selectFrom('agencies')
      .select('id')
      .where('name', '=', 'Grupo Sur')
      .executeTakeFirstOrThrow()
    const path = `/portal/operator/agents/${agent.id}`
    await desk.visitor.open(path)
    await desk.visitor.submit(`${path}/agency`, { agency: agency.id, is_admin: 'on' })
    expect((await exchange.get('/me', agent.key)).body.agency.name).toBe('Grupo Sur')
    expect(await lastEntry()).toMatchObject({ action: 'agent.assign', note: 'Grupo Sur (admin)' })
    await desk.visitor.submit(`${path}/agency`, { agency: '' })
    expect((await exchange.get('/me', agent.key)).body.agency).toBeNull()
  })

  it('are found by part of the name without accents, and % matches literally', async () => {
    const desk = await operator()
    await exchange.agent({ name: 'Íñigo Peñalosa' })
    expect((await desk.visitor.open('/portal/operator/agents?q=penalo')).text).toContain('Íñigo Peñalosa')
    expect((await desk.visitor.open('/portal/operator/agents?q=%25')).text).toContain('Sin resultados')
  })
})

describe('agencies', () => {
  it('are created once per name', async () => {
    const desk = await operator()
    await desk.visitor.open('/portal/operator/agencies')
    await desk.visitor.submit('/portal/operator/agencies', { name: 'Única Casa' })
    await desk.visitor.submit('/portal/operator/agencies', { name: 'ÚNICA  casa' })
    expect(desk.visitor.status).toBe(422)
    expect(desk.visitor.text).toContain('Ya hay una inmobiliaria con ese nombre.')
  })

  it('disappear from their agents’ records while they are inactive', async () => {
    const desk = await operator()
    const agent = await exchange.agent({ agency: 'Norte y Más' })
    const { id } = await exchange.db
      .selectFrom('agencies')
      .select('id')
      .where('name', '=', 'Norte y Más')
      .executeTakeFirstOrThrow()
    await desk.visitor.open('/portal/operator/agencies')
    await desk.visitor.submit(`/portal/operator/agencies/${id}/deactivate`)
    expect((await exchange.get('/me', agent.key)).body.agency).toBeNull()
    await desk.visitor.submit(`/portal/operator/agencies/${id}/activate`)
    expect((await exchange.get('/me', agent.key)).body.agency.name).toBe('Norte y Más')
  })
})

describe('listings', () => {
  async function listed() {
    const desk = await operator()
    const agent = await exchange.agent()
    const listing = await exchange.published(agent)
    const path = `/portal/operator/listings/${listing.id}`
    await desk.visitor.open(`/portal/operator/listings?q=${listing.id}`)
    return { ...desk, path, listing, agent }
  }
  const statusOf = async (id: string) =>
    await exchange.db
      .selectFrom('listings')
      .select(['status', 'featured', 'imported'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()

  it('are suspended with a reason that stays in the log, and restored as drafts', async () => {
    const { visitor, path, listing } = await listed()
    await visitor.submit(`${path}/suspend`, { reason: 'Fotos de otra casa' })
    expect((await statusOf(listing.id)).status).toBe('suspended')
    expect(await lastEntry()).toMatchObject({ action: 'listing.suspend', note: 'Fotos de otra casa' })
    const events = await exchange.events(listing.id)
    expect(events.at(-1)?.event).toBe('listing.unpublished')
    await visitor.submit(`${path}/lift`)
    expect((await statusOf(listing.id)).status).toBe('draft')
    expect((await lastEntry()).action).toBe('listing.lift')
  })

  it('show their agent when a suspension began, why, and when it was lifted', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const { id } = await exchange.published(agent)
    const desk = await operator()
    const path = `/portal/operator/listings/${id}`
    await desk.visitor.open(`/portal/operator/listings?q=${id}`)
    await desk.visitor.submit(`${path}/suspend`, { reason: 'Fotos de otra casa' })
    const edit = { listing_id: id, via: 'api', agent_id: agent.id, action: 'edit', fields: '{}' }
    await exchange.db.insertInto('listing_changes').values(Array(6).fill(edit)).execute()
    await visitor.open(`/portal/listings/${id}`)
    expect(visitor.text).toContain('El operador la suspendió: Fotos de otra casa')
    await desk.visitor.submit(`${path}/lift`)
    const entries = await exchange.db
      .selectFrom('listing_changes')
      .select(['action', 'via', 'agent_id'])
      .where('listing_id', '=', id)
      .where('via', '=', 'operator')
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { action: 'suspend', via: 'operator', agent_id: desk.agent.id },
      { action: 'lift', via: 'operator', agent_id: desk.agent.id },
    ])
    await visitor.open(`/portal/listings/${id}/history`)
    expect(visitor.text).toMatch(/Suspensión levantada; es un borrador .*Suspendida por el operador/)
    expect(visitor.text).toContain('Fotos de otra casa')
    expect(visitor.text).not.toContain('Olga')
    await visitor.submit('/portal/preferences', { lang: 'en' })
    expect(visitor.text).toContain('Suspension lifted; it is a draft')
  })

  it('are not suspended without a reason, and nothing is logged', async () => {
    const { visitor, path, listing } = await listed()
    const before = await lastEntry().catch(() => undefined)
    await visitor.submit(`${path}/suspend`, { reason: '  ' })
    expect(visitor.text).toContain('Escribe el motivo')
    expect((await statusOf(listing.id)).status).toBe('published')
    expect(await lastEntry().catch(() => undefined)).toEqual(before)
  })

  it('can be featured or marked as imports, and reverted', async () => {
    const { visitor, path, listing } = await listed()
    await visitor.submit(`${path}/feature`)
    await visitor.submit(`${path}/import`)
    expect(await statusOf(listing.id)).toMatchObject({ featured: true, imported: true })
    await visitor.submit(`${path}/unfeature`)
    await visitor.submit(`${path}/unimport`)
    expect(await statusOf(listing.id)).toMatchObject({ featured: false, imported: false })
  })
})

describe('keys, webhooks and the system', () => {
  it('a key is revoked at once', async () => {
    const desk = await operator()
    const agent = await exchange.agent()
    await desk.visitor.open('/portal/operator/keys')
    await desk.visitor.submit(`/portal/operator/keys/${agent.key.slice(4, 12)}/revoke`)
    expect((await exchange.get('/me', agent.key)).status).toBe(401)
    expect(await lastEntry()).toMatchObject({ action: 'key.revoke' })
  })

  it('a failed action leaves no entry in the log', async () => {
    const desk = await operator()
    await desk.visitor.open('/portal/operator/keys')
    const before = await lastEntry().catch(() => undefined)
    await desk.visitor.request('POST', '/portal/operator/keys/nothing0/revoke', {
      payload: `_token=${desk.visitor.token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(desk.visitor.status).toBe(404)
    expect(await lastEntry().catch(() => undefined)).toEqual(before)
  })

  it.each(['', '/licences', '/webhooks', '/health', '/audit'])('the page %s opens', async path => {
    const desk = await operator()
    await desk.visitor.open(`/portal/operator${path}`)
    expect(desk.visitor.status).toBe(200)
  })

  it('the log shows who did what, with hostile text escaped', async () => {
    const desk = await operator()
    const agent = await exchange.agent({ name: '<i>Nadie</i> & Co' })
    await desk.visitor.open(`/portal/operator/agents/${agent.id}`)
    await desk.visitor.submit(`/portal/operator/agents/${agent.id}/unverify`)
    await desk.visitor.open('/portal/operator/audit')
    expect(desk.visitor.text).toContain('Quitó la verificación : <i>Nadie</i> & Co')
    expect(desk.visitor.text).toContain('Olga Operadora')
    expect(desk.visitor.html).not.toContain('<i>Nadie')
  })

  it('the overview counts what everybody can see', async () => {
    const desk = await operator()
    const shown = async () => {
      await exchange.search.refresh()
      await desk.visitor.open('/portal/operator')
      return Number(/Propiedades públicas\s*([\d,]+)/.exec(desk.visitor.text)?.[1]?.replaceAll(',', ''))
    }
    const before = await shown()
    const agent = await exchange.agent()
    await exchange.published(agent)
    await exchange.published(agent, { idx_opt_out: true })
    await exchange.listing(agent)
    expect(await shown()).toBe(before + 1)
  })

  it('a former operator gets 404 at once', async () => {
    const desk = await operator()
    expect((await desk.visitor.open('/portal/operator')).status).toBe(200)
    await setOperator(exchange.db, desk.agent.email, false)
    expect((await desk.visitor.open('/portal/operator')).status).toBe(404)
  })
})

describe('widgets', () => {
  it('are revoked for good: no site shows them, and their agents cannot turn them on', async () => {
    const desk = await operator()
    const { agent, visitor } = await signedInAgent(exchange)
    const value = { name: 'Sitio de otro', kind: 'inquiry' as const, domains: ['www.example.com'] }
    const id = await createWidget(exchange.db, agent.id, { value, issues: [] })
    await desk.visitor.open('/portal/operator/widgets')
    expect(desk.visitor.text).toContain(agent.email)
    await desk.visitor.submit(`/portal/operator/widgets/${id}/revoke`)
    expect(await lastEntry()).toMatchObject({
      action: 'widget.revoke',
      subject: 'Sitio de otro',
      subject_id: id,
    })
    expect(desk.visitor.text).not.toContain(agent.email)

    expect((await visitor.open(`/widget/${id}`)).status).toBe(404)
    await visitor.open(`/portal/widgets/${id}`)
    expect(visitor.text).toContain('Revocado por el operador')
    await expect(switchWidget(exchange.db, agent.id, id, true)).rejects.toThrow('revoked')
  })
})

describe('feeds', () => {
  it('are listed with their last reader, and revoked at once, on record', async () => {
    const desk = await operator()
    const agent = await exchange.agent()
    await exchange.published(agent)
    const { id, path } = await newFeed(exchange, agent)
    expect((await readFeed(exchange, path)).statusCode).toBe(200)
    await desk.visitor.open('/portal/operator/feeds')
    for (const shown of [agent.email, 'Portal-Bot/2.1', '203.0.113.0/24']) {
      expect(desk.visitor.text).toContain(shown)
    }
    await desk.visitor.submit(`/portal/operator/feeds/${id}/revoke`)
    expect(await lastEntry()).toMatchObject({ action: 'feed.revoke', subject: 'Mi feed', subject_id: id })
    expect(desk.visitor.text).not.toContain(agent.email)
    expect((await readFeed(exchange, path)).statusCode).toBe(404)
  })
})
