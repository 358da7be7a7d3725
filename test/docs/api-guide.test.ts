import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { DEMO_KEYS } from '../../src/demo/access.ts'
import { loadDemo } from '../../src/demo/load.ts'
import { useExchange } from '../support/exchange.ts'

interface Example {
  script: string
  /** What the guide shows: every value except «…» must be in the response. */
  shown: unknown
}

const guide = await readFile(new URL('../../docs/api-guide.md', import.meta.url), 'utf8')
const examples: Example[] = [...guide.matchAll(/```sh\n([\s\S]*?)```(?:\s*```json\n([\s\S]*?)```)?/g)].map(
  ([, script = '', shown]) => ({ script, shown: shown === undefined ? undefined : JSON.parse(shown) }),
)

const exchange = useExchange()
const run = promisify(execFile)
const SEPARATOR = '\u0001'

beforeAll(async () => {
  await loadDemo(exchange.db, () => {})
  await exchange.app.listen({ host: '127.0.0.1', port: 0 })
})

// The guide assumes curl; this machine may not have it.
const hasCurl = spawnSync('bash', ['-c', 'command -v curl']).status === 0

it.runIf(hasCurl || process.env.CI)(
  'every example of the guide, pasted in order, gives the response it shows',
  async () => {
    const { port } = exchange.app.server.address() as AddressInfo
    expect(guide).toContain(DEMO_KEYS.readWrite)
    const scripts = examples.map(({ script }) => script.replace('127.0.0.1:3000', `127.0.0.1:${port}`))
    const { stdout } = await run('bash', ['-euc', scripts.join(`\nprintf '\\001'\n`)])
    const answers = stdout.split(SEPARATOR)
    expect(examples.length).toBeGreaterThan(12)
    for (const [i, { script, shown }] of examples.entries()) {
      if (shown !== undefined) expectShown(JSON.parse(answers[i] ?? ''), shown, script)
    }
  },
)

function expectShown(actual: unknown, shown: unknown, where: string): void {
  if (shown === '…') expect(actual, where).toBeDefined()
  else if (typeof shown !== 'object' || shown === null) expect(actual, where).toEqual(shown)
  else {
    for (const [name, value] of Object.entries(shown)) {
      expectShown((actual as Record<string, unknown> | undefined)?.[name], value, `${where} → ${name}`)
    }
  }
}
