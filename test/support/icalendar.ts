/** An RFC 5545 property with its TEXT values decoded. */
export interface IcalProperty {
  name: string
  parameters: Record<string, string>
  value: string
}

export interface IcalComponent {
  name: string
  properties: IcalProperty[]
  components: IcalComponent[]
}

const TEXT = new Set(['NAME', 'X-WR-CALNAME', 'SUMMARY', 'DESCRIPTION', 'LOCATION'])
const LINE = /^([A-Z][A-Z0-9-]*)((?:;[A-Z][A-Z0-9-]*=[^;:,"]*)*):(.*)$/su

/** Parses a file, or throws at the first violation of the standard. */
export function readIcalendar(bytes: Buffer): IcalComponent {
  const file = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  if (!file.endsWith('\r\n')) throw new Error('the last line has no end')
  const physical = file.slice(0, -2).split('\r\n')
  for (const line of physical) {
    if (/[\r\n]/.test(line)) throw new Error(`a line break that is not CRLF in ${JSON.stringify(line)}`)
    if (Buffer.byteLength(line) > 75) throw new Error(`${Buffer.byteLength(line)} octets in ${line}`)
    if (line === '') throw new Error('an empty line')
    if (/(?!\t)\p{Cc}/u.test(line)) throw new Error(`a control character in ${JSON.stringify(line)}`)
  }
  const logical: string[] = []
  for (const line of physical) {
    if (/^[ \t]/.test(line)) {
      if (logical.length === 0) throw new Error('the first line goes on')
      logical[logical.length - 1] += line.slice(1)
    } else logical.push(line)
  }
  const open: IcalComponent[] = []
  let root: IcalComponent | undefined
  for (const line of logical) {
    const [, name = '', parameters = '', value = ''] = LINE.exec(line) ?? []
    if (name === '') throw new Error(`not a property: ${line}`)
    if (root) throw new Error(`something behind the end: ${line}`)
    const current = open.at(-1)
    if (name === 'BEGIN') {
      const component = { name: value, properties: [], components: [] }
      current?.components.push(component)
      open.push(component)
    } else if (name === 'END') {
      if (current?.name !== value) throw new Error(`END:${value} ends ${current?.name}`)
      open.pop()
      if (open.length === 0) root = current
    } else if (!current) throw new Error(`outside of every component: ${line}`)
    else {
      current.properties.push({
        name,
        parameters: Object.fromEntries(
          parameters
            .split(';')
            .filter(Boolean)
            .map(one => one.split('=')),
        ),
        value: TEXT.has(name) ? decoded(value) : value,
      })
    }
  }
  if (!root) throw new Error('never ends')
  return checked(root)
}

function decoded(value: string): string {
  let text = ''
  for (let i = 0; i < value.length; i++) {
    const char = value[i] as string
    if (char === ',' || char === ';') throw new Error(`a bare ${char} in the text ${value}`)
    if (char !== '\\') {
      text += char
      continue
    }
    const next = value[++i] ?? ''
    if (!/[\\;,nN]/.test(next)) throw new Error(`\\${next} in the text ${value}`)
    text += next.toLowerCase() === 'n' ? '\n' : next
  }
  return text
}

export const icalValue = (component: IcalComponent, name: string): string | undefined =>
  component.properties.find(one => one.name === name)?.value

const MOMENT = /^\d{8}T\d{6}Z$/

function checked(calendar: IcalComponent): IcalComponent {
  if (calendar.name !== 'VCALENDAR') throw new Error(`a ${calendar.name}`)
  if (icalValue(calendar, 'VERSION') !== '2.0') throw new Error('not version 2.0')
  if (!icalValue(calendar, 'PRODID')) throw new Error('nobody made it')
  for (const event of calendar.components) {
    const names = event.properties.map(one => one.name)
    for (const name of ['UID', 'DTSTAMP', 'DTSTART']) {
      if (names.filter(one => one === name).length !== 1) throw new Error(`an event without one ${name}`)
    }
    if (new Set(names).size !== names.length) throw new Error(`twice in an event: ${names}`)
    for (const { name, value } of event.properties) {
      const isMoment = /^(DT|LAST-MODIFIED)/.test(name)
      if (isMoment && !MOMENT.test(value)) throw new Error(`${name}:${value} is no moment of UTC`)
      if (name === 'SEQUENCE' && !(/^\d+$/.test(value) && Number(value) < 2 ** 31)) {
        throw new Error(`SEQUENCE:${value}`)
      }
    }
  }
  return calendar
}
