/** Reports the length of files and functions in src/, except generated files. Never fails. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync, Visitor } from 'vite'

const SRC = resolve(import.meta.dirname, '../src')
const MAX_FILE = 350
const MAX_FUNCTION = 80

interface Size {
  name: string
  lines: number
}

const byLength = (a: Size, b: Size) => b.lines - a.lines

function longFunctions(file: string, text: string): Size[] {
  const found: Size[] = []
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const measure = (node: { start: number; end: number }) => {
    const first = lineAt(node.start)
    const lines = lineAt(node.end) - first + 1
    if (lines > MAX_FUNCTION) found.push({ name: `src/${file}:${first}`, lines })
  }
  new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(parseSync(file, text).program)
  return found
}

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.tsx?$/.test(name))
  .map(name => ({ name, text: readFileSync(join(SRC, name), 'utf8') }))
  .filter(({ text }) => !text.startsWith('// Made by `npm run'))
const files = sources
  .map(({ name, text }) => ({ name: `src/${name}`, lines: text.trimEnd().split('\n').length }))
  .sort(byLength)
const functions = sources.flatMap(({ name, text }) => longFunctions(name, text)).sort(byLength)
const show = (sizes: Size[]) =>
  sizes.map(({ name, lines }) => `  ${String(lines).padStart(4)}  ${name}`).join('\n')

const median = files[Math.floor(files.length / 2)]?.lines
const long = files.filter(({ lines }) => lines > MAX_FILE).length
console.log(`${files.length} files, median ${median} lines, over ${MAX_FILE} lines: ${long}. The longest:`)
console.log(show(files.slice(0, 10)))
console.log(`Functions over ${MAX_FUNCTION} lines: ${functions.length}`)
console.log(show(functions))
