import { expect, it } from 'vitest'
import { runCluster } from '../support/cluster/run.ts'

/** At most 0.01 % of requests may fail. */
const MOST_FAILED = 0.0001

it('three webs, two workers, a proxy, two databases and a bucket lose nothing in five minutes of kills, full disks, a cut network, a promotion and two upgrades', async () => {
  const said: string[] = []
  const report = await runCluster({ minutes: 4.5, seed: 16, say: line => said.push(line) })
  const { lost, wrongWebhooks, wrongTotals, lies, surprises } = report
  expect({ lost, wrongWebhooks, wrongTotals, lies, surprises }, said.join('\n')).toEqual({
    lost: [],
    wrongWebhooks: [],
    wrongTotals: [],
    lies: [],
    surprises: [],
  })
  const { failed, requests, failures } = report
  expect(failed, failures.join('\n')).toBeLessThanOrEqual(Math.ceil(requests * MOST_FAILED))
  // The run proves nothing if little was done, or if not every fault struck.
  expect(new Set(report.faults).size).toBe(8)
  expect(report.faults.filter(name => name === 'rolling upgrade')).toHaveLength(2)
  expect(report.writes).toBeGreaterThan(200)
  expect(report.webhooks.delivered).toBeGreaterThan(50)
  expect(report.leads).toBeGreaterThan(10)
  // Only what a worker was sending when it was struck.
  const struck = report.faults.filter(name => /worker|upgrade/.test(name)).length
  expect(report.webhooks.cutOff).toBeLessThanOrEqual(struck * 2)
  expect(report.asked).toBeGreaterThan(200)
}, 600_000)
