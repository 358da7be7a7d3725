import type { FastifyReply } from 'fastify'
import type { Selection } from '../lib/selection.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Bypasses the route's serializer, to which a missing field is a fault of ours. */
const sendJson = (reply: FastifyReply, body: unknown) => reply.type(JSON_TYPE).send(JSON.stringify(body))

/** A record, or the selected part of it. */
export const sendRecord = <T extends object>(
  reply: FastifyReply,
  record: T,
  fields: Selection | undefined,
) => (fields ? sendJson(reply, fields.pick(record)) : reply.send(record))

/** The same of a record that is JSON already. */
export const sendBytes = (reply: FastifyReply, record: Buffer, fields: Selection | undefined) =>
  fields ? sendJson(reply, fields.pick(JSON.parse(record.toString()))) : reply.type(JSON_TYPE).send(record)

export const sendContent = <T>(reply: FastifyReply, content: T[], fields: Selection | undefined) =>
  fields ? sendJson(reply, { content: content.map(fields.pick) }) : reply.send({ content })
