import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Currency, convert, formatAmount } from '../lib/money.ts'
import { dayText } from '../lib/time.ts'
import { useVisit } from './visit.ts'
import type { Listing, Operation } from './words.ts'

/** The currency in which a page compares prices, and at what rate; without a rate nothing is converted. */
export interface Comparing {
  currency: Currency
  rate: { day: string; mxnPerUsd: number; source: string } | undefined
}

const ComparingContext = createContext<Comparing | undefined>(undefined)
export const ComparingIn = ComparingContext.Provider

/** Rounded: a converted price is never exact. */
const rounded = (amount: number): number =>
  amount < 1_000 ? Math.round(amount) : Number(amount.toPrecision(4))

/** About how much a price is in the page's currency. The asked price is always beside it. */
export function About({ operation }: { operation: Operation }) {
  const { t } = useVisit()
  const { currency, rate } = useContext(ComparingContext) ?? {}
  if (!currency || !rate || operation.currency === currency) return null
  const amount = convert(operation.amount, operation.currency, { currency, mxnPerUsd: rate.mxnPerUsd })
  return (
    <span class="price-about">
      <span aria-hidden="true">≈ </span>
      <span class="sr-only">{t('aproximadamente', 'about')} </span>
      {formatAmount(rounded(amount), currency)}
    </span>
  )
}

/** The rate and its day, wherever something was converted. */
export function RateNote() {
  const { lang, t } = useVisit()
  const { rate } = useContext(ComparingContext) ?? {}
  if (!rate) return null
  return (
    <span class="price-rate">
      {t('1 dólar =', '1 dollar =')} ${rate.mxnPerUsd} MXN, {dayText(rate.day, { dateStyle: 'medium' }, lang)}{' '}
      ({rate.source})
    </span>
  )
}

/** Rents by area are customary only for businesses. */
const RENTED_BY_AREA = new Set(['office', 'commercial', 'warehouse'])

/** By built area; land by the lot. */
export function perSquareMeter(listing: Listing, { type, amount, currency }: Operation): string | undefined {
  const area = listing.property_type === 'land' ? listing.lot_m2 : listing.construction_m2
  if (!area || (type === 'rental' && !RENTED_BY_AREA.has(listing.property_type))) return undefined
  const each = amount / area
  return `${formatAmount(each < 100 ? Math.round(each * 100) / 100 : Math.round(each), currency)}/m²`
}
