import { type ComponentChildren, isValidElement, type VNode } from 'preact'

const BLOCKS = new Set(['h1', 'p', 'blockquote', 'table', 'ul', 'div'])

/** The plain-text version, generated from the same elements so that the two cannot differ. */
export function plainText(node: VNode): string {
  return `${textOf(node)
    .replace(/[^\S\n]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`
}

function textOf(node: ComponentChildren): string {
  if (node === null || node === undefined || typeof node === 'boolean') return ''
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (!isValidElement(node)) return String(node)
  const { type, props } = node as VNode<{ children?: ComponentChildren; href?: string }>
  if (typeof type === 'function') return textOf((type as (props: unknown) => ComponentChildren)(props))
  if (type === 'head') return ''
  const inner = textOf(props.children)
  if (type === 'a') return inner === props.href ? inner : `${inner} <${props.href}>`
  if (type === 'tr') return `${cells(props.children)}\n`
  if (type === 'li') return `- ${inner}\n`
  if (type === 'blockquote') return `\n\n${inner.replace(/^/gm, '> ')}\n\n`
  return BLOCKS.has(type) ? `\n\n${inner}\n\n` : inner
}

const cells = (children: ComponentChildren) => [children].flat().map(textOf).join(': ')
