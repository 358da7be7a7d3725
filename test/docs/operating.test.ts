import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Which tests run what a section of docs/operating.md describes. A new section needs a line, and a test. */
const RUN_BY: Record<string, string[]> = {
  'What it needs': ['process/config', 'process/migrate', 'process/embedded'],
  'Start and stop': ['process/server', 'process/embedded', 'process/migrate'],
  'All processors': ['process/processes'],
  'Search without an index in memory': ['search/sql.model'],
  'The saved index': ['search/saved-index', 'faults/index-kill'],
  'A role without the right to change tables': ['faults/poolers', 'process/server'],
  'Do not start from demo data': ['demo/close', 'process/server'],
  'Behind a proxy': ['faults/proxies', 'process/config'],
  Connections: ['hostile/sockets', 'http/deadline', 'http/load'],
  'While the database is away': ['faults/database-silent', 'hostile/database-away', 'faults/cluster'],
  'Several servers': ['faults/hosts', 'faults/failover', 'faults/cluster'],
  'A pooler': ['faults/poolers'],
  'A replica for reads': ['faults/replica'],
  'What to plan with': ['faults/cluster'],
  Installing: ['process/packaging', 'faults/proxies', 'faults/cluster'],
  'The secret': ['webhooks/secret', 'process/server'],
  'People and keys': ['process/cli', 'keys/live-keys', 'hostile/lockout'],
  'Settings on the desk': ['settings/settings'],
  'Exchange rate': ['api/search-rates'],
  'Streets on the map': ['site/streets'],
  'Postal codes': ['listings/locate'],
  'Visitors and their identification': [
    'leads/identification',
    'leads/identification-limits',
    'leads/no-key',
  ],
  Mail: ['hostile/mail', 'notices/unsubscribe', 'process/cli'],
  Uploads: ['faults/object-storage', 'files/uploads', 'hostile/disk'],
  Logs: ['leads/secrecy', 'http/multipart-log', 'api/logs'],
  'Metrics and alerts': ['metrics/metrics', 'metrics/operating'],
  Traces: ['metrics/traces'],
  'Backup and restore': ['faults/backup', 'faults/point-in-time'],
  'To a point in time': ['faults/point-in-time'],
}

it('every section of the runbook is run by tests that exist', async () => {
  const text = await readFile('docs/operating.md', 'utf8')
  const sections = [...text.matchAll(/^###? (.+)$/gm)].map(([, title]) => title)
  expect(sections.sort()).toEqual(Object.keys(RUN_BY).sort())
  for (const name of new Set(Object.values(RUN_BY).flat())) await access(join('test', `${name}.test.ts`))
})
