import { parseArgs } from 'node:util'
import { runCluster } from '../test/support/cluster/run.ts'

/**
 * `npm run bench -- cluster [--minutes 30] [--seed 1]`: three webs, two workers, HAProxy, PostgreSQL with a standby and object storage under
 * mixed load, while processes are killed, disks fill up, the network is cut, a standby is promoted and everything is upgraded twice.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string', default: '1' },
    },
  })
  const start = Date.now()
  const report = await runCluster({
    minutes: Number(values.minutes),
    seed: Number(values.seed),
    say: line => console.log(`${((Date.now() - start) / 1_000).toFixed(0).padStart(5)} s  ${line}`),
  })
  console.log(JSON.stringify(report, undefined, 2))
}
