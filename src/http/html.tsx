import type { FastifyReply } from 'fastify'
import type { VNode } from 'preact'
import { render } from 'preact-render-to-string'

interface PagePolicy {
  /** Which sites may embed the page in a frame; none by default. */
  frameAncestors?: string
  /** Addresses outside this server that its scripts may read. */
  connect?: readonly string[]
  /** Whether it has frames with documents of this server. */
  frames?: boolean
}

/** Scripts, styles and data only from this server, nothing inline; images also from agents' own hosts. */
const pageCsp = ({ frameAncestors = "'none'", connect = [], frames = false }: PagePolicy) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    ...(frames ? ["frame-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')

/** A whole page. The renderer escapes text; URLs entered by people must go through `safeHref` first. */
export function sendPage(reply: FastifyReply, page: VNode, policy: PagePolicy = {}): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', pageCsp(policy))
    .send(`<!doctype html>${render(page)}`)
}

/** The renderer does not block `javascript:` links. */
export const safeHref = (url: string): string => (/^https?:\/\//i.test(url) ? url : '#')
