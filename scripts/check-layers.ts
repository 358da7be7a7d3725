/** Holds the imports of src/ against the picture in docs/architecture.md. Fails too if it found nothing to check. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const SRC = resolve(import.meta.dirname, '../src')

/** Which folders a folder may import. What stands at the top of src/, and jobs, may import everything. */
const FOLDERS: Record<string, string[]> = {
  lib: [],
  db: ['lib', 'config.ts'],
  lookups: ['lib', 'db', 'http'],
  outbox: ['lib', 'db'],
  http: ['lib', 'db'],
  portal: ['lib', 'db', 'http', 'lookups'],
  agents: ['lib', 'db', 'http', 'lookups', 'outbox', 'portal'],
  keys: ['lib', 'db', 'http', 'agents', 'portal'],
  listings: ['lib', 'db', 'http', 'lookups', 'outbox', 'agents', 'portal'],
  search: ['lib', 'db', 'http', 'lookups', 'agents', 'listings'],
  leads: ['lib', 'db', 'http', 'lookups', 'outbox', 'agents', 'listings', 'portal'],
  webhooks: ['lib', 'db', 'http', 'outbox', 'agents', 'portal'],
  notices: ['lib', 'db', 'http', 'outbox', 'agents', 'listings', 'leads'],
  site: ['lib', 'db', 'http', 'lookups', 'agents', 'listings', 'leads', 'search', 'portal'],
  collections: ['lib', 'db', 'http', 'agents', 'listings', 'leads', 'portal', 'site'],
  widgets: ['lib', 'db', 'http', 'leads', 'portal', 'site'],
  demo: ['lib', 'db', 'lookups', 'agents', 'keys', 'listings', 'collections'],
}

/** Lower may not import higher, within a slice and between slices. Files of other names are sub-concepts of rules. */
const ROLES = ['rules', 'schema', 'store', 'record', 'service', 'api']
const SURFACES = new Set(['api', 'portal', 'operator', 'page'])
const SLICES = new Set(['agents', 'keys', 'listings', 'leads', 'search', 'collections', 'widgets'])
/** What one slice may use of another; the demo market writes in bulk and uses stores too. */
const SHARED_ROLES = new Set([
  'rules',
  'service',
  'schema',
  'record',
  'criteria',
  'visitors',
  'visitor-form',
  'identification',
])

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name))
const imports = files.flatMap(file =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)].map(match => ({
    from: file,
    to: relative(SRC, resolve(SRC, dirname(file), match[1] as string)),
  })),
)

const folderOf = (path: string) => (path.includes('/') ? (path.split('/')[0] as string) : path)
const roleOf = (path: string) =>
  path
    .split('/')
    .at(-1)
    ?.replace(/\.tsx?$/, '') ?? ''

function complaint({ from, to }: { from: string; to: string }): string | undefined {
  const [here, there] = [folderOf(from), folderOf(to)]
  if (!from.includes('/') || here === 'jobs') return undefined
  if (!(here in FOLDERS)) return `the folder ${here} is not in the picture`
  if (here !== there && !FOLDERS[here]?.includes(there)) return `${here} may not import ${there}`
  if (SURFACES.has(roleOf(to))) return 'nothing imports a surface but app.ts'
  const [low, high] = [ROLES.indexOf(roleOf(from)), ROLES.indexOf(roleOf(to))]
  if (SLICES.has(here) && low !== -1 && high > low) return `${roleOf(from)} may not import ${roleOf(to)}`
  if (here !== there && here !== 'demo' && SLICES.has(there) && !SHARED_ROLES.has(roleOf(to))) {
    return `of ${there}, others may import only ${[...SHARED_ROLES].join(', ')}`
  }
  return undefined
}

const complaints = imports.flatMap(one => {
  const why = complaint(one)
  return why ? [`src/${one.from} → src/${one.to}: ${why}`] : []
})
if (imports.length === 0) complaints.push('no imports found: the check looks in the wrong place')
if (complaints.length > 0) {
  console.error(complaints.join('\n'))
  process.exit(1)
}
console.log(`Layers: ${imports.length} imports of ${files.length} files are as drawn.`)
