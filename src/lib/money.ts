export type Currency = 'MXN' | 'USD'
export const CURRENCIES: readonly Currency[] = ['MXN', 'USD']

export interface Price {
  amount: number
  /** Set only when the text named one. */
  currency?: Currency
}

export const MAX_AMOUNT = 999_999_999_999.99

// Mexican and US notation only: comma groups and a decimal point. Any other reading could be off by a factor of 1,000.
// Never two adjacent runs of spaces: backtracking over a body full of them would take minutes.
const PRICE =
  /^(MXN|USD|MX\$|US\$)?\s*(?:\$\s*)?(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)\s*(MXN|USD|MX\$|US\$|\$)?$/i

const currencyOf = (mark: string | undefined): Currency | undefined =>
  mark === undefined || mark === '$' ? undefined : mark.toUpperCase().startsWith('MX') ? 'MXN' : 'USD'

/** Parses «$1,250,000.50 MXN» and similar; undefined when the text is not clearly a price. */
export function parsePrice(text: string): Price | undefined {
  const [, before, digits, after] = PRICE.exec(text.trim()) ?? []
  if (digits === undefined) return undefined
  const first = currencyOf(before)
  const last = currencyOf(after)
  if (first && last && first !== last) return undefined
  const currency = first ?? last
  const amount = Number(digits.replaceAll(',', ''))
  return currency ? { amount, currency } : { amount }
}

/** «1,250,000» or «1,250,000.50»: the format of form inputs, which `parsePrice` reads. */
export function groupAmount(amount: number): string {
  const [whole = '', cents] = Number.isInteger(amount) ? [String(amount)] : amount.toFixed(2).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return cents ? `${grouped}.${cents}` : grouped
}

/** «$1,250,000 MXN». Not Intl, which omits the code for MXN and inserts a no-break space for USD. */
export const formatAmount = (amount: number, currency: Currency): string =>
  `$${groupAmount(amount)} ${currency}`
