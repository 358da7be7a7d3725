import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { openPool } from '../src/db/database.ts'
import { freePort } from '../src/lib/free-port.ts'
import { type Market, openMarket } from './search/market.ts'
import { startLonja, untilAllReady, WEB } from './search/processes.ts'
import { shapes, unique } from './search/shapes.ts'

const API = '/api/v1/properties'
const CONNECTIONS = 16
/** For each process: V8 compiles what runs often; until it has, its own threads take a third of a core. */
const WARM_UP_SECONDS = 30
const MEASURED = 3
const ROUNDS = 2

/**
 * What several processes give, asked by `wrk`, which takes a few hundredths of a core for searches: `npm run bench -- processes --processes 2 [--only records]`.
 * One process and several in turn, each warm.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      listings: { type: 'string', default: '1000000' },
      processes: { type: 'string', default: '2' },
      seconds: { type: 'string', default: '8' },
      only: { type: 'string', default: '' },
    },
  })
  const market = await openMarket(Number(values.listings))
  const all = Object.entries(await kindsOf(market, Number(values.listings)))
  const kinds = Object.fromEntries(all.filter(([kind]) => kind.includes(values.only)))
  console.log('| requests | processes | a second | MB |\n| --- | --- | --- | --- |')
  const rates: Record<string, number[]> = {}
  for (let round = 0; round < ROUNDS; round++) {
    for (const processes of ['1', values.processes]) {
      const measured = await measure(market, kinds, processes, Number(values.seconds))
      for (const { kind, perSecond, memory } of measured) {
        console.log(`| ${kind} | ${processes} | ${perSecond.join(', ')} | ${memory} |`)
        const key = `${kind} ${processes}`
        rates[key] = [...(rates[key] ?? []), ...perSecond]
      }
    }
  }
  for (const kind of Object.keys(kinds)) {
    const [one, several] = ['1', values.processes].map(count => median(rates[`${kind} ${count}`] ?? []))
    console.log(
      `\n${kind}: ${values.processes} processes ${((several ?? 0) / (one ?? 1)).toFixed(2)} times as many as one`,
    )
  }
  await market.stop()
}

type PathOf = (n: number) => string

async function kindsOf({ url }: Market, listings: number): Promise<Record<string, PathOf>> {
  const all = shapes(Math.floor((listings * 0.88) / 24))
  const pool = openPool(url, 1)
  const { rows } = await pool.query(
    `select l.id from listings l tablesample system (1) join agents a on a.id = l.agent_id where is_public(l, a) limit 2000`,
  )
  await pool.end()
  const ask = (some: typeof all): PathOf => {
    return n => `${API}?${unique(some[n % some.length]?.query(Math.floor(n / some.length)) as string, n)}`
  }
  return {
    searches: ask(all.filter(({ name }) => !name.includes('any page'))),
    'searches, any page among them': ask(all),
    'single records': n => `${API}/${rows[n % rows.length].id}`,
  }
}

async function measure(market: Market, kinds: Record<string, PathOf>, processes: string, seconds: number) {
  const metricsPort = await freePort('127.0.0.1')
  const settings = { METRICS_PORT: String(metricsPort) }
  const lonja = await startLonja(market.url, settings, [...WEB, '--processes', processes])
  await untilAllReady(lonja.url, metricsPort, processes)
  const measured: { kind: string; perSecond: number[]; memory: number }[] = []
  for (const [kind, pathOf] of Object.entries(kinds)) {
    console.error(`  ${kind}, ${processes} processes`)
    await requestsPerSecond({
      url: lonja.url,
      key: market.key,
      pathOf,
      seconds: WARM_UP_SECONDS * Number(processes),
    })
    const rates: number[] = []
    for (let i = 0; i < MEASURED; i++)
      rates.push(await requestsPerSecond({ url: lonja.url, key: market.key, pathOf, seconds }))
    measured.push({ kind, perSecond: rates, memory: (await lonja.memory()).now })
  }
  await lonja.stop()
  return measured
}

interface Questions {
  url: string
  key: string
  pathOf: PathOf
  seconds: number
}

/** Searches are fewer in that time and so all different; records are 2,000. */
const MOST_PATHS = 60_000
let asked = 0

async function requestsPerSecond({ url, key, pathOf, seconds }: Questions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'lonja-wrk-'))
  const paths = Array.from({ length: MOST_PATHS }, () => encodeURI(decodeURI(pathOf(asked++))))
  await writeFile(join(folder, 'paths'), paths.join('\n'))
  await writeFile(join(folder, 'ask.lua'), scriptFor(join(folder, 'paths')))
  const options = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', join(folder, 'ask.lua')]
  try {
    const { stdout } = await promisify(execFile)('wrk', [
      ...options,
      '-H',
      `authorization: Bearer ${key}`,
      url,
    ])
    if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
    return Math.round(Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('this benchmark asks with wrk: apt-get install wrk')
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Each request is the next path of the file. */
const scriptFor = (file: string) => `
local paths = {}
for line in io.lines('${file}') do paths[#paths + 1] = line end
local i = 0
request = function()
  i = i % #paths + 1
  return wrk.format('GET', paths[i])
end
`

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >>> 1] ?? 0
