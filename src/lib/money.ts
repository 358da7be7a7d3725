export type Currency = 'MXN' | 'USD'
export const CURRENCIES: readonly Currency[] = ['MXN', 'USD']

export interface Price {
  amount: number
  /** Set only when the text named one. */
  currency?: Currency
}

/** Rounded to a millionth, so that a whole amount stays whole. */
export function convert(
  price: number,
  currency: Currency,
  { currency: asked, mxnPerUsd }: { currency: Currency; mxnPerUsd: number },
): number {
  if (currency === asked) return price
  return Math.round((asked === 'MXN' ? price * mxnPerUsd : price / mxnPerUsd) * 1e6) / 1e6
}

export const MAX_AMOUNT = 999_999_999_999.99

const MARKS: Record<Currency, string> = {
  MXN: 'MXN|MX\\$|M\\.?N\\.?|pesos(?: M\\.?N\\.?)?',
  USD: 'USD|US\\$|dlls?\\.?|dls\\.?|d[oó]lares',
}
const MARK = `(${MARKS.MXN}|${MARKS.USD}`

// Mexican and US notation only: comma groups and a decimal point, and an apostrophe after the millions as people write it.
// Any other reading could be off by a factor of 1,000.
const DIGITS = `(\\d{1,3}(?:,\\d{3})*['’´]\\d{3},\\d{3}(?:\\.\\d{1,2})?|\\d{1,3}(?:,\\d{3})+(?:\\.\\d{1,2})?|\\d+(?:\\.\\d{1,2})?)`

// Never two adjacent runs of spaces: backtracking over a body full of them would take minutes.
const PRICE = new RegExp(`^${MARK})?\\s*(?:\\$\\s*)?${DIGITS}\\s*${MARK}|\\$)?$`, 'iu')
const MEXICAN = new RegExp(`^(?:${MARKS.MXN})$`, 'iu')

const currencyOf = (mark: string | undefined): Currency | undefined =>
  mark === undefined || mark === '$' ? undefined : MEXICAN.test(mark) ? 'MXN' : 'USD'

/** Parses «$1,250,000.50 MXN», «1'250,000 M.N.», «85,000 dlls» and similar; undefined when the text is not clearly a price. */
export function parsePrice(text: string): Price | undefined {
  const [, before, digits, after] = PRICE.exec(text.trim()) ?? []
  if (digits === undefined) return undefined
  const first = currencyOf(before)
  const last = currencyOf(after)
  if (first && last && first !== last) return undefined
  const currency = first ?? last
  const amount = Number(digits.replace(/[,'’´]/g, ''))
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
