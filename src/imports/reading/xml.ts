import { SaxesParser } from 'saxes'
import { unreadable } from './limits.ts'

export interface Handlers {
  /** Without the prefix. */
  open(name: string, attributes: Record<string, string>): void
  text(text: string): void
  close(name: string): void
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * What the handlers emit, chunk by chunk. The parser knows no entities but the five of XML and never opens another file;
 * a document type, which could define more, is rejected.
 */
export async function* parseXml<T>(
  bytes: AsyncIterable<Buffer>,
  handlersFor: (emit: (item: T) => void) => Handlers,
): AsyncGenerator<T> {
  let found: T[] = []
  const handlers = handlersFor(item => void found.push(item))
  const parser = new SaxesParser()
  parser.on('opentag', tag => handlers.open(localName(tag.name), tag.attributes as Record<string, string>))
  parser.on('text', text => handlers.text(text))
  parser.on('cdata', text => handlers.text(text))
  parser.on('closetag', tag => handlers.close(localName(tag.name)))
  parser.on('doctype', () => {
    throw unreadable()
  })
  parser.on('error', () => {
    throw unreadable()
  })
  const decoder = new TextDecoder()
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk, { stream: true }))
    if (found.length === 0) continue
    yield* found
    found = []
  }
  parser.write(decoder.decode()).close()
  yield* found
}
