import type { ComponentChildren } from 'preact'

const ADDRESS = /(https:\/\/[^\s<>"]*[^\s<>"().,;:!?]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)/

/** Web and email addresses as links. Whatever else it contains stays text. */
const linked = (text: string): ComponentChildren =>
  text.split(ADDRESS).map((part, i) =>
    i % 2 === 0 ? (
      part
    ) : (
      <a key={part} class="link" href={part.startsWith('https://') ? part : `mailto:${part}`}>
        {part}
      </a>
    ),
  )

/** Paragraphs between empty lines, «## » before a heading and «- » before each item of a list. */
export function Prose({ text }: { text: string }) {
  const blocks = text.split(/\n\s*\n/).map(block => block.trim())
  return (
    <>
      {blocks.filter(Boolean).map(block => (
        <Block key={block} block={block} />
      ))}
    </>
  )
}

function Block({ block }: { block: string }) {
  const lines = block.split('\n').map(line => line.trim())
  const [first = '', ...rest] = lines
  if (first.startsWith('## ')) {
    return (
      <>
        <h2>{first.slice(3)}</h2>
        {rest.length > 0 && <Block block={rest.join('\n')} />}
      </>
    )
  }
  if (!first.startsWith('- ')) return <p>{linked(lines.join(' '))}</p>
  const items = block.split(/^\s*- /m).filter(Boolean)
  return (
    <ul>
      {items.map(item => (
        <li key={item}>{linked(item.trim())}</li>
      ))}
    </ul>
  )
}
