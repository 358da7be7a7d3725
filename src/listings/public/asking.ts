import { dropUnusable, textToFind } from '../../search/ask.ts'
import { amountsIn, withPlainPrices } from '../../search/typed-prices.ts'
import type { Market } from '../../site/market.ts'
import { cleanQuery } from './filters.ts'

const MAX_TYPED = 300

/** What was typed into the search box, unless it is what the page before already understood. */
export function typedIn(sent: URLSearchParams): string | undefined {
  const typed = sent.get('ask')?.trim().slice(0, MAX_TYPED)
  // The box shows the words that remained text; resubmitting them unchanged is not a new query.
  return typed !== undefined && typed !== '' && typed !== sent.get('q') ? typed : undefined
}

/** The parameters of a search as its form was sent. */
export async function queryOf(market: Market, sent: URLSearchParams): Promise<URLSearchParams> {
  const typed = typedIn(sent)
  if (typed) return understood(market, sent, typed)
  const rest = new URLSearchParams(sent)
  if (sent.get('ask')?.trim() === '') rest.delete('q')
  return cleanQuery(rest)
}

/** Turns typed text into parameters of a search. Typed filters override those selected in the form. */
async function understood(market: Market, sent: URLSearchParams, typed: string): Promise<URLSearchParams> {
  const meaning = amountsIn('price_in', await market.understand(typed), cleanQuery(sent))
  const { parameters } = meaning
  const { q } = textToFind(meaning)
  const others = withPlainPrices(sent)
  for (const name of ['q', 'page', ...parameters.keys()]) others.delete(name)
  const next = new URLSearchParams(others)
  for (const [name, value] of parameters) next.append(name, value)
  dropUnusable(next, others, meaning)
  if (q) next.set('q', q)
  next.set('asked', typed)
  return cleanQuery(next)
}
