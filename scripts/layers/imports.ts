import { dirname, join } from 'node:path'

/** Every folder, and the folders it may import. */
export type Folders = Record<string, string[] | 'all'>

/** The imports of one file, with paths relative to src/. */
export interface Source {
  name: string
  text: string
}

interface Import {
  from: string
  to: string
}

/** Inside a folder, lower layers may not import higher ones. A file with any other name belongs to `rules`. */
const ROLES = ['rules', 'schema', 'store', 'record', 'service', 'api']
/** Other nouns are reached through their service; their SQL and routes are private. The demo writes in bulk. */
const OWN = new Set(['store', 'api'])

const nounOf = (path: string) => path.split('/')[0] as string
const roleOf = (path: string) => (path.split('/').at(-1) as string).replace(/\.tsx?$/, '')

const importsOf = (sources: readonly Source[]): Import[] =>
  sources.flatMap(({ name, text }) =>
    [...text.matchAll(/(?:from |import |import\()'(\.[^']+)'/g)].map(match => ({
      from: name,
      to: join(dirname(name), match[1] as string),
    })),
  )

function complaint(folders: Folders, { from, to }: Import): string | undefined {
  const [here, there] = [dirname(from), dirname(to)]
  const allowed = folders[here]
  if (allowed === 'all') return undefined
  if (here !== there && !allowed?.includes(there)) return `${here} may not import ${there}`
  if (here === 'db' && there === '.' && to !== 'config.ts') return 'db may import only config.ts from the top'
  const [low, high] = [ROLES.indexOf(roleOf(from)), ROLES.indexOf(roleOf(to))]
  if (here === there && low !== -1 && high > low) return `${roleOf(from)} may not import ${roleOf(to)}`
  const isShared = nounOf(from) === nounOf(to) || nounOf(to) === 'outbox' || nounOf(from) === 'demo'
  if (!isShared && OWN.has(roleOf(to))) return `${roleOf(to)} of ${nounOf(to)} is its own: ask its service`
  return undefined
}

/** Import cycles of any length; type imports count too. */
function circles(sources: readonly Source[], imports: readonly Import[]): string[] {
  const next = new Map(sources.map(({ name }) => [name, imports.filter(({ from }) => from === name)]))
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
  for (const { name } of sources) walk(name, [])
  return found
}

export function judgeImports(sources: readonly Source[], folders: Folders) {
  const imports = importsOf(sources)
  const unjudged = sources.filter(({ name }) => !(dirname(name) in folders))
  const violations = imports.flatMap(one => {
    const why = complaint(folders, one)
    return why ? [`src/${one.from} → src/${one.to}: ${why}`] : []
  })
  const complaints = [
    ...unjudged.map(({ name }) => `src/${name}: its folder is not in the picture`),
    ...violations,
    ...circles(sources, imports),
    ...(imports.length === 0 ? ['no imports found: the check looks in the wrong place'] : []),
  ]
  return { imports: imports.length, complaints }
}
