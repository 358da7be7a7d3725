/**
 * A PDF of one page of text, in the Helvetica that every reader has. Written by hand: this is all that is needed, and the
 * libraries for it bring a font engine along. Characters outside Windows-1252 become «?».
 */
interface Line {
  text: string
  size?: number
  bold?: boolean
  /** Space above, in points. */
  above?: number
}

const [WIDTH, HEIGHT, MARGIN] = [612, 792, 64]

// Widths of the characters from the space on, in thousandths of the size; letters with accents are as wide as without.
const WIDTHS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
  556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
  500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
  556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
  278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
]
/** Bold letters are up to a tenth wider. */
const BOLD = 1.1

function widthOf(text: string, size: number, bold: boolean): number {
  let sum = 0
  for (const letter of text.normalize('NFD').replace(/\p{M}/gu, ''))
    sum += WIDTHS[(letter.codePointAt(0) ?? 0) - 32] ?? 1_000
  return (sum / 1_000) * size * (bold ? BOLD : 1)
}

/** Lines no wider than the page; a word that is wider by itself is cut. */
function wrapped(text: string, size: number, bold: boolean): string[] {
  const fits = (line: string) => widthOf(line, size, bold) <= WIDTH - 2 * MARGIN
  const lines = ['']
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) as string
    const longer = last === '' ? word : `${last} ${word}`
    if (fits(longer)) lines[lines.length - 1] = longer
    else {
      let rest = word
      while (rest !== '') {
        const letters = [...rest]
        let take = letters.length
        while (take > 1 && !fits(letters.slice(0, take).join(''))) take--
        lines.push(letters.slice(0, take).join(''))
        rest = letters.slice(take).join('')
      }
    }
  }
  return lines.filter(line => line !== '')
}

// Windows-1252 is Latin-1 except for these.
const SPECIAL: Record<string, number> = {
  '€': 0x80,
  '…': 0x85,
  '‘': 0x91,
  '’': 0x92,
  '“': 0x93,
  '”': 0x94,
  '•': 0x95,
  '–': 0x96,
  '—': 0x97,
}

/** A string of the page's content, with everything but plain letters in octal. */
function literal(text: string): string {
  const codes = [...text.normalize('NFC')].map(letter => {
    const code = SPECIAL[letter] ?? letter.codePointAt(0) ?? 63
    return code < 32 || code > 255 || (code > 126 && code < 160 && !(letter in SPECIAL)) ? 63 : code
  })
  const plain = (code: number) => code < 127 && !'()\\'.includes(String.fromCharCode(code))
  const escaped = codes.map(code =>
    plain(code) ? String.fromCharCode(code) : `\\${code.toString(8).padStart(3, '0')}`,
  )
  return `(${escaped.join('')})`
}

/** Lines that do not fit on the page are left out. */
export function onePagePdf(title: string, lines: readonly Line[]): Buffer {
  let y = HEIGHT - MARGIN
  const content: string[] = []
  for (const { text, size = 10, bold = false, above = 0 } of lines) {
    y -= above
    for (const line of wrapped(text, size, bold)) {
      y -= size * 1.4
      if (y < MARGIN) break
      content.push(`BT /${bold ? 'B' : 'R'} ${size} Tf ${MARGIN} ${y.toFixed(1)} Td ${literal(line)} Tj ET`)
    }
  }
  const stream = content.join('\n')
  const font = (name: string) =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents 4 0 R /Resources << /Font << /R 5 0 R /B 6 0 R >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${literal(title)} /Producer (Lonja) >>`,
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = body.length
    body += `${i + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + trailer, 'latin1')
}
