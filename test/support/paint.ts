import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core'

export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  hasTouch: true,
  isMobile: true,
}

/** Lighthouse's slow 4G; Chrome adds the latency to every request. */
export const SLOW_4G = { latencyMs: 150, downKbps: 1_600, upKbps: 750 }
export const SLOWER_CPU = 4

export async function slowDown(devtools: CDPSession): Promise<void> {
  const bytes = (kbps: number) => (kbps * 1000) / 8
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU })
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW_4G.latencyMs,
    downloadThroughput: bytes(SLOW_4G.downKbps),
    uploadThroughput: bytes(SLOW_4G.upKbps),
  })
}

export interface Painted {
  paintMs: number
  /** What was painted then. */
  element: string
  shift: number
  /** Bytes as transferred. */
  photos: number
  rest: number
}

const OBSERVE = `
  window.painted = { paintMs: 0, element: '', shift: 0 }
  new PerformanceObserver(list => {
    for (const { startTime, element } of list.getEntries())
      Object.assign(painted, { paintMs: startTime, element: element ? element.tagName + '.' + element.className : '' })
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) painted.shift += value
  }).observe({ type: 'layout-shift', buffered: true })`

const isPhoto = (url: string) => /^\/(demo\/pictures|media)\//.test(new URL(url).pathname)

/** One visit with an empty cache: largest paint, layout shift and weight once the page has come to rest. */
export async function paintOf(page: Page, url: string, isSlow: boolean): Promise<Painted> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  if (isSlow) await slowDown(devtools)
  const urls = new Map<string, string>()
  const weight = { photos: 0, rest: 0 }
  devtools.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    weight[isPhoto(urls.get(requestId) ?? url) ? 'photos' : 'rest'] += encodedDataLength
  })
  await page.addInitScript(OBSERVE)
  await page.goto(url, { waitUntil: 'networkidle' })
  // Observers are notified after the frame in which a script moved something.
  await page.evaluate('new Promise(done => requestIdleCallback(() => setTimeout(done, 500)))')
  const seen = (await page.evaluate('painted')) as Pick<Painted, 'paintMs' | 'element' | 'shift'>
  await devtools.detach()
  return { ...seen, ...weight }
}
