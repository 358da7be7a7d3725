/** A property of RFC 5545: its name, with parameters if it has any, and its value as it stands in the file. */
export type Property = readonly [name: string, value: string]

const MAX_OCTETS = 75
const CONTROLS = /(?!\t)\p{Cc}/gu

/** The characters that mean something in a TEXT value, and line breaks, so that a text is never more than a text. */
export const icalText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(CONTROLS, '')

/** `20260301T163000Z` */
export const icalMoment = (at: Date): string => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** No line is longer than 75 octets, and no character is cut in two. */
function folded(line: string): string {
  const lines: string[] = []
  let current = ''
  let octets = 0
  for (const char of line) {
    const size = Buffer.byteLength(char)
    if (octets + size > MAX_OCTETS) {
      lines.push(current)
      current = ' '
      octets = 1
    }
    current += char
    octets += size
  }
  return [...lines, current].join('\r\n')
}

const component = (
  name: string,
  properties: readonly Property[],
  inner: readonly string[] = [],
): string[] => [
  `BEGIN:${name}`,
  ...properties.map(([key, value]) => `${key}:${value}`),
  ...inner,
  `END:${name}`,
]

/** A whole file: a calendar and its events. */
export const icalendar = (
  properties: readonly Property[],
  events: readonly (readonly Property[])[],
): string => {
  const inner = events.flatMap(event => component('VEVENT', event))
  return component('VCALENDAR', properties, inner)
    .map(line => `${folded(line)}\r\n`)
    .join('')
}
