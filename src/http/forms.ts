import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isStorable } from '../lib/fields.ts'
import { Problem } from '../lib/problem.ts'

/** A message of 5,000 characters takes up to twelve bytes for each on its way, the other fields a few thousand. */
const FORM_BYTES = 80 * 1024

/** For pages whose forms anybody may send. Nothing but a form is read. */
export async function registerForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(formbody, {
    bodyLimit: FORM_BYTES,
    parser: text => new URLSearchParams(text) as never,
  })
  app.addHook('preValidation', async request => {
    if (!isStorableForm(formOf(request)) || !isStorableForm(queryOf(request)))
      throw new Problem('bad_request')
  })
}

/** No browser sends a NUL by itself, and PostgreSQL cannot store one: such a form is refused before anything reads it. */
export const isStorableForm = (form: URLSearchParams): boolean =>
  [...form].every(([name, value]) => isStorable(name) && isStorable(value))

export const queryOf = (request: FastifyRequest): URLSearchParams => request.query as URLSearchParams

/** Nothing we have is called that. */
export function registerParameters(app: FastifyInstance): void {
  app.addHook('preValidation', async request => {
    const values = Object.values((request.params ?? {}) as Record<string, string>)
    if (!values.every(isStorable)) throw new Problem('not_found')
  })
}

/** The text of a field in a form with files. Its sender may call it JSON, and then it comes parsed. */
export function fieldText({ value, valueTruncated }: { value: unknown; valueTruncated: boolean }): string {
  if (valueTruncated) throw new Problem('payload_too_large')
  if (typeof value !== 'string') throw new Problem('bad_request')
  return value
}

/** What a form sent; empty for whoever sent none. */
export const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
