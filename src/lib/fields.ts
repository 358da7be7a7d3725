import { type Fail, type Flaw, failInto, type Issue, issue } from './issue.ts'
import { refuseIfAny } from './problem.ts'
import { nullable } from './schemas.ts'

/**
 * One definition per input field gives both its API description and its parser, so the two cannot drift apart. Parsing
 * never throws: it reports every issue and the caller decides.
 */
export type JsonSchema = Record<string, unknown>

export interface Field<T> {
  schema: JsonSchema
  /** Returns the value, or reports what is wrong with it to `fail`. */
  read(value: unknown, fail: Fail): T | undefined
  /** Whether an explicit null clears the field. */
  nullable?: boolean
}

type Fields = Record<string, Field<unknown>>
export type ValueOf<F> = F extends Field<infer T> ? T : never
/** The parsed body: a missing key was not sent, null clears, undefined was sent but rejected. */
export type Patch<F extends Fields> = { [K in keyof F]?: ValueOf<F[K]> | null | undefined }
export const wasRefused = (patch: object, name: string) =>
  name in patch && (patch as Record<string, unknown>)[name] === undefined

export interface Reading<T> {
  value: T
  issues: Issue[]
}

// biome-ignore lint/suspicious/noExplicitAny: a field of any value type, returned unchanged
export function describe<F extends Field<any>>(field: F, description: string, example?: unknown): F {
  const more = example === undefined ? { description } : { description, example }
  return { ...field, schema: { ...field.schema, ...more } }
}

export function optional<T>(field: Field<T>): Field<T | null> {
  return { ...field, nullable: true, schema: nullable(field.schema) }
}

/** For forms, where empty inputs arrive as empty strings. */
export function orBlank<T>(field: Field<T>): Field<T | null> {
  const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
  return { ...optional(field), read: (value, fail) => (isBlank(value) ? null : field.read(value, fail)) }
}

/** Reads the known fields of a JSON body; unknown and inherited keys are ignored. Empty text clears like null. */
export function readBody<F extends Fields>(fields: F, body: unknown): Reading<Patch<F>> {
  const issues: Issue[] = []
  const value: Record<string, unknown> = {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const refused = Object.fromEntries(Object.keys(fields).map(name => [name, undefined]))
    return { value: refused as Patch<F>, issues: [issue('body', 'not_an_object')] }
  }
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(body, name)) continue
    const given = (body as Record<string, unknown>)[name]
    const sent = field.nullable && given === '' ? null : given
    const fail = failInto(issues, name, { sent })
    if (sent === null && !field.nullable) fail('null_not_allowed')
    value[name] = sent === null ? (field.nullable ? null : undefined) : field.read(sent, fail)
  }
  return { value: value as Patch<F>, issues }
}

/**
 * The values of fields that are all required. Throws every issue, including those `more` reports for the rest of the
 * form.
 */
export function readAll<F extends Fields>(
  fields: F,
  sent: { [K in keyof F]: unknown },
  more: readonly Issue[] = [],
): { [K in keyof F]: ValueOf<F[K]> } {
  const { value, issues } = readBody(fields, sent)
  refuseIfAny([...issues, ...more])
  return value as { [K in keyof F]: ValueOf<F[K]> }
}

export function bodySchema(fields: Fields, required: string[] = []): JsonSchema {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]))
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

// PostgreSQL cannot store NUL, and half a surrogate pair cannot be encoded as UTF-8.
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
const CONTROLS = /(?![\n\t])\p{Cc}/gu
export const cleanText = (text: string) => text.replace(CONTROLS, '').normalize('NFC').trim()
export const lengthOf = (text: string) => [...text].length

/** Text normalized to NFC and trimmed, its length measured in code points. Empty is the same as null. */
export function text({ min = 0, max }: { min?: number; max: number }): Field<string | null> {
  const schema = { type: 'string', ...(min > 0 ? { minLength: min } : {}), maxLength: max }
  return {
    schema,
    read(value, fail) {
      if (typeof value !== 'string') return void fail('not_text')
      if (!isStorable(value)) return void fail('invalid_characters')
      const clean = cleanText(value)
      const length = lengthOf(clean)
      if (length < min) return min === 1 ? void fail('empty') : void fail('too_short', { min })
      if (length > max) return void fail('too_long', { max })
      return clean === '' ? null : clean
    },
  }
}

/** Required text. */
export const filled = (length: { min?: number; max: number }) => text({ min: 1, ...length }) as Field<string>

/** Text that must also pass a check; empty text is null and passes. */
export function refined(
  base: Field<string | null>,
  isRight: (text: string) => boolean,
  flaw: Flaw,
  schema: JsonSchema = {},
): Field<string | null> {
  return {
    schema: { ...base.schema, ...schema },
    read(value, fail) {
      const clean = base.read(value, fail)
      return typeof clean === 'string' && !isRight(clean) ? void fail(...flaw) : clean
    },
  }
}

export interface Range {
  min: number
  max: number
  /** Excludes the minimum itself. */
  above?: boolean
  decimals?: number
}

export function checkNumber(value: number, range: Range, fail: Fail): number | undefined {
  const { min, max, above = false, decimals } = range
  const low = above ? value <= min : value < min
  if (!Number.isFinite(value) || low || value > max) {
    return void fail('out_of_range', { min, max, above })
  }
  if (decimals === 0 && !Number.isInteger(value)) return void fail('not_an_integer')
  if (decimals && Number(value.toFixed(decimals)) !== value) {
    return void fail('too_many_decimals', { max: decimals })
  }
  return value === 0 ? 0 : value
}

export function numberSchema({ min, max, above, decimals }: Range): JsonSchema {
  const type = decimals === 0 ? 'integer' : 'number'
  // The same bound said without `exclusiveMinimum`, which is a flag in OpenAPI 3.0 and a number in JSON Schema.
  if (above && decimals)
    return { type, minimum: Number((min + 10 ** -decimals).toFixed(decimals)), maximum: max }
  return { type, minimum: min, ...(above ? { exclusiveMinimum: true } : {}), maximum: max }
}

/** A JSON number. Text is rejected: guessing what "1,5" means corrupts data. */
export function number(range: Range): Field<number> {
  return {
    schema: numberSchema(range),
    read(value, fail) {
      if (typeof value !== 'number') return void fail('not_a_number')
      return checkNumber(value, range, fail)
    },
  }
}

export function boolean(): Field<boolean> {
  return {
    schema: { type: 'boolean' },
    read: (value, fail) => (typeof value === 'boolean' ? value : void fail('not_a_boolean')),
  }
}

export function oneOf<T extends string>(values: readonly T[]): Field<T> {
  return {
    schema: { type: 'string', enum: values },
    read: (value, fail) =>
      values.includes(value as T) ? (value as T) : void fail('unknown_value', { allowed: values }),
  }
}

export function list<T>(item: Field<T>, { min = 0, max }: { min?: number; max: number }): Field<T[]> {
  return {
    schema: { type: 'array', items: item.schema, ...(min > 0 ? { minItems: min } : {}), maxItems: max },
    read(value, fail) {
      if (!Array.isArray(value)) return void fail('not_a_list')
      if (value.length < min) return void fail('empty')
      if (value.length > max) return void fail('too_many_items', { max, sent: value.length })
      const items = value.map((entry, index) => item.read(entry, fail.at(index, entry)))
      return items.filter(entry => entry !== undefined)
    },
  }
}
