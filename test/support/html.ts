const VOID = new Set([
  'meta',
  'link',
  'img',
  'input',
  'br',
  'hr',
  'source',
  'area',
  'base',
  'col',
  'embed',
  'wbr',
])
// Not inside a paragraph: a browser would close the paragraph and build a different tree.
const BLOCKS = new Set(
  'div p ul ol dl section article aside header footer nav main form fieldset figure table h1 h2 h3 h4 details'.split(
    ' ',
  ),
)
const ONLY_CHILD: Record<string, readonly string[]> = {
  li: ['ul', 'ol'],
  dt: ['dl', 'div'],
  dd: ['dl', 'div'],
  option: ['select', 'datalist'],
  legend: ['fieldset'],
  summary: ['details'],
  figcaption: ['figure'],
}
const INTERACTIVE = new Set(['a', 'button', 'input', 'select', 'textarea', 'details', 'label'])

const TOKEN =
  /<!doctype html>|<(\/?)([a-zA-Z][\w-]*)((?:\s+[a-zA-Z_:][\w:.-]*(?:="[^"<]*")?)*)\s*(\/?)>|[^<]+/gy
const ATTRIBUTE = /\s+([a-zA-Z_:][\w:.-]*)(?:="([^"]*)")?/g

/** Validation errors of a page; empty if it is valid. */
export function htmlFaults(html: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  const ids = new Set<string>()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < html.length) {
    const at = TOKEN.lastIndex
    const token = TOKEN.exec(html)
    if (!token) return [...faults, `not markup at ${at}: ${html.slice(at, at + 60)}`]
    const [, closing, name, attributes = '', selfClosing] = token
    if (name === undefined) continue
    if (closing) {
      const last = open.pop()
      if (last !== name) faults.push(`</${name}> closes <${last}>`)
      continue
    }
    faults.push(...attributeFaults(name, attributes, ids), ...nestingFaults(name, open))
    if (!VOID.has(name) && !selfClosing) open.push(name)
    if (name === 'script') {
      const end = html.indexOf('</script>', TOKEN.lastIndex)
      TOKEN.lastIndex = end
    }
  }
  if (open.length > 0) faults.push(`never closed: ${open.join(' ')}`)
  const headings = [...html.matchAll(/<h1[\s>]/g)].length
  if (headings !== 1) faults.push(`${headings} first headings`)
  for (const [, target] of html.matchAll(/\s(?:for|aria-labelledby|list)="([^"]+)"/g)) {
    if (!ids.has(target as string)) faults.push(`nothing has the id ${target}`)
  }
  return faults
}

function attributeFaults(name: string, text: string, ids: Set<string>): string[] {
  const faults: string[] = []
  const given = [...text.matchAll(ATTRIBUTE)]
  const names = given.map(match => (match[1] as string).toLowerCase())
  if (new Set(names).size !== names.length) faults.push(`<${name}> has an attribute twice`)
  for (const one of names) {
    if (one.startsWith('on') || one === 'style') faults.push(`<${name}> has ${one}`)
  }
  if (name === 'img' && !names.includes('alt')) faults.push('an image without alt')
  const id = given.find(match => match[1] === 'id')?.[2]
  if (id !== undefined) {
    if (ids.has(id)) faults.push(`two elements have the id ${id}`)
    ids.add(id)
  }
  return faults
}

function nestingFaults(name: string, open: readonly string[]): string[] {
  const faults: string[] = []
  if (BLOCKS.has(name) && open.includes('p')) faults.push(`<${name}> inside a paragraph`)
  if (INTERACTIVE.has(name) && name !== 'input' && name !== 'select' && open.includes('a'))
    faults.push(`<${name}> inside a link`)
  const parents = ONLY_CHILD[name]
  if (parents && !parents.includes(open.at(-1) ?? '')) faults.push(`<${name}> inside <${open.at(-1)}>`)
  if (['ul', 'ol'].includes(open.at(-1) ?? '') && name !== 'li')
    faults.push(`<${name}> straight inside a list`)
  return faults
}
