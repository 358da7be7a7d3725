import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { openMarket } from './search/market.ts'
import { startLonja, untilReady } from './search/processes.ts'

const CONNECTIONS = 40

/** What the API's search takes alone, and while 40 connections ask for one page: `npm run bench -- starving`. */
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
  const server = await startLonja(market.url, 'warn')
  await untilReady(server.url, '/ready')
  const search = () => timeSearch(server.url, market.key, seconds)

  console.log(
    `${values.listings} listings, ${CONNECTIONS} connections, ${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}; milliseconds\n`,
  )
  const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
  row('beside', 'API p50', 'p99', 'p50, times alone', 'p99, times alone', 'pages/s', 'refused')
  row(...Array(7).fill('---'))
  await timeSearch(server.url, market.key, 2)
  const alone = await search()
  row('nothing', alone.p50, alone.p99, 1, 1, '', '')
  for (const path of ['/sitemaps/propiedades-1.xml', '/mapa.svg', '/propiedades']) {
    // In a thread of its own, so that the client's work does not count as the server's.
    const hammer = autocannon({
      url: server.url + path,
      connections: CONNECTIONS,
      duration: seconds + 1,
      workers: 1,
    })
    const { p50, p99 } = await search()
    const pages = await hammer
    const times = (beside: number, before: number) => Math.round((beside / before) * 10) / 10
    row(
      path,
      p50,
      p99,
      times(p50, alone.p50),
      times(p99, alone.p99),
      Math.round(pages.requests.average),
      pages.non2xx,
    )
  }
  await server.stop()
  await market.stop()
}

/** One question after the other, each asked once, as the client sees them. */
async function timeSearch(url: string, key: string, seconds: number): Promise<{ p50: number; p99: number }> {
  const headers = { authorization: `Bearer ${key}` }
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const started = performance.now()
    const question = `operation=sale&min_bedrooms=3&min_price=${Math.round(started * 1000)}`
    const answer = await fetch(`${url}/api/v1/properties?${question}`, { headers })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`the API answered ${answer.status}`)
    times.push(performance.now() - started)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    Math.round((times[Math.floor(times.length * share)] ?? Number.NaN) * 100) / 100
  return { p50: at(0.5), p99: at(0.99) }
}
