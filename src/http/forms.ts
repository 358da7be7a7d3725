import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isStorable } from '../lib/fields.ts'
import { Problem } from '../lib/problem.ts'

/** A message of 5,000 characters takes up to twelve bytes each when encoded; the other fields take a few thousand. */
const FORM_BYTES = 80 * 1024

/** For public pages with forms. Accepts no other content type. */
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

/** Browsers never send NUL and PostgreSQL cannot store it: such a form is rejected before it is read. */
export const isStorableForm = (form: URLSearchParams): boolean =>
  [...form].every(([name, value]) => isStorable(name) && isStorable(value))

export const queryOf = (request: FastifyRequest): URLSearchParams => request.query as URLSearchParams

/** Path parameters that PostgreSQL cannot store match no record. */
export function registerParameters(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const values = Object.values((request.params ?? {}) as Record<string, string>)
    done(values.every(isStorable) ? undefined : new Problem('not_found'))
  })
}

/** The text of a field in a multipart form. A sender may label it as JSON, in which case it arrives parsed. */
export function fieldText({ value, valueTruncated }: { value: unknown; valueTruncated: boolean }): string {
  if (valueTruncated) throw new Problem('payload_too_large')
  if (typeof value !== 'string') throw new Problem('bad_request')
  return value
}

/** The fields of a form; empty if none was sent. */
export const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
