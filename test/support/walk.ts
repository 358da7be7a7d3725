import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { openBrowser } from './browser.ts'
import { type Exchange, type ExchangeOptions, openExchange } from './exchange.ts'

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** How a screen must work: on a desktop and on a phone, with scripts and without. */
export const WAYS = [
  { name: 'on a desk', width: 1280, scripts: true },
  { name: 'on a phone', width: 390, scripts: true },
  { name: 'on a desk without JavaScript', width: 1280, scripts: false },
  { name: 'on a phone without JavaScript', width: 390, scripts: false },
] as const
export type Way = (typeof WAYS)[number]

/** A listening exchange and a real browser, for the file's tests. */
export function useWalk(options: ExchangeOptions = {}) {
  let opened: Awaited<ReturnType<typeof openExchange>>
  let browser: Browser
  let base = ''
  beforeAll(async () => {
    opened = await openExchange(options)
    await opened.exchange.app.listen({ port: 0, host: '127.0.0.1' })
    // By name: browsers accept secure cookies from localhost, as from an https site.
    base = `http://localhost:${(opened.exchange.app.server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await opened?.close()
  })
  return {
    get exchange(): Exchange {
      return opened.exchange
    },
    get base(): string {
      return base
    },
    async visit({ width, scripts }: Pick<Way, 'width' | 'scripts'>, dark = false): Promise<Walker> {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        javaScriptEnabled: scripts,
        colorScheme: dark ? 'dark' : 'light',
        locale: 'es-MX',
      })
      return new Walker(context, await context.newPage(), base, scripts)
    },
  }
}

/** A person at a browser; fails on anything that is broken. */
export class Walker {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: string[] = []
  readonly #base: string
  readonly #scripts: boolean

  constructor(context: BrowserContext, page: Page, base: string, scripts: boolean) {
    this.context = context
    this.page = page
    this.#base = base
    this.#scripts = scripts
    page.setDefaultTimeout(15_000)
    page.on('pageerror', error => this.complaints.push(`script: ${error.message}`))
    page.on('console', message => {
      // A rejected form answers 422, which browsers log here.
      if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) {
        this.complaints.push(`console: ${message.text()}`)
      }
    })
  }

  async open(path: string): Promise<void> {
    await this.page.goto(this.#base + path)
    await this.check()
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.page.goto(`${this.#base}/portal/sign-in`)
    await this.page.getByLabel('Correo electrónico').fill(email)
    await this.page.getByLabel('Contraseña').fill(password)
    await this.press('Entrar')
  }

  /** Clicks a button in the page's content and waits for the response. */
  async press(name: string): Promise<void> {
    await Promise.all([
      this.page.waitForEvent('load'),
      this.page.locator('main').getByRole('button', { name, exact: true }).first().click(),
    ])
    await this.check()
  }

  /** Follows a link in the page's content. */
  async follow(name: string): Promise<void> {
    await Promise.all([
      this.page.waitForEvent('load'),
      this.page.locator('main').getByRole('link', { name }).first().click(),
    ])
    await this.check()
  }

  /** No serious axe violation, nothing wider than the screen, nothing blocked by the Content-Security-Policy. */
  async check(): Promise<void> {
    // axe needs scripts; the same page is checked with scripts too.
    if (!this.#scripts) return
    try {
      await this.#checkPage()
    } catch (error) {
      // A page that shows progress has loaded itself again: what it shows now is checked instead.
      if (!String(error).includes('Execution context was destroyed')) throw error
      await this.page.waitForLoadState()
      await this.check()
    }
  }

  async #checkPage(): Promise<void> {
    const where = new URL(this.page.url()).pathname
    // In one script: the page may load itself again at any time.
    const violations = (await this.page.evaluate(
      `${AXE};axe.run({ resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] }).then(({ violations }) =>
        violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(node => node.html.slice(0, 200)) })))`,
    )) as { id: string; impact: string; nodes: string[] }[]
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(serious, where).toEqual([])
    const overflow = await this.page.evaluate('document.documentElement.scrollWidth - window.innerWidth')
    expect(overflow, `${where} is wider than the screen`).toBeLessThanOrEqual(0)
    expect(this.complaints, where).toEqual([])
  }
}
