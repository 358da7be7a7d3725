import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A message of 5,000 characters takes up to twelve bytes for each on its way, the other fields a few thousand. */
const FORM_BYTES = 80 * 1024

/** For pages whose forms anybody may send. Nothing but a form is read. */
export async function registerForms(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(formbody, {
    bodyLimit: FORM_BYTES,
    parser: text => new URLSearchParams(text) as never,
  })
}

/** What a form sent; empty for whoever sent none. */
export const formOf = (request: FastifyRequest): URLSearchParams =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
