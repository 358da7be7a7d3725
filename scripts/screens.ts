/** Retakes the screenshots in docs/screens, of the demo market in Chromium: npm run screens [-- import] for those whose names begin so. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../src/demo/access.ts'
import { freePort } from '../src/lib/free-port.ts'
import { openBrowser } from '../test/support/browser.ts'
import { messySheet, sheetOf } from '../test/support/messy.ts'
import { xlsx } from '../test/support/spreadsheets.ts'

const FOLDER = 'docs/screens'
const MOST_BYTES = 80_000
const DESK = { width: 1280, height: 800, shown: 900 }
/** A page whose upper part is captured. */
const TALL = { ...DESK, height: 1150 }
const PHONE = { width: 390, height: 844, shown: 390 }

interface Screen {
  name: string
  size: typeof DESK
  /** Opens the page and waits until everything is visible. */
  open(page: Page): Promise<unknown>
}

const SCREENS: Screen[] = [
  { name: 'home', size: DESK, open: page => page.goto('/') },
  { name: 'results', size: DESK, open: openResults },
  {
    name: 'listing',
    size: TALL,
    async open(page) {
      await openResults(page)
      await page.locator('.listing-card a').first().click()
      await page.locator('.gallery').waitFor()
    },
  },
  { name: 'portal', size: DESK, open: page => page.goto('/portal') },
  {
    name: 'listing-form',
    size: PHONE,
    async open(page) {
      await page.goto('/portal/listings')
      const path = await page
        .locator('main a[href^="/portal/listings/"]:not([href$="/new"])')
        .first()
        .getAttribute('href')
      await page.goto(`${path}/edit`)
    },
  },
  { name: 'leads', size: DESK, open: page => page.goto('/portal/leads') },
  // One import, from the file to the listings: each picture goes on where the one before ended.
  { name: 'import-file', size: DESK, open: page => page.goto('/portal/import') },
  {
    name: 'import-columns',
    size: DESK,
    async open(page) {
      await page.goto('/portal/import')
      const messy = messySheet(300, { merged: true })
      const buffer = await xlsx(sheetOf(messy), { merges: messy.merges })
      await page.setInputFiles('[name=file]', { name: 'Inventario 2026.xlsx', mimeType: '', buffer })
      await page.getByRole('button', { name: 'Leer archivo' }).click()
      await page.getByRole('button', { name: 'Revisar las filas' }).waitFor()
    },
  },
  {
    name: 'import-check',
    size: TALL,
    async open(page) {
      await openNewest(page)
      await page.getByRole('button', { name: 'Revisar las filas' }).click()
      await page.getByRole('button', { name: /^Importar/ }).waitFor()
      await page.goto(`${page.url()}?result=refused`)
    },
  },
  {
    name: 'import-run',
    size: DESK,
    async open(page) {
      await openNewest(page)
      await page.getByRole('button', { name: /^Importar/ }).click()
      await page.getByRole('button', { name: 'Detener' }).or(page.getByText('Detener')).first().waitFor()
    },
  },
  {
    name: 'import-done',
    size: DESK,
    async open(page) {
      await openNewest(page)
      await page.getByText('Importación terminada').waitFor({ timeout: 120_000 })
    },
  },
  { name: 'import-listings', size: DESK, open: page => page.goto('/portal/listings') },
]

async function openNewest(page: Page): Promise<void> {
  await page.goto('/portal/import')
  await page.locator('main li a').first().click()
}

async function openResults(page: Page): Promise<void> {
  await page.goto('/propiedades?operation=sale&state=Jalisco')
  await page.locator('.map-cluster, .map-price').first().waitFor()
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/portal/sign-in')
  await page.fill('[name=email]', DEMO_ACCOUNTS.agent)
  await page.fill('[name=password]', DEMO_PASSWORD)
  await page.press('[name=password]', 'Enter')
  await page.waitForURL('**/portal')
}

async function take(browser: Browser, base: string, { name, size, open }: Screen): Promise<void> {
  const { width, height, shown } = size
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width, height },
    deviceScaleFactor: size === PHONE ? 1.5 : 1,
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
  })
  const page = await context.newPage()
  await signIn(page)
  await open(page)
  await page.waitForLoadState('networkidle')
  // Images and the map fade in.
  await sleep(500)
  const path = join(FOLDER, `${name}.webp`)
  const picture = await smallest(await page.screenshot(), shown)
  await writeFile(path, picture)
  console.log(`${path}: ${Math.round(picture.length / 1000)} KB`)
  await context.close()
}

/** The best quality that is small enough for a text page. */
async function smallest(png: Buffer, width: number): Promise<Buffer> {
  for (let quality = 85; quality > 20; quality -= 5) {
    const picture = await sharp(png).resize({ width }).webp({ quality, effort: 6 }).toBuffer()
    if (picture.length <= MOST_BYTES) return picture
  }
  throw new Error('the picture does not get small enough')
}

const data = await mkdtemp(join(tmpdir(), 'lonja-screens-'))
const port = await freePort('127.0.0.1')
const base = `http://127.0.0.1:${port}`
const server = spawn(process.execPath, ['--import', 'tsx', 'src/cli.ts', 'demo'], {
  env: { ...process.env, PORT: String(port), LONJA_DATA: data },
  stdio: ['ignore', 'ignore', 'inherit'],
})
try {
  const isReady = () =>
    fetch(`${base}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (server.exitCode !== null) throw new Error('the demo did not start')
    await sleep(200)
  }
  await mkdir(FOLDER, { recursive: true })
  const browser = await openBrowser()
  const [only = ''] = process.argv.slice(2)
  for (const screen of SCREENS.filter(({ name }) => name.startsWith(only))) await take(browser, base, screen)
  await browser.close()
} finally {
  if (server.exitCode === null) {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  await rm(data, { recursive: true, force: true })
}
