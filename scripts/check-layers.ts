/** Holds every file of src/ against the picture in docs/architecture.md. Fails too if it found nothing to check. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const SRC = resolve(import.meta.dirname, '../src')

const BASE = ['lib', 'db', 'lookups', 'http', 'outbox']
/** What a screen of the portal stands on. */
const PORTAL = [...BASE, 'ui', 'files', 'portal']
/** What a page of the public site stands on. */
const SITE = [...BASE, 'ui', 'files', 'site', 'site/map']

/**
 * Every folder, and which others it may import. Only the files at the top of src/, `cli` and `jobs` may import
 * everything: they put the rest together.
 */
const FOLDERS: Record<string, string[] | 'all'> = {
  '.': 'all',
  cli: 'all',
  jobs: 'all',

  lib: [],
  db: ['lib', '.'],
  http: ['lib', 'db'],
  lookups: ['lib', 'db', 'http'],
  outbox: ['lib', 'db'],
  files: ['lib', 'http'],
  ui: ['lib', 'files'],

  portal: [...BASE, 'ui', 'files'],
  'portal/home': [...PORTAL, 'agents', 'agents/licences', 'listings', 'leads', 'keys', 'webhooks'],

  agents: [...BASE, 'portal', 'agents/accounts', 'agents/agencies'],
  'agents/accounts': [...BASE, 'portal', 'agents'],
  'agents/accounts/portal': [
    ...PORTAL,
    'agents/accounts',
    'agents/licences/portal',
    'agents/profiles/portal',
  ],
  'agents/agencies': BASE,
  'agents/agencies/operator': [...PORTAL, 'agents/operator'],
  'agents/licences': [...BASE, 'agents'],
  'agents/licences/portal': [...PORTAL, 'agents', 'agents/licences', 'agents/profiles/portal'],
  'agents/licences/operator': [...PORTAL, 'agents/licences'],
  'agents/profiles': [...BASE, 'agents', 'agents/accounts', 'agents/agencies'],
  'agents/profiles/portal': [...PORTAL, 'agents', 'agents/profiles'],
  'agents/operator': [
    ...PORTAL,
    'agents',
    'agents/agencies',
    'agents/agencies/operator',
    'agents/licences/operator',
    'listings',
    'leads',
  ],
  'agents/public': [...SITE, 'agents', 'leads/visitors'],

  keys: [...BASE, 'agents'],
  'keys/portal': [...PORTAL, 'keys', 'agents'],
  'keys/operator': [...PORTAL, 'keys'],

  listings: [...BASE, 'files', 'agents'],
  'listings/portal': [...PORTAL, 'listings', 'leads'],
  'listings/operator': [...PORTAL, 'listings'],
  'listings/public': [...SITE, 'listings', 'search', 'leads/visitors'],

  search: [...BASE, 'listings', 'search/engine', 'search/feed', 'search/text'],
  'search/engine': [...BASE, 'search'],
  'search/feed': [...BASE, 'search/engine'],
  'search/text': BASE,

  leads: [...BASE, 'listings', 'leads/identification'],
  'leads/portal': [...PORTAL, 'leads', 'leads/identification/portal'],
  'leads/operator': [...PORTAL, 'leads', 'leads/identification', 'leads/identification/portal'],
  'leads/calendar': [...BASE, 'agents'],
  'leads/calendar/portal': [...PORTAL, 'agents', 'leads/calendar', 'leads/portal'],
  'leads/identification': [...BASE, 'leads'],
  'leads/identification/portal': [...PORTAL, 'leads', 'leads/identification', 'leads/visitors'],
  'leads/identification/public': [...SITE, 'leads/identification'],
  'leads/visitors': [...BASE, 'ui', 'leads', 'leads/identification', 'site'],
  'leads/public': [...SITE, 'leads/visitors', 'agents', 'listings', 'listings/public'],

  collections: [...BASE, 'agents', 'listings'],
  'collections/portal': [...PORTAL, 'collections', 'site'],
  'collections/public': [...SITE, 'collections', 'agents', 'leads/public', 'leads/visitors'],

  widgets: [...BASE, 'agents'],
  'widgets/portal': [...PORTAL, 'widgets'],
  'widgets/operator': [...PORTAL, 'widgets'],
  'widgets/public': [...SITE, 'widgets', 'agents', 'leads/visitors'],

  webhooks: [...BASE, 'agents', 'webhooks/sender'],
  'webhooks/sender': ['lib'],
  'webhooks/dispatch': [...BASE, 'webhooks', 'webhooks/sender'],
  'webhooks/portal': [...PORTAL, 'agents', 'webhooks', 'webhooks/sender'],
  'webhooks/operator': [...PORTAL, 'webhooks'],

  notices: [...BASE, 'agents', 'agents/licences', 'listings', 'leads', 'leads/identification', 'webhooks'],

  site: [...BASE, 'ui', 'site/map', 'agents', 'listings', 'search', 'leads/visitors'],
  'site/map': [...BASE, 'site'],
  'site/pages': [...SITE, 'agents', 'listings', 'leads', 'leads/visitors'],

  demo: [...BASE, 'demo/pictures', 'agents', 'keys', 'listings', 'collections'],
  'demo/pictures': ['demo', ...BASE],
}

/** Inside a folder, lower may not import higher. A file of another name is a sub-concept of `rules`. */
const ROLES = ['rules', 'schema', 'store', 'record', 'service', 'api']
/** Of other nouns one asks the service; their SQL and their routes are their own. The demo writes in bulk. */
const OWN = new Set(['store', 'api'])

interface Import {
  from: string
  to: string
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(name => /\.tsx?$/.test(name))
const imports: Import[] = files.flatMap(file =>
  [...readFileSync(join(SRC, file), 'utf8').matchAll(/(?:from |import |import\()'(\.[^']+)'/g)].map(
    match => ({
      from: file,
      to: relative(SRC, resolve(SRC, dirname(file), match[1] as string)),
    }),
  ),
)

const nounOf = (path: string) => path.split('/')[0] as string
const roleOf = (path: string) => (path.split('/').at(-1) as string).replace(/\.tsx?$/, '')

function complaint({ from, to }: Import): string | undefined {
  const [here, there] = [dirname(from), dirname(to)]
  const allowed = FOLDERS[here]
  if (allowed === 'all') return undefined
  if (here !== there && !allowed?.includes(there)) return `${here} may not import ${there}`
  if (here === 'db' && there === '.' && to !== 'config.ts') return 'db may import only config.ts from the top'
  const [low, high] = [ROLES.indexOf(roleOf(from)), ROLES.indexOf(roleOf(to))]
  if (here === there && low !== -1 && high > low) return `${roleOf(from)} may not import ${roleOf(to)}`
  const isShared = nounOf(from) === nounOf(to) || nounOf(to) === 'outbox' || nounOf(from) === 'demo'
  if (!isShared && OWN.has(roleOf(to))) return `${roleOf(to)} of ${nounOf(to)} is its own: ask its service`
  return undefined
}

/** Files that import each other, however far around; imports of types count too. */
function circles(): string[] {
  const next = new Map(files.map(file => [file, imports.filter(({ from }) => from === file)]))
  const found: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: string[]) => {
    if (path.includes(file)) {
      found.push(`circle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
      return
    }
    if (done.has(file)) return
    for (const { to } of next.get(file) ?? []) walk(to, [...path, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
  return found
}

const unjudged = files.filter(file => !(dirname(file) in FOLDERS))
const violations = imports.flatMap(one => {
  const why = complaint(one)
  return why ? [`src/${one.from} → src/${one.to}: ${why}`] : []
})
const complaints = [
  ...unjudged.map(file => `src/${file}: its folder is not in the picture`),
  ...violations,
  ...circles(),
  ...(imports.length === 0 ? ['no imports found: the check looks in the wrong place'] : []),
]
if (complaints.length > 0) {
  console.error(complaints.join('\n'))
  process.exit(1)
}
console.log(
  `Layers: ${files.length} files judged (all), ${imports.length} imports, violations 0, circles 0 (type-only included).`,
)
