import { closest } from './edits.ts'
import { describe } from './fields.ts'
import type { Parameter } from './query.ts'
import { cut } from './text.ts'

/** The fields of a record that a client asked for. */
export interface Selection {
  /** Sorted, each once. */
  names: readonly string[]
  pick(record: unknown): unknown
}

type Tree = Map<string, Tree>
/** Everything below. */
const ALL: Tree = new Map()

const MAX_TEXT = 2_000

/** `fields=title,location.city`: names from the description of the record; those in `always` come along. */
export function fieldsParameter(record: object, always: readonly string[] = ['id']): Parameter<Selection> {
  const known = new Set(pathsOf(record))
  const example = [...known].filter(name => !always.includes(name) && !name.includes('.')).slice(0, 2)
  const field: Parameter<Selection> = {
    schema: { type: 'string', maxLength: MAX_TEXT },
    read(value, fail) {
      const text = String(value)
      if (text.length > MAX_TEXT) return void fail('too_long', { max: MAX_TEXT })
      const names = new Set([...always, ...text.split(',').map(name => name.trim())])
      names.delete('')
      const unknown = [...names].filter(name => !known.has(name))
      for (const name of unknown) fail('unknown_field', { value: cut(name), closest: closest(name, known) })
      return unknown.length > 0 ? undefined : selectionOf([...names].sort())
    },
  }
  const also = always.length > 0 ? ` ${always.map(name => `\`${name}\``).join(', ')} is always included.` : ''
  return describe(
    field,
    `Only these fields, separated by commas; use \`.\` for a nested field. All others are omitted.${also}`,
    example.join(','),
  )
}

/** `location` and `location.city`; parts of the entries of a list likewise. */
function pathsOf(schema: object): string[] {
  const { properties, items } = schema as { properties?: Record<string, object>; items?: object }
  if (items) return pathsOf(items)
  return Object.entries(properties ?? {}).flatMap(([name, part]) => [
    name,
    ...pathsOf(part).map(below => `${name}.${below}`),
  ])
}

function selectionOf(names: string[]): Selection {
  const tree: Tree = new Map()
  for (const name of names) plant(tree, name.split('.'))
  return { names, pick: record => pickFrom(record, tree) }
}

/** A whole field includes its parts, whichever is named first. */
function plant(tree: Tree, [name = '', ...below]: string[]): void {
  if (tree.get(name) === ALL) return
  if (below.length === 0) return void tree.set(name, ALL)
  const branch = tree.get(name) ?? new Map()
  tree.set(name, branch)
  plant(branch, below)
}

function pickFrom(value: unknown, tree: Tree): unknown {
  if (tree === ALL || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(entry => pickFrom(entry, tree))
  const parts = Object.entries(value).filter(([name]) => tree.has(name))
  return Object.fromEntries(parts.map(([name, part]) => [name, pickFrom(part, tree.get(name) as Tree)]))
}
