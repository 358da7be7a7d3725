import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTiles } from '../../scripts/make-tiles.ts'
import { assignAgency, createAgency } from '../../src/agents/operator/service.ts'
import { addTask } from '../../src/leads/contacts/service.ts'
import { receiveLead } from '../../src/leads/service.ts'
import { importPlaces } from '../../src/places/service.ts'
import { openBrowser } from '../support/browser.ts'
import { useExchange } from '../support/exchange.ts'
import { listen } from '../support/socket.ts'
import { PASSWORD } from '../support/visitor.ts'

const folder = mkdtempSync(join(tmpdir(), 'lonja-tiles-'))
const mapPmtiles = join(folder, 'mexico.pmtiles')
writeFileSync(mapPmtiles, makeTiles())
afterAll(() => rmSync(folder, { recursive: true }))

const exchange = useExchange({ publicUrl: 'http://localhost', mapPmtiles })
let browser: Browser
let base: string
let axe: string

const PROVIDENCIA =
  'MX\t44630\tProvidencia\tJalisco\t14\tGuadalajara\t039\tGuadalajara\t01\t20.6985\t-103.3895\t1'

beforeAll(async () => {
  await importPlaces(exchange.db, PROVIDENCIA)
  browser = await openBrowser()
  base = `http://localhost:${await listen(exchange)}`
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
})
afterAll(() => browser?.close())

const WAYS = [
  { width: 1280, javaScript: true },
  { width: 390, javaScript: true },
  { width: 1280, javaScript: false },
  { width: 390, javaScript: false },
]

/** A signed-in agent's browser. Any console error fails the walk. */
async function enter({ width, javaScript }: (typeof WAYS)[number], more: BrowserContextOptions = {}) {
  const agent = await exchange.agent({ password: PASSWORD })
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    javaScriptEnabled: javaScript,
    ...more,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', error => complaints.push(`${page.url()}: ${error.message}`))
  await page.goto(`${base}/portal/sign-in`)
  await page.fill('[name=email]', agent.email)
  await page.fill('[name=password]', PASSWORD)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL(`${base}/portal`)
  return { agent, page, complaints }
}

async function objections(page: Page): Promise<unknown[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe is put there by the line above
    const result = await (globalThis as any).axe.run()
    return result.violations.map((one: { id: string; nodes: { html: string }[] }) => [
      one.id,
      one.nodes.map(node => node.html.slice(0, 200)),
    ])
  })
}

const picture = async (name: string, background: string) => ({
  name,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer(),
})

const statusOf = async (id: string) =>
  (await exchange.db.selectFrom('listings').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status

/** The first photo is stored, and the connection breaks before the answer. */
async function loseFirstAnswer(page: Page): Promise<void> {
  await page.route(
    '**/photos',
    async route => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
}

describe.each(WAYS)('at $width pixels, JavaScript $javaScript', way => {
  it('goes from an empty inventory to a sold house', async () => {
    const { agent, page, complaints } = await enter(way)
    await page.goto(`${base}/portal/listings`)
    await page.click('text=Nueva propiedad')
    await page.fill('[name=title]', 'Casa con jardín en Providencia')
    await page.selectOption('[name=state]', 'Jalisco')
    await page.fill('[name=city]', 'Guadalajara')
    await page.fill('[name=sale_price]', '4,500,000')
    await page.check('label:has-text("Alberca") input >> nth=0')
    if (way.javaScript) await page.waitForSelector('#preview:has-text("$4,500,000 MXN")')
    await page.click('text=Guardar borrador')
    await page.waitForURL(/\/photos$/)
    const id = /listings\/([^/]+)/.exec(page.url())?.[1] as string

    await page.setInputFiles('[name=photos]', [
      await picture('roja.jpg', '#a22'),
      await picture('verde.jpg', '#2a2'),
    ])
    if (way.javaScript) await loseFirstAnswer(page)
    await page.click('#upload >> text=Subir')
    await page.waitForSelector('#arrange li:nth-child(2)')
    expect(await page.locator('#arrange [name=photo]').count()).toBe(2)
    if (way.javaScript) expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_FAILED')])
    const order = () =>
      page.locator('#arrange [name=photo]').evaluateAll(all => all.map(one => one.getAttribute('value')))
    const [first, second] = await order()
    if (way.javaScript) await dragSecondToFront(page)
    else await page.click('#arrange li:nth-child(2) button:has-text("Portada")')
    await page.waitForSelector(`#arrange li:first-child [value="${second}"]`, { state: 'attached' })
    expect(await order()).toEqual([second, first])

    await page.click('text=Editar')
    if (way.javaScript) await placePin(page)
    else {
      await page.fill('[name=neighborhood]', 'Providencia')
      await page.click('text=Ubicar por colonia o código postal')
      expect(await page.inputValue('[name=lat]')).toBe('20.6985')
    }
    await page.click('text=Guardar cambios')
    await page.waitForURL(new RegExp(`listings/${id}$`))
    const row = await exchange.db
      .selectFrom('listings')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.lat).not.toBeNull()
    expect(row.features).toEqual(['Alberca'])

    await page.click('button:has-text("Publicar")')
    await page.waitForSelector('text=Publicada: ya está visible en la bolsa.')
    const found = await fetch(`${base}/api/v1/properties`, {
      headers: { authorization: `Bearer ${agent.key}` },
    })
    expect((await found.json()).content[0]).toMatchObject({ id, status: 'published' })

    await page.goto(`${base}/portal/listings`)
    await page.check('[name=id]')
    await page.click('text=Editar varias')
    await page.fill('[name=price_by]', '-10')
    await page.click('text=Ver vista previa')
    await page.waitForSelector('text=$4,500,000 → $4,050,000')
    await page.click('text=Aplicar a 1')
    await page.click('text=Cambiadas (1) >> xpath=ancestor::section >> a')

    await page.click('button:has-text("Marcar como vendida")')
    await page.waitForSelector('text=¡Felicidades por la venta!')
    expect(await statusOf(id)).toBe('sold')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('changes a lead’s stage from the board and from its page', async () => {
    const { agent, page, complaints } = await enter(way)
    const person = { name: 'María López', phone: '33 1234 5678', message: '¿Sigue disponible?' }
    const lead = await receiveLead(exchange.db, agent.id, { value: person, issues: [] }, { source: 'site' })
    await page.goto(`${base}/portal/leads`)
    await page.selectOption('[data-lead] select', 'contacted')
    if (!way.javaScript) await page.click('[data-lead] >> text=Mover')
    await page.waitForSelector('[data-stage=contacted] >> text=María López')
    await page.click('text=María López')
    await page.fill('[name=note]', 'Quiere verla el sábado')
    await page.click('text=Agregar nota')
    await page.waitForSelector('li:has-text("Quiere verla el sábado")')
    expect(await page.getAttribute('text=WhatsApp', 'href')).toMatch(/^https:\/\/wa\.me\/523312345678/)
    await page.click('text=Contacto y tareas')
    await page.fill('[name=task]', 'Llamar el viernes')
    await page.fill('[name=due_at]', '2026-01-05T10:30')
    await page.click('text=Agregar tarea')
    await page.waitForSelector('text=Tarea vencida')
    await page.goto(`${base}/portal/tasks`)
    await page.click('button:has-text("Hecha")')
    await page.waitForSelector('text=Sin tareas pendientes')
    const told = (await exchange.events(lead.id)).map(({ event }) => event)
    expect(told).toEqual(['lead.created', 'lead.updated'])
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe.each([
  { width: 1280, colorScheme: 'light' as const },
  { width: 390, colorScheme: 'dark' as const },
])('every screen, $width pixels and $colorScheme', ({ width, colorScheme }) => {
  it('passes axe-core and does not scroll sideways', async () => {
    const { agent, page } = await enter({ width, javaScript: true }, { colorScheme })
    const listing = await exchange.published(agent, {
      description: 'Una casa',
      rent_price: 9_000,
      features: ['Jardín'],
    })
    await exchange.listing(agent)
    await exchange.setStatus((await exchange.listing(agent)).id, 'expired')
    await exchange.put(`/properties/${listing.id}`, agent.key, { bedrooms: 3 })
    await exchange.post(`/properties/${listing.id}/images`, agent.key, { urls: ['https://a.example/1.jpg'] })
    const lead = (
      await exchange.post('/leads', agent.key, {
        name: 'María',
        email: 'm@example.com',
        property_id: listing.id,
      })
    ).body
    const tour = await receiveLead(
      exchange.db,
      agent.id,
      { value: { name: 'Pedro' }, issues: [] },
      { source: 'site', tour: { at: null } },
    )
    const colleague = await exchange.agent({ name: 'Luis Colega' })
    const agency = await createAgency(exchange.db, `Casa Grande ${width}`)
    await assignAgency(exchange.db, agent.id, agency.id, true)
    await assignAgency(exchange.db, colleague.id, agency.id, false)
    await addTask(exchange.db, agent.id, lead.id, {
      value: { task: 'Llamar', due_at: new Date('2026-01-05T16:30:00Z') },
      issues: [],
    })
    const screens = [
      '/listings',
      '/listings?view=cards',
      '/listings?q=nothing-like-that',
      '/listings/new',
      ...['', '/edit', '/photos', '/history'].map(part => `/listings/${listing.id}${part}`),
      '/leads',
      '/leads?view=table',
      `/leads/${lead.id}`,
      `/leads/${tour.id}`,
      `/leads/${lead.id}/erase`,
      '/contacts',
      `/contacts/${lead.id}`,
      '/tasks',
      '/team',
      '/team/listings',
      '/team/leads',
    ]
    const found: unknown[] = []
    const judge = async (screen: string) => {
      found.push(...(await objections(page)).map(one => [screen, one]))
      const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      if (isTooWide) found.push([screen, 'scrolls sideways'])
    }
    for (const screen of screens) {
      await page.goto(`${base}/portal${screen}`)
      await judge(screen)
    }
    await page.goto(`${base}/portal/listings`)
    for (const box of await page.locator('[name=id]').all()) await box.check()
    await page.click('text=Editar varias')
    await judge('bulk edit')
    await page.fill('[name=price_by]', '-10')
    await page.selectOption('[name=price_of]', 'rent')
    await page.fill('[name=text]', 'Se aceptan créditos.')
    await page.click('text=Ver vista previa')
    await judge('bulk edit, preview')
    await page.click('text=Aplicar a')
    await judge('bulk edit, result')
    expect(found).toEqual([])
    await page.context().close()
  })
})

/** By its handle, with a mouse or a finger. */
async function dragSecondToFront(page: Page): Promise<void> {
  const center = async (selector: string) => {
    await page.locator(selector).scrollIntoViewIfNeeded()
    const box = await page.locator(selector).boundingBox()
    if (!box) throw new Error(`${selector} is not to be seen`)
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  }
  const start = await center('#arrange li:nth-child(2) [data-handle]')
  const target = await page.locator('#arrange li:first-child').boundingBox()
  if (!target) throw new Error('there is no first photo')
  await page.mouse.move(...start)
  await page.mouse.down()
  await page.mouse.move(target.x + target.width / 2, target.y + target.height - 20, { steps: 6 })
  await page.mouse.up()
}

/** The pin follows the neighborhood; then it is moved by a pasted link, a click and the keyboard. */
async function placePin(page: Page): Promise<void> {
  const longitude = async () => Number(await page.inputValue('[name=lng]'))
  await page.fill('[name=neighborhood]', 'Providencia')
  await page.press('[name=neighborhood]', 'Tab')
  await page.waitForSelector('text=Punto aproximado, en medio de la colonia')
  expect(await longitude()).toBe(-103.3895)
  await page.fill('[name=lat]', 'https://www.google.com/maps/@20.6911,-103.3782,17z')
  await page.waitForSelector('text=El punto es el que pegaste')
  expect(await longitude()).toBe(-103.3782)
  await page.locator('[data-pin] canvas.leaflet-tile-loaded').first().waitFor()
  const map = page.locator('[data-pin] [role=application]')
  await map.click({ position: { x: 60, y: 60 } })
  const clicked = await longitude()
  expect(clicked).toBeLessThan(-103.3782)
  await map.press('Enter')
  expect(await longitude()).toBeCloseTo(-103.3782, 3)
  const centered = await longitude()
  await page.locator('[data-pin] .leaflet-marker-draggable').press('ArrowRight')
  expect(await longitude()).toBeGreaterThan(centered)
}
