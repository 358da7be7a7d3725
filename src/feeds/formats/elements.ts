import { escaped } from '../../lib/xml.ts'

type Value = string | number | null | undefined

/** `<name>value</name>`; nothing if there is no value. Attributes without a value are left out. */
export function element(name: string, value: Value, attributes?: Record<string, Value>): string {
  return value === null || value === undefined || value === ''
    ? ''
    : parent(name, escaped(String(value)), attributes)
}

/** `content` is XML. */
export function parent(name: string, content: string, attributes?: Record<string, Value>): string {
  return `<${name}${attributes ? written(attributes) : ''}>${content}</${name}>`
}

const written = (attributes: Record<string, Value>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => ` ${key}="${escaped(String(value))}"`)
    .join('')
