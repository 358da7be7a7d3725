import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCollection } from '../../src/collections/service.ts'
import { receiveLead } from '../../src/leads/service.ts'
import { createWidget } from '../../src/widgets/service.ts'
import { clock, useClock } from '../support/inquiries.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS } from '../support/walk.ts'

const walk = useWalk(useClock())

/** An agent's own site, on a separate server. */
let site: Server
let pages: Map<string, string>
let port: number

beforeAll(async () => {
  pages = new Map()
  site = createServer((request, response) => {
    const body = pages.get(request.url ?? '')
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(body)
  })
  await new Promise<void>(resolve => site.listen(0, '0.0.0.0', resolve))
  port = (site.address() as AddressInfo).port
})
afterAll(() => site?.close())

/** Puts a widget's code on a page, as the agent would; `host` is one of that server's names. */
function publish(path: string, code: string, host = '127.0.0.1'): string {
  const here = code.replaceAll('https://lonja.example', walk.base)
  pages.set(
    path,
    `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Olga Bienes Raíces</title>
      <meta name="viewport" content="width=device-width, initial-scale=1"></head>
      <body><h1>Olga Bienes Raíces</h1>${here}<p id="after">Al pie</p></body></html>`,
  )
  return `http://${host}:${port}${path}`
}

const codeOf = (id: string) => `<script src="${walk.base}/widget.js" data-widget="${id}" async></script>`

const owner = () => walk.exchange.agent({ name: 'Olga Owner', password: PASSWORD, phone: '33 1111 2222' })
const leadsOf = (agent: { id: string }) =>
  walk.exchange.db.selectFrom('leads').selectAll().where('agent_id', '=', agent.id).execute()

describe.each(WAYS)('$name', way => {
  it('shares a collection, and the client’s inquiry arrives in the agent’s inbox', async () => {
    const other = await walk.exchange.agent({ name: 'Otro Agente' })
    const title = `Casa ajena ${way.width} ${way.scripts}`
    const theirs = await walk.exchange.published(other, { title })
    const agent = await owner()
    await walk.exchange.published(agent, { title: 'Casa propia con patio' })
    await walk.exchange.search.refresh()

    const desk = await walk.visit(way)
    await desk.signIn(agent.email, PASSWORD)
    await desk.open('/portal/collections')
    await desk.page.getByLabel('Título').fill('Casas para los López')
    await desk.page.getByLabel('Mensaje para tu cliente').fill('Con jardín, como pidieron.')
    await desk.press('Crear colección')
    await desk.press('Agregar Casa propia con patio')
    await desk.page.getByLabel('Buscar').fill(title)
    await desk.page.getByLabel('Dónde').selectOption('all')
    await desk.press('Buscar')
    await desk.press(`Agregar ${title}`)
    const link = await desk.page.getByLabel('Enlace de la colección').inputValue()
    expect(link).toMatch(/^https:\/\/lonja\.example\/c\/[\w-]{22}$/)

    const client = await walk.visit(way)
    await client.open(new URL(link).pathname)
    expect(await client.page.locator('[data-listing] h3').allTextContents()).toEqual([
      'Casa propia con patio',
      title,
    ])
    await client.page.getByLabel('Sobre la propiedad').selectOption({ label: title })
    await client.page.getByLabel('Tu nombre').fill('Eva Pérez')
    await client.page.getByLabel('Mensaje').fill('¿Se puede ver el sábado?')
    clock.now += 5_000
    await client.press('Enviar')
    // Without email, phone or consent: the form comes back with what was typed.
    expect(await client.page.getByRole('alert').textContent()).toContain('No pudimos enviarlo.')
    expect(await client.page.getByLabel('Mensaje').inputValue()).toBe('¿Se puede ver el sábado?')
    await client.page.getByLabel('Correo').fill('eva@example.com')
    await client.page.getByLabel('aviso de privacidad').check()
    await client.press('Enviar')
    await client.page.getByRole('heading', { name: 'Tu mensaje va en camino' }).waitFor()

    expect(await leadsOf(agent)).toMatchObject([
      { name: 'Eva Pérez', listing_id: theirs.id, source: expect.stringMatching(/^collection:/) },
    ])
    expect(await leadsOf(other)).toEqual([])
    await desk.open('/portal/leads')
    await desk.page.getByRole('link', { name: 'Eva Pérez' }).first().click()
    await desk.page.getByText('¿Se puede ver el sábado?').waitFor()
    await desk.page.getByText('Colección compartida').waitFor()
    await client.context.close()
    await desk.context.close()
  })
})

describe.each(WAYS.filter(way => way.scripts))('the widget, $name', way => {
  it('is created in the portal, and its form on a page of another origin creates a lead', async () => {
    const agent = await owner()
    const desk = await walk.visit(way)
    await desk.signIn(agent.email, PASSWORD)
    await desk.open('/portal/widgets')
    await desk.page.getByLabel('Nombre').fill('Mi sitio')
    await desk.page.getByLabel('Formulario de contacto').check()
    await desk.page.getByLabel('Dominios permitidos').fill('127.0.0.1')
    await desk.press('Crear widget')
    const code = await desk.page.getByLabel('Código del widget').inputValue()

    const client = await walk.visit(way)
    await client.page.goto(publish('/contacto', code))
    const frame = client.page.frameLocator('iframe[title="Escribe a Olga Owner"]')
    await frame.getByLabel('Tu nombre').fill('Eva Pérez')
    await frame.getByLabel('Teléfono').fill('33 1234 5678')
    const height = () =>
      client.page.locator('iframe').evaluate(element => element.getBoundingClientRect().height)
    const inside = await frame.locator('body').evaluate(body => body.getBoundingClientRect().height)
    await expect.poll(height).toBe(Math.ceil(inside))
    clock.now += 5_000
    await frame.getByRole('button', { name: 'Enviar' }).click()
    await frame.getByText('No pudimos enviarlo.').waitFor()
    expect(await leadsOf(agent)).toEqual([])
    await frame.getByLabel('aviso de privacidad').check()
    await frame.getByRole('button', { name: 'Enviar' }).click()
    await frame.getByText('¡Gracias! Tu mensaje va en camino').waitFor()
    await expect.poll(height).toBeLessThan(inside)
    const widgetId = /data-widget="([^"]+)"/.exec(code)?.[1]
    expect(await leadsOf(agent)).toMatchObject([{ name: 'Eva Pérez', source: `widget:${widgetId}` }])
    expect(client.complaints.filter(one => !one.includes('favicon'))).toEqual([])

    await desk.open('/portal/leads?view=table')
    await desk.page.getByRole('link', { name: 'Eva Pérez' }).first().click()
    await desk.page.getByText('Widget en tu sitio').waitFor()
    await client.context.close()
    await desk.context.close()
  })

  it('shows the agent’s listings, which open in a new tab', async () => {
    const agent = await owner()
    await walk.exchange.published(agent, { title: 'Casa del widget' })
    await walk.exchange.search.refresh()
    const value = { name: 'Mis casas', kind: 'listings' as const, domains: ['127.0.0.1'] }
    const id = await createWidget(walk.exchange.db, agent.id, { value, issues: [] })
    const client = await walk.visit(way)
    await client.page.goto(publish('/propiedades', codeOf(id)))
    const [tab] = await Promise.all([
      client.context.waitForEvent('page'),
      client.page.frameLocator('iframe').getByRole('link', { name: 'Casa del widget' }).click(),
    ])
    await tab.waitForLoadState()
    expect(new URL(tab.url()).pathname).toMatch(/^\/propiedades\/casa-del-widget/)
    // Outside the sandbox: the page works like any other.
    expect(await tab.locator('h1').textContent()).toContain('Casa del widget')
    expect(new URL(client.page.url()).pathname).toBe('/propiedades')
    await client.context.close()
  })

  it('does not appear on a site that is not on its list, nor when it is off', async () => {
    const agent = await owner()
    const value = { name: 'Contacto', kind: 'inquiry' as const, domains: ['127.0.0.1'] }
    const id = await createWidget(walk.exchange.db, agent.id, { value, issues: [] })
    const client = await walk.visit(way)
    const shownAt = async (url: string) => {
      await client.page.goto(url)
      await client.page.waitForSelector('iframe', { state: 'attached' })
      const answer = await client.page
        .frameLocator('iframe')
        .getByLabel('Tu nombre')
        .waitFor({ timeout: 2_500 })
        .then(
          () => true,
          () => false,
        )
      return answer
    }
    expect(await shownAt(publish('/aqui', codeOf(id)))).toBe(true)
    expect(await shownAt(publish('/alla', codeOf(id), 'localhost'))).toBe(false)
    // The empty frame is hidden.
    await client.page.waitForSelector('iframe', { state: 'hidden' })
    await walk.exchange.db.updateTable('widgets').set({ active: false }).where('id', '=', id).execute()
    expect(await shownAt(publish('/apagado', codeOf(id)))).toBe(false)
    await client.page.waitForSelector('iframe', { state: 'hidden' })
    await client.context.close()
  })
})

describe('without JavaScript', () => {
  it('shows a link to the agent’s page in place of the widget', async () => {
    const agent = await owner()
    const desk = await walk.visit({ width: 1280, scripts: true })
    await desk.signIn(agent.email, PASSWORD)
    const value = { name: 'Contacto', kind: 'inquiry' as const, domains: ['127.0.0.1'] }
    const id = await createWidget(walk.exchange.db, agent.id, { value, issues: [] })
    await desk.open(`/portal/widgets/${id}`)
    const code = await desk.page.getByLabel('Código del widget').inputValue()
    const client = await walk.visit({ width: 390, scripts: false })
    await client.page.goto(publish('/sin', code))
    await client.page.getByRole('link', { name: 'Escribe a Olga Owner' }).click()
    expect(new URL(client.page.url()).pathname).toBe(`/agentes/${agent.slug}`)
    await client.context.close()
    await desk.context.close()
  })
})

describe.each([
  { width: 1280, dark: false },
  { width: 390, dark: true },
] as const)('every screen at $width pixels, dark $dark', ({ width, dark }) => {
  it('passes axe-core and is not wider than the screen', async () => {
    const { exchange } = walk
    const agent = await owner()
    const listing = await exchange.published(agent, { address: 'Av. Pablo Neruda 2711' })
    const collection = await createCollection(exchange.db, agent.id, {
      value: { title: 'Casas', message: 'Un mensaje' },
      issues: [],
    })
    await exchange.db
      .insertInto('collection_listings')
      .values({ collection_id: collection, listing_id: listing.id, position: 1 })
      .execute()
    const { token } = await exchange.db
      .selectFrom('collections')
      .select('token')
      .where('id', '=', collection)
      .executeTakeFirstOrThrow()
    const widgets = await Promise.all(
      (['listings', 'inquiry'] as const).map(kind =>
        createWidget(exchange.db, agent.id, {
          value: { name: kind, kind, domains: ['www.example.com'] },
          issues: [],
        }),
      ),
    )
    for (const [i, status] of (['confirmed', 'cancelled', 'done', 'no_show'] as const).entries()) {
      const person = { name: `Persona ${i}`, phone: '3312345678' }
      const origin = { source: 'site', listingId: listing.id }
      const lead = await receiveLead(exchange.db, agent.id, { value: person, issues: [] }, origin)
      await exchange.db
        .updateTable('leads')
        .set({ tour_status: status, showing_at: new Date(clock.now + (i - 1) * 24 * 3_600_000) })
        .where('id', '=', lead.id)
        .execute()
    }
    await exchange.search.refresh()
    const walker = await walk.visit({ width, scripts: true }, dark)
    for (const path of [
      `/c/${token}`,
      `/en/c/${token}`,
      `/c/${token}/contacto`,
      `/c/${token}/gracias?r=info`,
      ...widgets.flatMap(id => [`/widget/${id}`, `/widget/${id}?theme=dark`, `/widget/${id}?theme=auto`]),
    ])
      await walker.open(path)
    await walker.signIn(agent.email, PASSWORD)
    for (const path of [
      '/portal/calendar',
      '/portal/collections',
      `/portal/collections/${collection}`,
      `/portal/collections/${collection}?of=all&q=nada+asi`,
      '/portal/widgets',
      `/portal/widgets/${widgets[0]}`,
    ])
      await walker.open(path)
    await walker.context.close()
  })
})
