import Type, { type Static, type TSchema } from 'typebox'

/** OpenAPI 3.0 has no null type, only `nullable`. */
export function nullable<T extends object>(schema: T): T {
  if ('anyOf' in schema && Array.isArray(schema.anyOf))
    return { ...schema, anyOf: schema.anyOf.map(nullable) }
  const values = 'enum' in schema && Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  return { ...schema, ...values, nullable: true }
}

export const Nullable = <T extends TSchema>(schema: T) => Type.Unsafe<Static<T> | null>(nullable(schema))

export const Uuid = Type.String({ format: 'uuid' })
export const Url = Type.String({ format: 'uri' })
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'UTC with milliseconds and a trailing Z.',
})
export const Version = Type.String({
  pattern: '^[0-9a-f]{16}$',
  description:
    'Changes whenever anything in the record changes, including an image, the agent or the agency.',
})
export const NullableText = Nullable(Type.String())
export const NullableNumber = Nullable(Type.Number())
export const NullableInteger = Nullable(Type.Integer())

export const Enum = <T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options })

/** A reference to a schema registered once under that name. */
export const Shared = (name: string) => Type.Unsafe<unknown>({ $ref: `${name}#` })

export const Content = <T extends TSchema>(item: T) => Type.Object({ content: Type.Array(item) })
