import { type Currency, formatAmount } from './money.ts'

const PERCENT = /^(\d{1,3}(?:[.,]\d{1,4})?)\s*%?(?:\s*\+\s*iva)?$/i
/** Nobody shares more of a price: a higher number is a part of the commission, whose amount is not known here. */
const MAX_OF_PRICE = 20

/** The shared commission as percent of the price: «3», «2.5 %», «3% + IVA». Null for any other text. */
export function percentOfPrice(text: string | null): number | null {
  const [, digits] = PERCENT.exec(text?.trim() ?? '') ?? []
  const percent = digits === undefined ? Number.NaN : Number(digits.replace(',', '.'))
  return percent <= MAX_OF_PRICE ? percent : null
}

/** What that makes at a price; undefined if it does not follow from the text. */
export function commissionAmount(
  text: string | null,
  price: { amount: number; currency: Currency },
): string | undefined {
  const percent = percentOfPrice(text)
  if (percent === null) return undefined
  return formatAmount(Math.round(price.amount * percent) / 100, price.currency)
}

/** As people read it: a bare number is a percentage. */
export const commissionText = (text: string): string => (/^\d{1,3}(\.\d+)?$/.test(text) ? `${text}%` : text)
