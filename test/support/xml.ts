/** An element; the text of those that have children is not kept. */
export interface Xml {
  name: string
  attributes: Record<string, string>
  children: Xml[]
  text: string
}

const TOKEN = /<\?[^>]*\?>|<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy
const ENTITY = /&(?:#(\d+)|(amp|lt|gt|quot|apos));/g
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  if (/&(?!#\d+;|(?:amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`a bare & in ${text}`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 excludes exactly these
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)) throw new Error('a character that XML excludes')
  return text.replace(ENTITY, (_, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (NAMED[name] as string),
  )
}

/** Parses strictly: throws on anything that is not well-formed, and on what our documents never contain. */
export function parseXml(document: string): Xml {
  const top: Xml = { name: '', attributes: {}, children: [], text: '' }
  const open = [top]
  let end = 0
  for (const [token, closing, name, attributes = '', empty, text] of document.matchAll(TOKEN)) {
    end += token.length
    const parent = open.at(-1) as Xml
    if (text !== undefined) parent.text += decoded(text)
    if (name === undefined) continue
    if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`)
      continue
    }
    const pairs = [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key, value]) => [
      key,
      decoded(value ?? ''),
    ])
    const element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' }
    parent.children.push(element)
    if (!empty) open.push(element)
  }
  if (end !== document.length) throw new Error(`not XML: ${document.slice(end, end + 80)}`)
  if (open.length !== 1 || top.children.length !== 1) throw new Error('not one closed root')
  return top.children[0] as Xml
}

/** What a documentation says about an element; a bare pattern is for its text. */
export interface Rule {
  /** Zero or one unless said otherwise. */
  times?: 'one' | 'any' | 'some'
  text?: RegExp
  attributes?: Record<string, RegExp>
  children?: Schema
}
export type Schema = Record<string, Rule>

/** Everything in an element that the schema does not allow. */
export function faultsIn(element: Xml, schema: Schema, path = element.name): string[] {
  const unknown = element.children
    .filter(({ name }) => !schema[name])
    .map(({ name }) => `${path}: unknown ${name}`)
  const wrong = Object.entries(schema).flatMap(([name, { times, text, attributes = {}, children }]) => {
    const found = element.children.filter(child => child.name === name)
    const isMissing = found.length === 0 && (times === 'one' || times === 'some')
    const isRepeated = found.length > 1 && times !== 'any' && times !== 'some'
    return [
      ...(isMissing ? [`${path}: no ${name}`] : []),
      ...(isRepeated ? [`${path}: ${name} repeated`] : []),
      ...found.flatMap(child => [
        ...(text && !text.test(child.text) ? [`${path}/${name}: ${child.text}`] : []),
        ...Object.entries(child.attributes)
          .filter(([key, value]) => !attributes[key]?.test(value))
          .map(([key, value]) => `${path}/${name}@${key}: ${value}`),
        ...(children || child.children.length > 0 ? faultsIn(child, children ?? {}, `${path}/${name}`) : []),
      ]),
    ]
  })
  return [...unknown, ...wrong]
}

export const textOf = (element: Xml | undefined, name: string): string | undefined =>
  element?.children.find(child => child.name === name)?.text
