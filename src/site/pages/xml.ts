import type { FastifyReply } from 'fastify'

export const escaped = (text: string): string =>
  text
    // XML 1.0 has no way to write these at all.
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

export const sendXml = (reply: FastifyReply, body: string, type = 'application/xml') =>
  reply
    .type(`${type}; charset=utf-8`)
    .header('cache-control', 'no-cache')
    .send(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`)
