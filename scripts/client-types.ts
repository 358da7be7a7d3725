/** The types of clients/typescript, generated from docs/openapi.json. With --check: fails if they are not up to date. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { OpenAPIV3 } from 'openapi-types'

const SOURCE = 'docs/openapi.json'
const TARGET = 'clients/typescript/src/types.ts'

type Schema = OpenAPIV3.SchemaObject | OpenAPIV3.ReferenceObject
type Operation = OpenAPIV3.OperationObject

const document = JSON.parse(readFileSync(SOURCE, 'utf8')) as OpenAPIV3.Document

/** Names that would hide those of the language. */
const RENAMED: Record<string, string> = { Error: 'ErrorBody', Event: 'WebhookEvent' }
const nameOf = (name: string) => RENAMED[name] ?? name

const union = (types: string[]) => [...new Set(types)].join(' | ')

function typeOf(schema: Schema): string {
  if ('$ref' in schema) return nameOf(schema.$ref.replace('#/components/schemas/', ''))
  const type = plainTypeOf(schema)
  return schema.nullable ? union([type, 'null']) : type
}

function plainTypeOf(schema: OpenAPIV3.SchemaObject): string {
  if (schema.enum) return union(schema.enum.map(value => JSON.stringify(value)))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return union(choices.map(choice => openChoice(choice, choices)))
  if (schema.type === 'array') return `Array<${typeOf(schema.items)}>`
  if (schema.type === 'object') return objectOf(schema)
  return schema.type === 'integer' ? 'number' : (schema.type ?? 'unknown')
}

/** Any text beside names: editors still offer the names. */
const openChoice = (choice: Schema, choices: Schema[]): string => {
  const type = typeOf(choice)
  return type === 'string' && choices.some(one => '$ref' in one) ? '(string & {})' : type
}

function objectOf({ properties, additionalProperties, required = [] }: OpenAPIV3.SchemaObject): string {
  if (properties) {
    const lines = Object.entries(properties).map(([name, part]) =>
      fieldOf(name, part, required.includes(name)),
    )
    return `{\n${lines.join('\n')}\n}`
  }
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'
  return `Record<string, ${values}>`
}

function fieldOf(name: string, schema: Schema, isRequired: boolean): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
  return `${commentOf(schema)}${key}${isRequired ? '' : '?'}: ${typeOf(schema)}${isRequired ? '' : ' | undefined'}`
}

const commentOf = (schema: Schema & { description?: string }): string =>
  schema.description ? `/** ${schema.description.replaceAll('*/', '* /')} */\n` : ''

function requestOf({ parameters = [], requestBody }: Operation): string {
  const named = (parameters as OpenAPIV3.ParameterObject[]).filter(({ in: place }) => place !== 'header')
  const fields = named.map(({ name, schema, description, required }) =>
    fieldOf(name, { ...(schema as Schema), ...(description ? { description } : {}) }, required === true),
  )
  const body = requestBody && jsonOf(requestBody as OpenAPIV3.RequestBodyObject)
  const all = [...fields, ...(body ? [fieldOf('body', body, true)] : [])]
  return all.length === 0 ? 'object' : `{\n${all.join('\n')}\n}`
}

const jsonOf = ({ content }: { content?: Record<string, OpenAPIV3.MediaTypeObject> }) =>
  content?.['application/json']?.schema

function answerOf({ responses }: Operation): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return union(good.map(([, answer]) => typeOf(jsonOf(answer as OpenAPIV3.ResponseObject) as Schema)))
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    name: operation.operationId as string,
    operation,
  })),
)

const text = [
  `// Generated from ${SOURCE} by \`npm run client:types\`. Do not edit.`,
  ...Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => `${commentOf(schema)}export type ${nameOf(name)} = ${typeOf(schema)}`,
  ),
  `/** The method and the path of every operation. */\nexport const OPERATIONS = {\n${operations
    .map(({ name, method, path }) => `${name}: ['${method}', '${path}'],`)
    .join('\n')}\n} as const`,
  `/** What every operation takes, path and query parameters by name, and what it answers. */\nexport interface Operations {\n${operations
    .map(
      ({ name, operation }) =>
        `/** ${operation.summary}. ${operation.description} */\n${name}: { request: ${requestOf(operation)}; answer: ${answerOf(operation)} }`,
    )
    .join('\n')}\n}`,
].join('\n\n')

const biome = 'node_modules/@biomejs/biome/bin/biome'
const formatted = execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${TARGET}`], {
  input: text,
  encoding: 'utf8',
})

if (!process.argv.includes('--check')) writeFileSync(TARGET, formatted)
else if (readFileSync(TARGET, 'utf8') !== formatted) {
  console.error(`${TARGET} is not what ${SOURCE} gives: run npm run client:types.`)
  process.exit(1)
}
