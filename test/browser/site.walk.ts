import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTiles } from '../../scripts/make-tiles.ts'
import { buildApp } from '../../src/app.ts'
import { loadDemo } from '../../src/demo/load.ts'
import { openBrowser } from '../support/browser.ts'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'
import { paintOf, PHONE as SMALL } from '../support/paint.ts'

const exchange = useExchange()
let browser: Browser
let base: string

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

beforeAll(async () => {
  await loadDemo(exchange.db, () => {})
  await exchange.search.refresh()
  await exchange.app.listen({ host: '127.0.0.1', port: 0 })
  base = `http://127.0.0.1:${(exchange.app.server.address() as AddressInfo).port}`
  browser = await openBrowser()
})
afterAll(() => browser?.close())

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const DESKTOP = { viewport: { width: 1280, height: 900 } }

/** A page on which any script error or failed request to this server fails the test. */
async function open(options: BrowserContextOptions): Promise<{ page: Page; faults: string[] }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') faults.push(message.text())
  })
  return { page, faults }
}

async function expectAccessible(page: Page) {
  // With evaluate, because the Content-Security-Policy blocks script elements.
  await page.evaluate(AXE)
  const found = await page.evaluate(async () => {
    // @ts-expect-error: axe has just been loaded, in the browser
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations.map(
      (one: { id: string; nodes: { html: string }[] }) => `${one.id}: ${one.nodes[0]?.html.slice(0, 160)}`,
    )
  })
  expect(found, page.url()).toEqual([])
}

/** The color in the middle of a canvas, run in the browser. */
const colorIn = (canvas: HTMLElement | SVGElement): string => {
  const { width, height } = canvas as unknown as { width: number; height: number }
  // biome-ignore lint/suspicious/noExplicitAny: a canvas, of whose types the tests know nothing
  const [r, g, b] = (canvas as any).getContext('2d').getImageData(width / 2, height / 2, 1, 1).data
  return `rgb(${r}, ${g}, ${b})`
}

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

describe.each([
  ['desktop', DESKTOP, true],
  ['phone', PHONE, true],
  ['desktop without JavaScript', { ...DESKTOP, javaScriptEnabled: false }, false],
  ['phone without JavaScript', { ...PHONE, javaScriptEnabled: false }, false],
])('on a %s', (_name, options, hasScripts) => {
  it('searches, filters, opens map, listing and agent, and goes back with the filters kept', async () => {
    const { page, faults } = await open(options)
    await page.goto(base)
    await page.locator('.welcome-search input[name=ask]').fill('casa')
    // As people do, and as selecting does not: what is suggested would otherwise cover the button.
    await page.locator('.welcome-search select[name=state]').focus()
    await page.locator('.welcome-search select[name=state]').selectOption('Jalisco')
    await page.locator('.welcome-search button').click()
    await page.waitForURL(/\/propiedades\?/)
    const first = new URL(page.url()).searchParams
    expect(['type', 'state', 'operation', 'asked'].map(name => first.get(name))).toEqual([
      'house',
      'Jalisco',
      'sale',
      'casa',
    ])
    expect([...first.values()]).not.toContain('')

    const toggle = page.locator('#filtros')
    const isSheet = await toggle.isVisible()
    if (isSheet) await toggle.check()
    await page.locator('.search-main select[name=min_bedrooms]').selectOption('2')
    await page.locator(isSheet ? '.search-foot button' : '.search-main button').click()
    await page.waitForURL(/min_bedrooms=2/)
    const filtered = page.url()
    expect(new URL(filtered).searchParams.get('type')).toBe('house')
    expect(await page.locator('.listing-card').count()).toBeGreaterThan(0)

    const map = page.locator('#mapa .map-box')
    await map.scrollIntoViewIfNeeded()
    if (hasScripts) await page.locator('.map-cluster, .map-price').first().waitFor()
    else expect(await map.locator('img').getAttribute('src')).toContain('/mapa.svg?')

    const card = page.locator('.listing-card a').first()
    const title = (await card.textContent()) as string
    await card.click()
    await page.waitForURL(/\/propiedades\/[^?]+$/)
    expect(await page.locator('h1').textContent()).toBe(title)
    const listing = page.url()

    await page.locator('.agent-card a').first().click()
    await page.waitForURL(/\/agentes\//)
    expect(await page.locator('.listing-card').count()).toBeGreaterThan(0)
    await page.goBack()
    expect(page.url()).toBe(listing)
    if (hasScripts) await page.locator('a[data-back]').click()
    else await page.goBack()
    await page.waitForURL(filtered)
    expect(await page.locator('.search-main select[name=min_bedrooms]').inputValue()).toBe('2')
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('with scripts', () => {
  it('completes the search box with the keyboard and with the pointer', async () => {
    for (const options of [DESKTOP, PHONE]) {
      const { page, faults } = await open(options)
      await page.goto(base)
      const box = page.getByRole('combobox', { name: '¿Qué buscas?' })
      await box.pressSequentially('casa en guadalaj')
      const choices = page.getByRole('listbox').getByRole('option')
      await choices.filter({ hasText: 'Guadalajara, Jalisco' }).waitFor()
      expect(await box.getAttribute('aria-expanded')).toBe('true')
      await expectAccessible(page)
      expect(await overflow(page)).toBe(0)
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/suggest-${options.viewport.width}.png` })
      await box.press('ArrowDown')
      expect(await box.getAttribute('aria-activedescendant')).toBe(await choices.first().getAttribute('id'))
      await box.press('Escape')
      expect(await box.getAttribute('aria-expanded')).toBe('false')
      await box.press('x')
      await box.press('Backspace')
      await choices.first().waitFor()
      await box.press('ArrowDown')
      await box.press('Enter')
      await page.waitForURL(/place=Guadalajara/)
      expect(new URL(page.url()).searchParams.get('type')).toBe('house')

      await page.goto(`${base}/en`)
      await page.getByRole('combobox', { name: 'What are you looking for?' }).pressSequentially('pool')
      await choices.filter({ hasText: 'Swimming pool' }).first().click()
      await page.waitForURL(/features=Alberca/)
      expect(faults).toEqual([])
      await page.context().close()
    }
  })

  it('draws streets from a PMTiles file, in light and dark, and only where a map is looked at', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lonja-tiles-'))
    const mapPmtiles = join(folder, 'mexico.pmtiles')
    await writeFile(mapPmtiles, makeTiles())
    const { db, search, files } = exchange
    const logger = pino({ level: 'silent' })
    const settings = { publicUrl: PUBLIC_URL, rateLimit: 1000, trustProxy: [], mapPmtiles }
    const app = await buildApp({ db, search, files, logger, loop: { delayMs: 0 }, ...settings })
    const street = await app.listen({ host: '127.0.0.1', port: 0 })
    const colors: string[] = []
    for (const options of [DESKTOP, { ...DESKTOP, colorScheme: 'dark' as const }]) {
      const { page, faults } = await open(options)
      const asked: string[] = []
      page.on('request', request => asked.push(new URL(request.url()).pathname))
      await page.goto(`${street}/propiedades?state=Jalisco#vista=20.68,-103.38,9`)
      await page.locator('canvas.leaflet-tile-loaded').first().waitFor()
      await page.locator('.map-cluster, .map-price').first().waitFor()
      // Inside of Jalisco: all of it is land.
      colors.push(await page.locator('canvas.leaflet-tile-loaded').first().evaluate(colorIn))
      expect(await page.locator('.leaflet-control-attribution').textContent()).toContain('© OpenStreetMap')
      expect(asked.some(path => path.endsWith('mexico.json'))).toBe(false)
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/streets-${colors.length}.png` })
      expect(faults).toEqual([])
      await page.context().close()
    }
    expect(colors).toEqual(['rgb(226, 223, 218)', 'rgb(31, 31, 31)'])

    const { page } = await open(PHONE)
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    await page.goto(`${street}/propiedades`)
    await page.locator('.map-box.is-live').waitFor({ state: 'attached' })
    expect(asked.filter(path => /protomaps|pmtiles/.test(path))).toEqual([])
    await page.getByRole('button', { name: 'Mapa', exact: true }).click()
    await page.locator('canvas.leaflet-tile-loaded').first().waitFor()

    // Without the file, the map of the country.
    await page.route('**/*.pmtiles', route => route.abort())
    await page.goto(`${street}/propiedades?state=Jalisco#vista=20.68,-103.38,9`)
    await page.locator('.map-city').first().waitFor({ state: 'attached' })
    await page.context().close()
    await app.close()
    await rm(folder, { recursive: true })
  })

  it('searches the visible map area', async () => {
    const { page, faults } = await open(DESKTOP)
    await page.goto(`${base}/propiedades?operation=sale`)
    await page.locator('.map-cluster').first().waitFor()
    const before = Number((await page.locator('.results-total').textContent())?.replace(/\D/g, ''))
    await page.locator('.leaflet-control-zoom-in').click()
    await page.locator('.map-area').click()
    await page.waitForURL(/sw_lat=/)
    const after = Number((await page.locator('.results-total').textContent())?.replace(/\D/g, ''))
    expect(after).toBeGreaterThan(0)
    expect(after).toBeLessThan(before)
    expect(new URL(page.url()).searchParams.get('operation')).toBe('sale')
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('keeps the view, never covers a mark with another, and shows the photo and the circle of the chosen one', async () => {
    const { page, faults } = await open(DESKTOP)
    await page.goto(`${base}/propiedades?state=Jalisco#vista=20.67,-103.38,12`)
    const marks = page.locator('.map-cluster, .map-price span')
    await marks.first().waitFor()
    await page.locator('.leaflet-control-zoom-in').click()
    await page.locator('.map-area').click()
    await page.waitForURL(/sw_lat=.*#vista=20\.67000,-103\.38000,13$/)
    await marks.first().waitFor()
    await expect.poll(async () => (await page.locator('.map-price').count()) > 0).toBe(true)
    const boxes = await Promise.all((await marks.all()).map(mark => mark.boundingBox()))
    for (const [i, one] of boxes.entries())
      for (const two of boxes.slice(i + 1))
        if (one && two)
          expect(
            one.x < two.x + two.width &&
              two.x < one.x + one.width &&
              one.y < two.y + two.height &&
              two.y < one.y + one.height,
          ).toBe(false)
    // The pins of the cards in the list, and no others.
    const cards = await page.locator('.results-list h2').allTextContents()
    const pins = page.locator('.map-price.is-listed')
    expect(await pins.count()).toBeGreaterThan(0)
    for (const pin of await pins.all()) expect(cards).toContain(await pin.getAttribute('title'))
    expect(await page.locator('.leaflet-overlay-pane path').count()).toBe(0)
    await page.locator('.map-price').first().focus()
    await page.keyboard.press('Enter')
    await page.locator('.map-card img').waitFor()
    expect(await page.locator('.leaflet-overlay-pane path').count()).toBeLessThanOrEqual(1)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('draws an area, and keeps it with other filters', async () => {
    const { page, faults } = await open(DESKTOP)
    await page.goto(`${base}/propiedades?operation=sale`)
    await page.locator('.map-cluster').first().waitFor()
    await page.getByRole('button', { name: 'Dibujar zona' }).click()
    const box = (await page.locator('#mapa .map-box').boundingBox()) as {
      x: number
      y: number
      width: number
    }
    const center = { x: box.x + box.width / 2, y: box.y + 380 }
    await page.mouse.move(center.x + 150, center.y)
    await page.mouse.down()
    for (let turn = 1; turn <= 12; turn++) {
      const angle = (turn / 12) * 2 * Math.PI
      await page.mouse.move(center.x + 150 * Math.cos(angle), center.y + 150 * Math.sin(angle))
    }
    await page.mouse.up()
    await page.waitForURL(/polygon=/)
    await page.locator('.leaflet-overlay-pane path').waitFor()
    expect(await page.locator('.chips').textContent()).toContain('Área dibujada')
    await page.locator('.search-main select[name=min_bedrooms]').selectOption('2')
    await page.locator('.search-main button').click()
    await page.waitForURL(/min_bedrooms=2/)
    expect(new URL(page.url()).searchParams.has('polygon')).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('says how to draw an area until one is drawn or it is turned off: a click is not an area', async () => {
    const { page, faults } = await open(DESKTOP)
    await page.goto(`${base}/propiedades?operation=sale`)
    await page.locator('.map-cluster').first().waitFor()
    const pencil = page.getByRole('button', { name: 'Dibujar zona' })
    const hint = page.getByText('Arrastra para dibujar la zona')
    expect(await hint.count()).toBe(0)
    await pencil.click()
    await hint.waitFor()
    await expectAccessible(page)
    await page.locator('#mapa .map-box').click({ position: { x: 300, y: 400 } })
    expect([await hint.isVisible(), await pencil.getAttribute('aria-pressed')]).toEqual([true, 'true'])
    await pencil.click()
    expect([await hint.count(), await pencil.getAttribute('aria-pressed')]).toEqual([0, 'false'])
    expect(new URL(page.url()).searchParams.has('polygon')).toBe(false)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('has filters as a sheet on a phone: a live total, counts beside values, targets of 44 px', async () => {
    const { page, faults } = await open(PHONE)
    await page.goto(`${base}/propiedades?state=Jalisco`)
    await page.getByText('Filtros', { exact: true }).click()
    const submit = page.locator('.search-foot button')
    await expect.poll(() => submit.textContent()).toMatch(/^Ver [\d,]+ propiedades$/)
    const before = Number((await submit.textContent())?.replace(/\D/g, ''))
    const houses = page.locator('.checks label', { hasText: 'Casas' }).first()
    await page.getByText('Más filtros').click()
    const count = Number((await houses.locator('.count').textContent())?.replace(/\D/g, ''))
    expect(count).toBeLessThan(before)
    await houses.click()
    await expect.poll(() => submit.textContent()).toMatch(new RegExp(`^Ver ${count} propiedad`))
    await page.fill('[name=max_price]', '2.5 mdp')
    await expect.poll(() => submit.textContent()).not.toMatch(new RegExp(`^Ver ${count} propiedad`))
    await expectAccessible(page)
    expect(await overflow(page)).toBe(0)
    const targets = page.locator(
      '.search-form :is(.input, .select, .btn, summary, .checks label, .search-open)',
    )
    for (const target of await targets.all()) {
      const box = await target.boundingBox()
      if (box) expect(box.height, await target.innerHTML()).toBeGreaterThanOrEqual(44)
    }
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/sheet.png` })
    const [, shown] = /^Ver ([\d,]+) /.exec((await submit.textContent()) ?? '') ?? []
    await submit.click()
    await page.waitForURL(/max_price=2\.5\+mdp/)
    expect(await page.locator('.chips').textContent()).toContain('hasta $2,500,000')
    expect(await page.locator('.results-total').textContent()).toContain(`${shown} propiedad`)
    expect(await page.locator('#filtros').isChecked()).toBe(false)
    await page.getByText('Filtros', { exact: true }).click()
    await page.locator('.search-form [name=max_price]').press('Escape')
    expect(await submit.isVisible()).toBe(false)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('switches between list and map on a phone, and keeps the place in the list', async () => {
    const { page, faults } = await open(PHONE)
    await page.goto(`${base}/propiedades`)
    await page.evaluate('scrollTo(0, 900)')
    await page.getByRole('button', { name: 'Mapa', exact: true }).click()
    await page.locator('.map-cluster').first().waitFor()
    const { height } = (await page.locator('#mapa .map-box').boundingBox()) as { height: number }
    expect(height).toBeGreaterThan(700)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Lista', exact: true }).click()
    expect(await page.evaluate('scrollY')).toBe(900)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('shows the next picture by key and by button on a phone', async () => {
    const { page } = await open(PHONE)
    await page.goto(`${base}/propiedades`)
    await page.locator('.listing-card a').first().click()
    const counter = page.locator('.gallery-counter')
    await page.locator('.gallery-row a').first().focus()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => counter.textContent()).toMatch(/^2 \//)
    await page.locator('.gallery-step.is-next').click()
    await expect.poll(() => counter.textContent()).toMatch(/^3 \//)
    await page.context().close()
  })

  it('has five pictures in a grid, price and facts above the fold, and all pictures full-screen', async () => {
    const { page, faults } = await open(DESKTOP)
    const { rows } = await exchange.pool.query(
      'select l.slug from listings l join agents a on a.id = l.agent_id where is_public(l, a) and (select count(*) from listing_images i where i.listing_id = l.id) > 5 limit 1',
    )
    await page.goto(`${base}/propiedades/${rows[0].slug}`)
    expect(await page.locator('.gallery-row figure:visible').count()).toBe(5)
    for (const part of ['.prices dd', '.big-facts li']) {
      const box = (await page.locator(part).first().boundingBox()) as { y: number; height: number }
      expect(box.y + box.height, part).toBeLessThan(900)
    }
    await page.locator('.gallery-row a').nth(1).click()
    const viewer = page.getByRole('dialog')
    const counter = viewer.locator('.viewer-counter')
    await expect.poll(() => counter.textContent()).toMatch(/^2 \//)
    await expectAccessible(page)
    await page.keyboard.press('End')
    await expect.poll(() => counter.textContent()).toMatch(/^(\d+) \/ \1$/)
    await page.keyboard.press('Escape')
    await expect.poll(() => viewer.isVisible()).toBe(false)
    expect(new URL(page.url()).pathname).toBe(`/propiedades/${rows[0].slug}`)
    await page.getByRole('button', { name: /^Ver las \d+ fotos$/ }).click()
    await viewer.waitFor()
    await page.goBack()
    await expect.poll(() => viewer.isVisible()).toBe(false)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('shows a placeholder for a picture that does not load', async () => {
    const { page } = await open(DESKTOP)
    await page.route('**/demo/pictures/**', route => route.abort())
    await page.goto(`${base}/propiedades`)
    await page.locator('.listing-picture .picture-missing').first().waitFor()
    await page.context().close()
  })

  it('keeps contact at hand on a phone, shares by menu, and prints the facts without the controls', async () => {
    const { page, faults } = await open({ ...PHONE, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${base}/propiedades`)
    await page.locator('.listing-card a').first().click()
    const bar = page.getByRole('navigation', { name: 'Contacto rápido' })
    for (const place of [0, 1200]) {
      await page.evaluate(`scrollTo(0, ${place})`)
      const { y, height } = (await bar.boundingBox()) as { y: number; height: number }
      expect(Math.round(y + height)).toBe(844)
    }
    await page.evaluate('scrollTo(0, 0)')
    await page.getByText('Compartir', { exact: true }).click()
    await page.getByRole('button', { name: 'Copiar enlace' }).click()
    await page.getByText('Enlace copiado').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(new URL(page.url()).pathname)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: 'Imprimir' }).isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    for (const hidden of ['.contact-bar', '.site-header', '#contacto'])
      expect(await page.locator(hidden).isVisible()).toBe(false)
    expect(await page.locator('.only-print').isVisible()).toBe(true)
    expect(faults).toEqual([])
    await page.context().close()
  })

  it('draws a circle for an approximate location, and a pin only for an exact one', async () => {
    const { rows } = await exchange.pool.query(
      'select l.slug, l.show_exact_address as exact from listings l join agents a on a.id = l.agent_id where is_public(l, a) and l.lat is not null',
    )
    const { page } = await open(DESKTOP)
    for (const exact of [false, true]) {
      await page.goto(`${base}/propiedades/${rows.find(row => row.exact === exact).slug}`)
      await page.locator('.map-box.is-live').waitFor()
      expect(await page.locator('.map-pin').count()).toBe(exact ? 1 : 0)
      expect(await page.locator('.leaflet-overlay-pane path').count()).toBe(exact ? 0 : 1)
    }
    await page.context().close()
  })
})

describe('prices', () => {
  it.each([
    ['desktop', DESKTOP, true],
    ['phone without JavaScript', { ...PHONE, javaScriptEnabled: false }, false],
  ])('are compared in dollars and estimated as a mortgage on a %s', async (_name, options, hasScripts) => {
    const { page, faults } = await open(options)
    await page.goto(`${base}/propiedades?operation=sale&sort=price_asc`)
    await page.getByRole('link', { name: 'dólares' }).click()
    await page.waitForURL(/price_in=USD/)
    expect(await page.locator('.currency-choice').textContent()).toMatch(/1 dólar = \$17\.25 MXN/)
    expect(await page.locator('.listing-card').first().textContent()).toMatch(/MXN ≈ .*USD/)
    await page.locator('.listing-card h2 a').first().click()
    const monthly = page.locator('[data-monthly]')
    const before = await monthly.textContent()
    await page.getByLabel('Plazo (años)').fill('10')
    if (!hasScripts) await page.getByRole('button', { name: 'Calcular' }).click()
    await expect.poll(() => monthly.textContent()).not.toBe(before)
    const estimate = await monthly.textContent()
    if (hasScripts) {
      await page.goto(`${page.url()}?years=10`)
      expect(await monthly.textContent(), 'script and server agree').toBe(estimate)
    }
    expect(await overflow(page)).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
  })
})

describe('on a phone', () => {
  it('home, results and listing hardly shift, and results weigh at most 350 KB without photos', async () => {
    const { rows } = await exchange.pool.query(
      'select l.slug from listings l join agents a on a.id = l.agent_id where is_public(l, a) order by l.id limit 1',
    )
    for (const path of ['/', '/propiedades', `/propiedades/${rows[0].slug}`]) {
      const { page } = await open(SMALL)
      const { shift, rest } = await paintOf(page, base + path, false)
      expect(shift, path).toBeLessThan(0.01)
      expect(rest, path).toBeGreaterThan(10_000)
      expect(rest, path).toBeLessThan(350 * 1024)
      await page.context().close()
    }
  })
})

describe('axe-core finds no violations', () => {
  const paths = async () => {
    const { rows } = await exchange.pool.query(
      'select l.slug, a.slug as agent from listings l join agents a on a.id = l.agent_id where is_public(l, a) order by l.id limit 1',
    )
    return [
      '/',
      '/en',
      '/propiedades?operation=sale&state=Jalisco',
      '/propiedades?q=submarino&min_bedrooms=4',
      '/propiedades?min_price=x&state=Texas',
      `/propiedades/${rows[0].slug}`,
      `/en/propiedades/${rows[0].slug}`,
      `/agentes/${rows[0].agent}`,
      '/agentes',
      '/inmobiliarias',
      '/inmobiliarias/casa-abierta-inmobiliaria',
      '/mx',
      '/mx/jalisco',
      '/mx/jalisco/guadalajara',
      '/no-such-page',
    ]
  }

  it.each([
    ['light', 'desktop', DESKTOP],
    ['dark', 'phone', PHONE],
    ['light', 'phone', PHONE],
  ] as const)('in %s colors on a %s', async (colorScheme, _name, options) => {
    const { page } = await open({ ...options, colorScheme })
    for (const path of await paths()) {
      await page.goto(base + path, { waitUntil: 'load' })
      await expectAccessible(page)
      expect(await overflow(page), `${path} is wider than the screen`).toBe(0)
    }
    await page.context().close()
  })
})
