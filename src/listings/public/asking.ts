import type { Market } from '../../site/market.ts'
import { cleanQuery } from './filters.ts'

/** Turns typed text into the URL of a search. Typed filters override those selected in the form. */
export async function addressOf(market: Market, sent: URLSearchParams, typed: string): Promise<string> {
  const { parameters, text } = await market.understand(typed)
  const next = new URLSearchParams(sent)
  for (const name of ['q', 'page', ...parameters.keys()]) next.delete(name)
  for (const [name, value] of parameters) next.append(name, value)
  if (text) next.set('q', text)
  next.set('asked', typed)
  return `/propiedades?${cleanQuery(next)}`
}
