import { describe, expect, it } from 'vitest'
import { onePagePdf } from '../../src/lib/pdf.ts'

const textOf = (pdf: Buffer) =>
  [...pdf.toString('latin1').matchAll(/Td \((.*)\) Tj/g)].map(([, text = '']) =>
    text.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
  )

describe('a PDF of one page', () => {
  it('has a table of objects whose offsets are right, and one page', () => {
    const pdf = onePagePdf('Acuerdo', [{ text: 'Hola' }]).toString('latin1')
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1])
    expect(pdf.slice(start, start + 4)).toBe('xref')
    const offsets = [...pdf.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) =>
      Number(offset),
    )
    expect(offsets).toHaveLength(7)
    for (const [i, offset] of offsets.entries())
      expect(pdf.slice(offset)).toMatch(new RegExp(`^${i + 1} 0 obj\n`))
    const [, length, stream] = /\/Length (\d+) >>\nstream\n(.*?)\nendstream/s.exec(pdf) ?? []
    expect(stream).toHaveLength(Number(length))
    expect(pdf).toContain('/Count 1')
  })

  it('writes accents and brackets, and a question mark for what the font has not', () => {
    expect(textOf(onePagePdf('x', [{ text: 'Peñón (á) \\ 漢 🏠' }]))).toEqual(['Peñón (á) \\ ? ?'])
  })

  it('wraps lines, cuts words that are too wide and leaves out what does not fit', () => {
    const lines = textOf(onePagePdf('x', [{ text: 'W'.repeat(500) }, { text: 'uno dos '.repeat(2_000) }]))
    expect(lines.length).toBeLessThan(60)
    expect(lines.slice(0, -1).every(line => line.length < 140)).toBe(true)
    expect(lines[0]).toMatch(/^W{20,60}$/)
  })
})
