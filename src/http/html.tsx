import type { FastifyReply } from 'fastify'
import type { VNode } from 'preact'
import { render } from 'preact-render-to-string'

/** Scripts, styles and data only from this server, nothing inline; pictures also from where agents keep theirs. */
const pageCsp = (frameAncestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

/** A whole page. Text is escaped by the renderer; addresses given by people go through `safeHref` first. */
export function sendPage(
  reply: FastifyReply,
  page: VNode,
  /** Whose pages may show it in a frame: nobody's, unless it is made for that. */
  frameAncestors = "'none'",
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', pageCsp(frameAncestors))
    .send(`<!doctype html>${render(page)}`)
}

/** The renderer does not know that `javascript:` in a link is code. */
export const safeHref = (url: string): string => (/^https?:\/\//i.test(url) ? url : '#')
