/** An RFC 5545 property: its name, with any parameters, and its value already escaped. */
export type Property = readonly [name: string, value: string]

const MAX_OCTETS = 75
const CONTROLS = /(?!\t)\p{Cc}/gu

/** Escapes special characters and line breaks of a TEXT value, so text cannot inject properties. */
export const icalText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(CONTROLS, '')

/** `20260301T163000Z` */
export const icalMoment = (at: Date): string => `${at.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

/** Folds lines at 75 octets without splitting a character. */
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
