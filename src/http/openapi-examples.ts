import type { OpenAPIV3 } from 'openapi-types'
import { ERRORS } from './errors.ts'

export type Document = OpenAPIV3.Document
type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject
type Media = OpenAPIV3.MediaTypeObject

/**
 * Gives every body of the description an example, composed of the examples of its parts, and every parameter its own:
 * clients such as Postman look for it there, not in the schema.
 */
export function withExamples(document: Document): Document {
  const operations = Object.values(document.paths).flatMap(path => Object.values(path ?? {}))
  for (const { parameters = [], requestBody, responses = {} } of operations as OpenAPIV3.OperationObject[]) {
    for (const parameter of parameters as OpenAPIV3.ParameterObject[])
      parameter.example ??= (parameter.schema as OpenAPIV3.SchemaObject).example
    const body = requestBody as OpenAPIV3.RequestBodyObject | undefined
    give(body?.content, schema => sampleOf(document, schema))
    for (const [status, answer] of Object.entries(responses)) {
      const error = Object.entries(ERRORS).find(([, { status: code }]) => code === Number(status))
      give((answer as OpenAPIV3.ResponseObject).content, schema =>
        error && status !== '422' && status !== '409'
          ? { error: error[0], message: error[1].message }
          : sampleOf(document, schema),
      )
    }
  }
  return document
}

function give(content: Record<string, Media> | undefined, exampleOf: (schema: Schema) => unknown): void {
  for (const media of Object.values(content ?? {})) {
    if (media.schema) media.example ??= exampleOf(media.schema)
  }
}

const BY_TYPE = { string: 'text', integer: 1, number: 1, boolean: true }

function sampleOf(document: Document, schema: Schema): unknown {
  if ('$ref' in schema) {
    const name = schema.$ref.replace('#/components/schemas/', '')
    return sampleOf(document, document.components?.schemas?.[name] as Schema)
  }
  if (schema.example !== undefined) return schema.example
  const [first] = schema.oneOf ?? schema.anyOf ?? []
  if (first) return sampleOf(document, first)
  if (schema.type === 'array') return [sampleOf(document, schema.items)]
  if (schema.enum) return schema.enum[0]
  if (schema.nullable) return null
  if (schema.type !== 'object') return BY_TYPE[schema.type as keyof typeof BY_TYPE]
  const parts = Object.entries(schema.properties ?? {}).filter(([name]) => schema.required?.includes(name))
  return Object.fromEntries(parts.map(([name, part]) => [name, sampleOf(document, part)]))
}
