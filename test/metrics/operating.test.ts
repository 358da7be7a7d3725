import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../src/lib/free-port.ts'
import { Observer } from '../../src/observer.ts'
import { useExchange } from '../support/exchange.ts'
import { descendantsOf, type RunningLonja, useInstallation } from '../support/installation.ts'
import { samplesOf, sumOf } from '../support/metrics.ts'
import { until } from '../support/standby.ts'

const DEPLOY = resolve(import.meta.dirname, '../../deploy')
const RULES = join(DEPLOY, 'prometheus/alerts.yml')
const installed = useInstallation()
const exchange = useExchange()
let server: RunningLonja
let port: number
let base: string

const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()

async function promtool(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('promtool', args).catch(error => {
    if (error.code === 'ENOENT') throw new Error('promtool is missing: install the Debian package prometheus')
    throw new Error(`promtool ${args.join(' ')}: ${error.stdout}${error.stderr}`)
  })
  return stdout
}

beforeAll(async () => {
  port = await freePort('127.0.0.1')
  server = installed.lonja.start(['serve', '--processes', '2'], {
    PUBLIC_URL: 'https://lonja.example',
    DATABASE_URL: exchange.pool.options.connectionString as string,
    PORT: '0',
    METRICS_PORT: String(port),
  })
  await server.says(/"ready":2,"processes":2/)
  base = `http://127.0.0.1:${/"port":(\d+)/.exec(server.output)?.[1]}`
})

/** Names of metrics in a query. */
const namesIn = (query: string): string[] => query.match(/\b(lonja|nodejs|process)_\w+/g) ?? []

describe('the alerts', () => {
  it('and the example configuration are accepted by promtool', async () => {
    expect(await promtool('check', 'rules', RULES)).toMatch(/SUCCESS: \d+ rules found/)
    const example = join(DEPLOY, 'prometheus/prometheus.yml')
    expect(await promtool('check', 'config', example)).toMatch(/SUCCESS: 1 rule files found/)
  })

  it('fire at bad values, each of them, and not in a healthy exchange', async () => {
    const tests = join(import.meta.dirname, 'alerts.yml')
    expect(await promtool('test', 'rules', tests)).toMatch(/SUCCESS/)
    const { groups } = parse(await readFile(RULES, 'utf8'))
    const names = groups[0].rules.map(({ alert }: { alert: string }) => alert)
    const tried = parse(await readFile(tests, 'utf8')).tests[1].promql_expr_test[0].exp_samples
    expect(tried.map(({ labels }: { labels: string }) => /"(.*)"/.exec(labels)?.[1])).toEqual(names)
  })
})

describe('several processes together', () => {
  it('have every metric that the alerts and the dashboard use, in a form that Prometheus reads', async () => {
    expect((await fetch(base)).status).toBe(200)
    const text = await metrics()
    const histograms = [...text.matchAll(/^# TYPE (\w+) histogram$/gm)].flatMap(([, name]) =>
      ['bucket', 'sum', 'count'].map(part => `${name}_${part}`),
    )
    const types = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    const known = new Set([...types, ...histograms])
    const { groups } = parse(await readFile(RULES, 'utf8'))
    const alerts = groups[0].rules.map(({ expr }: { expr: string }) => expr)
    const { panels } = JSON.parse(await readFile(join(DEPLOY, 'grafana/lonja.json'), 'utf8'))
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }: { expr: string }) => expr))
    const used = [...alerts, ...queries].flatMap(namesIn)
    expect(queries.length).toBeGreaterThan(20)
    expect(used.filter(name => !known.has(name))).toEqual([])
    // And nothing is measured that nobody sees.
    const ours = types.filter(name => name?.startsWith('lonja_'))
    expect(ours.filter(name => !used.some(one => one.startsWith(String(name))))).toEqual([])
    expect(await judgeOf(text)).toEqual([])
  })

  it('are apart by their number, with the background work once, and never on the public port', async () => {
    const text = await metrics()
    const processes = (name: string) => [
      ...new Set(
        samplesOf(text)
          .filter(sample => sample.name === name)
          .map(({ labels }) => labels.process),
      ),
    ]
    expect(processes('lonja_ready').sort()).toEqual(['0', '1'])
    expect(processes('process_cpu_seconds_total').sort()).toEqual(['0', '1'])
    expect(processes('lonja_jobs_waiting')).toEqual(['0'])
    expect(sumOf(text, 'lonja_ready')).toBe(2)
    expect(sumOf(text, 'lonja_processes', { state: 'wanted' })).toBe(2)
    expect((await fetch(`${base}/metrics`)).status).toBe(404)
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(404)
  })

  it('answer for those that are left when one was killed, and for the next of its number', async () => {
    const busy = async () => sumOf(await metrics(), 'process_cpu_seconds_total', { process: '1' })
    const before = await busy()
    const [killed = 0] = (await descendantsOf(server.pid)).slice(-1)
    process.kill(killed, 'SIGKILL')
    await until(async () => sumOf(await metrics(), 'lonja_processes', { state: 'ready' }) === 1)
    expect(sumOf(await metrics(), 'lonja_ready')).toBe(1)
    await until(async () => sumOf(await metrics(), 'lonja_ready') === 2)
    expect(before).toBeGreaterThan(0)
    expect(await busy()).toBeGreaterThan(0)
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
    await expect(metrics()).rejects.toThrow()
  })
})

/** What promtool says against it, except that some names of Node's own metrics are unusual. */
async function judgeOf(text: string): Promise<string[]> {
  const child = execFile('promtool', ['check', 'metrics'])
  let said = ''
  child.stderr?.on('data', chunk => {
    said += chunk
  })
  child.stdin?.end(text)
  await once(child, 'close')
  return said.split('\n').filter(line => line !== '' && !/^nodejs_active_\w+_total non-counter/.test(line))
}

describe('one process', () => {
  it('answers at METRICS_PORT as a worker too, and tells in one sentence if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const taken = (other.address() as AddressInfo).port
    const settings = {
      PUBLIC_URL: 'https://lonja.example',
      DATABASE_URL: exchange.pool.options.connectionString as string,
      PORT: '0',
    }
    const refused = await installed.lonja.run(['serve', '--role', 'worker'], {
      ...settings,
      LOG_LEVEL: 'silent',
      METRICS_PORT: String(taken),
    })
    other.close()
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toBe(
      `Port ${taken} is in use: stop what runs there, or choose another with METRICS_PORT=${taken + 1}.\n`,
    )
    const worker = installed.lonja.start(['serve', '--role', 'worker'], {
      ...settings,
      METRICS_PORT: String(port),
    })
    await worker.says(/doing the background work/)
    const text = await metrics()
    expect(sumOf(text, 'lonja_ready')).toBe(1)
    expect(sumOf(text, 'lonja_jobs_waiting')).toBe(0)
    expect(sumOf(text, 'lonja_check_ok', { check: 'jobs' })).toBe(1)
    expect(await worker.stop()).toMatchObject({ code: 0, stderr: '' })
  })

  it('whose database is silent is not ready, and everything else is still there within seconds', async () => {
    const observer = new Observer('0')
    const silent = () => new Promise<never>(() => {})
    observer.readiness(silent)
    const text = await observer.registry.metrics()
    expect(sumOf(text, 'lonja_ready')).toBe(0)
    expect(sumOf(text, 'lonja_check_ok')).toBeUndefined()
    expect(sumOf(text, 'lonja_http_shed_total')).toBe(0)
  })
})
