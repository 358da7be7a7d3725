import { typedPrice } from './understand/amounts.ts'
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

/** Amounts typed without a currency are pesos: compared in them, or only with them. */
export function inPesos(
  understood: Understood,
  given: URLSearchParams,
  how: 'price_in' | 'currency',
): Understood {
  const { parameters, pieces } = understood
  const price = pieces.find(
    ({ parameter }) => PRICES.includes(parameter) || (how === 'price_in' && parameter === 'sort'),
  )
  if (!price || parameters.has('currency') || NAMED.some(name => given.has(name))) return understood
  const compared = new URLSearchParams(parameters)
  compared.set(how, 'MXN')
  return {
    ...understood,
    parameters: compared,
    pieces: [...pieces, { text: price.text, parameter: how, value: 'MXN' }],
  }
}
