import type { LightMyRequestResponse } from 'fastify'
import type { Exchange } from './exchange.ts'

export interface Page {
  status: number
  html: string
  headers: LightMyRequestResponse['headers']
}

/** A page as a browser requests it, after search has seen all writes. */
export async function visit(exchange: Exchange, path: string): Promise<Page> {
  await exchange.search.refresh()
  const { statusCode, body, headers } = await exchange.app.inject({
    method: 'GET',
    url: path,
    headers: { accept: 'text/html,application/xhtml+xml' },
  })
  return { status: statusCode, html: body, headers }
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
export const decoded = (text: string): string =>
  text
    .replace(/&(amp|lt|gt|quot|#39);/g, entity => ENTITIES[entity] as string)
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

export const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(match => decoded(match[1] as string))

// biome-ignore lint/suspicious/noExplicitAny: linked data is of every shape
export const linkedData = (html: string): any[] =>
  [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(match =>
    JSON.parse(match[1] as string),
  )

/** What a reader sees: no tags, no scripts. */
export const textOf = (html: string): string =>
  decoded(
    html
      .replace(/<script.*?<\/script>/gs, ' ')
      .replace(/<head>.*?<\/head>/gs, ' ')
      .replace(/<[^>]+>/g, ' '),
  ).replace(/\s+/g, ' ')

export const locations = (xml: string): string[] =>
  [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(match => decoded(match[1] as string))
