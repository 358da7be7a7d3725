import type { Sql } from '../../db/database.ts'
import { type Currency, convert } from '../../lib/money.ts'
import { findRate } from '../../rates/service.ts'
import type { Criteria } from '../../search/criteria.ts'
import { type Comparing, RateNote } from '../../site/comparing.tsx'
import { useVisit } from '../../site/visit.ts'
import { comparedIn, withParameters } from './filters.ts'

const byPrice = ({ sort }: Criteria) => sort === 'price_asc' || sort === 'price_desc'
const isPriced = (criteria: Criteria) =>
  byPrice(criteria) || criteria.minPrice !== undefined || criteria.maxPrice !== undefined

/**
 * The search with its prices compared in one currency. Without a rate, only listings in that currency are found, so that
 * amounts of different currencies are never compared. Cheapest means cheapest: featured listings do not come first.
 */
export async function compared(db: Sql, query: URLSearchParams, criteria: Criteria): Promise<Compared> {
  return comparedAt(await findRate(db, undefined), query, criteria)
}

interface Compared {
  criteria: Criteria
  comparing: Comparing
}

export function comparedAt(rate: Comparing['rate'], query: URLSearchParams, criteria: Criteria): Compared {
  const currency = rate ? comparedIn(query) : (criteria.currency ?? comparedIn(query))
  const prices = rate ? { priceIn: { currency, mxnPerUsd: rate.mxnPerUsd } } : { currency }
  return {
    criteria: {
      ...criteria,
      ...(isPriced(criteria) ? prices : {}),
      ...(byPrice(criteria) ? { featuredFirst: false } : {}),
    },
    comparing: { currency, rate },
  }
}

/** An alert compares amounts of one currency: that of the range. */
export function alertQuery(query: URLSearchParams): URLSearchParams {
  const kept = new URLSearchParams(query)
  if (query.has('min_price') || query.has('max_price')) kept.set('currency', comparedIn(query))
  return kept
}

/** The same search in another currency; the limits are converted with it. */
function inCurrency(query: URLSearchParams, currency: Currency, { currency: now, rate }: Comparing): string {
  const changes: Record<string, string> = { price_in: currency }
  for (const name of ['min_price', 'max_price']) {
    const amount = Number(query.get(name))
    if (rate && amount > 0)
      changes[name] = String(Math.round(convert(amount, now, { currency, mxnPerUsd: rate.mxnPerUsd })))
  }
  return withParameters(query, changes)
}

export function CurrencyChoice(props: { query: URLSearchParams; comparing: Comparing; criteria: Criteria }) {
  const { t, to } = useVisit()
  const { query, comparing, criteria } = props
  const names = { MXN: t('pesos', 'pesos'), USD: t('dólares', 'dollars') }
  const other = comparing.currency === 'MXN' ? 'USD' : 'MXN'
  if (!comparing.rate) {
    if (!isPriced(criteria)) return null
    return (
      <p class="currency-choice" role="note">
        {t(
          `Sin tipo de cambio disponible, los precios en pesos y en dólares no se comparan: aquí están las propiedades en ${names[comparing.currency]}.`,
          `There is no exchange rate, so prices in pesos and dollars are not compared: these are the properties priced in ${names[comparing.currency]}.`,
        )}{' '}
        <a class="link" href={to(withParameters(without(query), { currency: other }))} rel="nofollow">
          {t(`Ver las de ${names[other]}`, `See those in ${names[other]}`)}
        </a>
      </p>
    )
  }
  return (
    <div class="currency-choice">
      <span>{t('Comparar precios en', 'Compare prices in')}</span>
      {(['MXN', 'USD'] as const).map(one => (
        <a
          href={to(inCurrency(query, one, comparing))}
          rel="nofollow"
          aria-current={one === comparing.currency ? 'true' : undefined}
        >
          {names[one]}
        </a>
      ))}
      <RateNote />
    </div>
  )
}

/** Limits are amounts of the currency that is left. */
function without(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const name of ['min_price', 'max_price', 'price_in']) next.delete(name)
  return next
}
