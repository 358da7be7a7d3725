import {
  type Serializer,
  type SerializerFactory,
  SerializerSelector,
} from '@fastify/fast-json-stringify-compiler'

const build = SerializerSelector()
/** By the shared schemas, then by the schema of an answer. */
const built = new Map<string, Map<string, Serializer>>()

/** One for each schema instead of each route and status: most are the same errors, and building checks every shared schema again. */
export const buildSerializer: SerializerFactory = (shared, options) => {
  const compile = build(shared, options)
  const key = JSON.stringify([shared, options])
  const known = built.get(key) ?? new Map<string, Serializer>()
  built.set(key, known)
  return route => {
    const schema = JSON.stringify(route.schema)
    const serializer = known.get(schema) ?? compile(route)
    known.set(schema, serializer)
    return serializer
  }
}
