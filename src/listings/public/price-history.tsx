import { formatAmount } from '../../lib/money.ts'
import { timeText } from '../../lib/time.ts'
import { useVisit } from '../../site/visit.ts'
import { type Listing, operationName } from '../../site/words.ts'
import type { PriceChange } from '../history.ts'

/** What was asked for it since it was published; nothing of before. */
export function PriceHistory({ listing, changes }: { listing: Listing; changes: PriceChange[] }) {
  const { lang, t } = useVisit()
  if (changes.length === 0) return null
  return (
    <section class="listing-section">
      <h2>{t('Historial de precio', 'Price history')}</h2>
      <ul class="price-history">
        {changes.map(({ at, operation, before, after }) => {
          const currency = listing.operations.find(one => one.type === operation)?.currency ?? 'MXN'
          const percent = Math.round((after / before - 1) * 1000) / 10
          return (
            <li>
              <time datetime={at.toISOString()}>{timeText(at, 'longDay', lang)}</time>
              {listing.operations.length > 1 && <span>{operationName(operation, lang)}</span>}
              <span>
                <s>
                  <span class="sr-only">{t('antes', 'before')} </span>
                  {formatAmount(before, currency)}
                </s>{' '}
                → {formatAmount(after, currency)}
              </span>
              <strong class={percent < 0 ? 'is-lower' : undefined}>
                {percent < 0
                  ? t(`bajó ${-percent}%`, `down ${-percent}%`)
                  : t(`subió ${percent}%`, `up ${percent}%`)}
              </strong>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
