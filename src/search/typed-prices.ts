import { typedPrice } from './understand/prices.ts'
import type { Understood } from './understand/understand.ts'

const PRICES = ['min_price', 'max_price']

/**
 * Prices as people type them into a form, in digits: "3m", "2.5 mdp", "800 mil usd". A currency that is named is searched, unless
 * another was chosen. What is no price stays, so that it can be reported.
 */
export function withPlainPrices(query: URLSearchParams): URLSearchParams {
  const plain = new URLSearchParams(query)
  for (const name of PRICES) {
    plain.delete(name)
    for (const text of query.getAll(name)) {
      const bare = text.replace(/[\s,$]/g, '')
      const price = /^\d*(\.\d+)?$/.test(bare) ? undefined : typedPrice(text)
      plain.append(name, price ? String(price.amount) : bare)
      if (price?.currency && !plain.get('currency')) plain.set('currency', price.currency)
    }
  }
  return plain
}

const NAMED = [...PRICES, 'currency', 'price_in']

/**
 * Typed amounts are in the currency they name, or else in pesos: compared in it, at the day's rate, or only with prices in it. A
 * currency without an amount is that of the listing.
 */
export function amountsIn(
  how: 'price_in' | 'currency',
  understood: Understood,
  given: URLSearchParams,
): Understood {
  const { parameters, pieces } = understood
  const price = pieces.find(
    ({ parameter }) => PRICES.includes(parameter) || (how === 'price_in' && parameter === 'sort'),
  )
  if (!price || NAMED.some(name => given.has(name))) return understood
  const named = parameters.get('currency')
  if (named && (how === 'currency' || price.parameter === 'sort')) return understood
  const compared = new URLSearchParams(parameters)
  compared.delete('currency')
  compared.set(how, named ?? 'MXN')
  return {
    ...understood,
    parameters: compared,
    pieces: [
      ...pieces.filter(({ parameter }) => parameter !== 'currency'),
      { text: price.text, parameter: how, value: named ?? 'MXN' },
    ],
  }
}
