import type { FastifyReply } from 'fastify'
import { XML_START } from '../../lib/xml.ts'

/** Whole documents as bytes: a cached one is sent without copying it. */
export const xmlDocument = (body: string): Buffer => Buffer.from(`${XML_START}${body}`)

export const sendXml = (reply: FastifyReply, document: Buffer, type = 'application/xml') =>
  reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(document)
