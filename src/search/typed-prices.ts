import { typedPrice } from './understand/amounts.ts'

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
