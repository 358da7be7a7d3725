import type { FastifyReply } from 'fastify'

export const escaped = (text: string): string =>
  text
    // XML 1.0 cannot represent these characters.
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

/** Whole documents as bytes: a cached one is sent without copying it. */
export const xmlDocument = (body: string): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`)

export const sendXml = (reply: FastifyReply, document: Buffer, type = 'application/xml') =>
  reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache').send(document)
