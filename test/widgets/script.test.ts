import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

const SCRIPT = readFileSync('public/widget.js', 'utf8')
const LONJA = 'https://lonja.example'

type Listener = (event: Record<string, unknown>) => void

/** Runs the script on a page with only what the script uses. */
function run({ inHead = false, readyState = 'loading' } = {}) {
  const listeners = new Map<string, Listener>()
  const inBody: unknown[] = []
  const afterScript: unknown[] = []
  const frame = {
    style: {} as Record<string, string>,
    contentWindow: {},
    src: '',
    setAttribute: () => {},
    addEventListener: () => {},
  }
  const document = {
    readyState,
    currentScript: {
      src: `${LONJA}/widget.js`,
      dataset: { widget: 'an id/?', theme: 'x&y' },
      closest: (name: string) => (inHead && name === 'head' ? {} : null),
      after: (node: unknown) => afterScript.push(node),
    },
    createElement: () => frame,
    body: { append: (node: unknown) => inBody.push(node) },
  }
  const addEventListener = (name: string, listener: Listener) => listeners.set(name, listener)
  runInContext(SCRIPT, createContext({ document, addEventListener, URL, console }))
  const tell = (event: Record<string, unknown>) => listeners.get('message')?.(event)
  return { frame, inBody, afterScript, listeners, tell }
}

describe('the frame', () => {
  it('is inserted at the script', () => {
    const { frame, inBody, afterScript } = run()
    expect([afterScript, inBody]).toEqual([[frame], []])
    expect(frame.src).toBe(`${LONJA}/widget/an%20id%2F%3F?theme=x%26y`)
  })

  it('is at the end of the page for a script in the head, once there is a body', () => {
    const { frame, inBody, listeners } = run({ inHead: true })
    expect(inBody).toEqual([])
    listeners.get('DOMContentLoaded')?.({})
    expect(inBody).toEqual([frame])
  })

  it.each(['interactive', 'complete'])('is there at once when the page is already %s', readyState => {
    const { frame, inBody } = run({ inHead: true, readyState })
    expect(inBody).toEqual([frame])
  })
})

describe('the height', () => {
  const right = (frame: { contentWindow: unknown }) => ({
    origin: LONJA,
    source: frame.contentWindow,
    data: { lonjaHeight: 700.2 },
  })

  it('is what the frame sends, within limits', () => {
    const { frame, tell } = run()
    tell(right(frame))
    expect(frame.style.height).toBe('701px')
    tell({ ...right(frame), data: { lonjaHeight: 1e9 } })
    expect(frame.style.height).toBe('30000px')
  })

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another window of ours', { source: {} }],
    ['an invalid number', { data: { lonjaHeight: 'url(x)' } }],
    ['a negative number', { data: { lonjaHeight: -5 } }],
    ['nothing', { data: null }],
  ])('ignores %s', (_who, wrong) => {
    const { frame, tell } = run()
    tell({ ...right(frame), ...wrong })
    expect(frame.style.height).toBe('480px')
  })
})
