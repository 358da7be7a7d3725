import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { openMarket } from './search/market.ts'
import { startLonja, untilReady } from './search/processes.ts'

const CONNECTIONS = 40
const EVERY_MS = 20
/** Until the sending thread has started. */
const WARM_SECONDS = 3

/** API search times alone, and while 40 connections request one page: `npm run bench -- starving`. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '20000' },
      seconds: { type: 'string', default: '10' },
      built: { type: 'boolean', default: false },
    },
  })
  const seconds = Number(values.seconds)
  if (!values.built) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
  const market = await openMarket(Number(values.listings))
  const server = await startLonja(market.url)
  await untilReady(server.url, '/ready')
  const search = () => timeSearch(server.url, market.key, seconds)

  console.log(
    `${values.listings} listings, ${CONNECTIONS} connections, ${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}; milliseconds\n`,
  )
  const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
  row('beside', 'API p50', 'p99', 'API errors', 'p50, times alone', 'p99, times alone', 'pages/s', 'refused')
  row(...Array(8).fill('---'))
  await timeSearch(server.url, market.key, 2)
  const alone = await search()
  row('nothing', alone.p50, alone.p99, alone.failed, 1, 1, '', '')
  for (const path of ['/sitemaps/propiedades-1.xml', '/mapa.svg', '/propiedades']) {
    // In a separate thread, so that the client's work does not delay the measured requests.
    const hammer = autocannon({
      url: server.url + path,
      connections: CONNECTIONS,
      duration: seconds + WARM_SECONDS + 1,
      workers: 1,
    })
    await sleep(WARM_SECONDS * 1000)
    const { p50, p99, failed } = await search()
    const pages = await hammer
    const times = (beside: number, before: number) => Math.round((beside / before) * 10) / 10
    row(
      path,
      p50,
      p99,
      failed,
      times(p50, alone.p50),
      times(p99, alone.p99),
      Math.round(pages.requests.average),
      pages.non2xx,
    )
  }
  await server.stop()
  await market.stop()
}

interface Times {
  p50: number
  p99: number
  /** Answered with an error, or not at all. */
  failed: number
}

let asked = 0
let failed = 0

/** Requests at a fixed rate, regardless of response times: slow moments count as often as fast ones. */
async function timeSearch(url: string, key: string, seconds: number): Promise<Times> {
  failed = 0
  const times: Promise<number>[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(EVERY_MS)) {
    times.push(timeOne(url, key))
  }
  const sorted = (await Promise.all(times)).sort((a, b) => a - b)
  const at = (share: number) =>
    Math.round((sorted[Math.floor(sorted.length * share)] ?? Number.NaN) * 100) / 100
  return { p50: at(0.5), p99: at(0.99), failed }
}

/** Each query misses the answer cache and finds the same listings. */
async function timeOne(url: string, key: string): Promise<number> {
  const since = new Date(Date.UTC(2000, 0, 1) + asked++).toISOString()
  const question = `operation=sale&min_bedrooms=3&updated_since=${since}`
  const started = performance.now()
  const answer = await fetch(`${url}/api/v1/properties?${question}`, {
    headers: { authorization: `Bearer ${key}` },
  }).catch(() => undefined)
  await answer?.arrayBuffer()
  if (!answer?.ok) failed++
  return performance.now() - started
}
