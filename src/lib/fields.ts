import { nullable } from './schemas.ts'

/**
 * One definition per input field: what the API description says of it and how it is read are made together,
 * so that they cannot drift apart. Reading never throws: each problem is told, and the caller decides.
 */
export type JsonSchema = Record<string, unknown>

export interface Field<T> {
  schema: JsonSchema
  /** Returns the value, or tells `fail` what it must be, as in «must be a number». */
  read(value: unknown, fail: (what: string) => void): T | undefined
  /** Whether an explicit null clears it. */
  nullable?: boolean
}

type Fields = Record<string, Field<unknown>>
export type ValueOf<F> = F extends Field<infer T> ? T : never
/** What a body said: a missing key was not sent, null clears, undefined was sent but refused. */
export type Patch<F extends Fields> = { [K in keyof F]?: ValueOf<F[K]> | null | undefined }
export const wasRefused = (patch: object, name: string) =>
  name in patch && (patch as Record<string, unknown>)[name] === undefined

export interface Reading<T> {
  value: T
  errors: string[]
}

// biome-ignore lint/suspicious/noExplicitAny: a field of whatever value, returned as it came
export function describe<F extends Field<any>>(field: F, description: string, example?: unknown): F {
  const more = example === undefined ? { description } : { description, example }
  return { ...field, schema: { ...field.schema, ...more } }
}

export function optional<T>(field: Field<T>): Field<T> {
  return { ...field, nullable: true, schema: nullable(field.schema) }
}

/** Reads the known fields of a JSON body; others are ignored, inherited ones too. */
export function readBody<F extends Fields>(fields: F, body: unknown): Reading<Patch<F>> {
  const errors: string[] = []
  const value: Record<string, unknown> = {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const refused = Object.fromEntries(Object.keys(fields).map(name => [name, undefined]))
    return { value: refused as Patch<F>, errors: ['body must be a JSON object'] }
  }
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(body, name)) continue
    const sent = (body as Record<string, unknown>)[name]
    const fail = (what: string) => errors.push(what.startsWith('[') ? `${name}${what}` : `${name} ${what}`)
    if (sent === null && !field.nullable) fail('cannot be null')
    value[name] = sent === null ? (field.nullable ? null : undefined) : field.read(sent, fail)
  }
  return { value: value as Patch<F>, errors }
}

export function bodySchema(fields: Fields, required: string[] = []): JsonSchema {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema]))
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

// NUL cannot be stored by PostgreSQL and half a surrogate pair cannot be written as UTF-8.
const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()
const CONTROLS = /(?![\n\t])\p{Cc}/gu
export const cleanText = (text: string) => text.replace(CONTROLS, '').normalize('NFC').trim()
export const lengthOf = (text: string) => [...text].length

/** Text as people count it: code points, composed and trimmed. Empty is the same as null. */
export function text({ min = 0, max }: { min?: number; max: number }): Field<string | null> {
  const schema = { type: 'string', ...(min > 0 ? { minLength: min } : {}), maxLength: max }
  return {
    schema,
    read(value, fail) {
      if (typeof value !== 'string') return void fail('must be text')
      if (!isStorable(value)) return void fail('contains characters that cannot be stored')
      const clean = cleanText(value)
      const length = lengthOf(clean)
      if (length < min) {
        return void fail(min === 1 ? 'must not be empty' : `must be at least ${min} characters`)
      }
      if (length > max) return void fail(`must be at most ${max} characters`)
      return clean === '' ? null : clean
    },
  }
}

/** Text that must also pass a check; empty text is null and passes. */
export function refined(
  base: Field<string | null>,
  isRight: (text: string) => boolean,
  what: string,
  schema: JsonSchema = {},
): Field<string | null> {
  return {
    schema: { ...base.schema, ...schema },
    read(value, fail) {
      const clean = base.read(value, fail)
      return typeof clean === 'string' && !isRight(clean) ? void fail(what) : clean
    },
  }
}

export interface Range {
  min: number
  max: number
  /** The minimum itself is refused. */
  above?: boolean
  decimals?: number
}

export function checkNumber(value: number, range: Range, fail: (what: string) => void): number | undefined {
  const { min, max, above = false, decimals } = range
  const low = above ? value <= min : value < min
  if (!Number.isFinite(value) || low || value > max) {
    return void fail(
      above ? `must be greater than ${min} and at most ${max}` : `must be between ${min} and ${max}`,
    )
  }
  if (decimals === 0 && !Number.isInteger(value)) return void fail('must be a whole number')
  if (decimals && Number(value.toFixed(decimals)) !== value) {
    return void fail(`must have at most ${decimals} decimals`)
  }
  return value === 0 ? 0 : value
}

export function numberSchema({ min, max, above, decimals }: Range): JsonSchema {
  return {
    type: decimals === 0 ? 'integer' : 'number',
    minimum: min,
    ...(above ? { exclusiveMinimum: true } : {}),
    maximum: max,
  }
}

/** A JSON number; text is refused, for guessing what "1,5" means is how data gets corrupted. */
export function number(range: Range): Field<number> {
  return {
    schema: numberSchema(range),
    read(value, fail) {
      if (typeof value !== 'number') return void fail('must be a number')
      return checkNumber(value, range, fail)
    },
  }
}

export function boolean(): Field<boolean> {
  return {
    schema: { type: 'boolean' },
    read: (value, fail) => (typeof value === 'boolean' ? value : void fail('must be true or false')),
  }
}

export function oneOf<T extends string>(values: readonly T[]): Field<T> {
  return {
    schema: { type: 'string', enum: values },
    read: (value, fail) =>
      values.includes(value as T) ? (value as T) : void fail(`must be one of: ${values.join(', ')}`),
  }
}

export function list<T>(item: Field<T>, { min = 0, max }: { min?: number; max: number }): Field<T[]> {
  return {
    schema: { type: 'array', items: item.schema, ...(min > 0 ? { minItems: min } : {}), maxItems: max },
    read(value, fail) {
      if (!Array.isArray(value)) return void fail('must be a list')
      if (value.length < min) return void fail('must not be empty')
      if (value.length > max) return void fail(`must have at most ${max} items, ${value.length} were sent`)
      const items = value.map((entry, index) => item.read(entry, what => fail(`[${index}] ${what}`)))
      return items.filter(entry => entry !== undefined)
    },
  }
}
