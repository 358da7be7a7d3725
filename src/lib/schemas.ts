import Type, { type Static, type TSchema } from 'typebox'

/**
 * OpenAPI 3.0 has no null type, only `nullable`. An enum does not list null: generators take it for a value of another
 * type, and skip the schema or write code that does not compile.
 */
export function nullable<T extends object>(schema: T): T {
  if ('anyOf' in schema && Array.isArray(schema.anyOf))
    return { ...schema, anyOf: schema.anyOf.map(nullable) }
  return { ...schema, nullable: true }
}

export const Nullable = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>(nullable(schema))

export const Uuid = Type.String({ format: 'uuid', example: '5f0c8a52-6f0e-4c1e-9d0a-3b1f6c2d7e11' })
export const Url = Type.String({ format: 'uri', example: 'https://lonja.example/agentes/ana-torres' })
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'UTC with milliseconds and a trailing Z.',
  example: '2026-02-03T09:14:02.771Z',
})
export const Version = Type.String({
  pattern: '^[0-9a-f]{16}$',
  description:
    'Changes whenever anything in the record changes, including an image, the agent or the agency.',
  example: '9c1e04b7d25fa830',
})
export const NullableText = Nullable(Type.String())
export const NullableNumber = Nullable(Type.Number())
export const NullableInteger = Nullable(Type.Integer())

export const Enum = <T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options })

/** A reference to a schema registered once under that name. */
export const Shared = <T = unknown>(name: string) => Type.Unsafe<T>({ $ref: `${name}#` })

export const Content = <T extends TSchema>(item: T) => Type.Object({ content: Type.Array(item) })
