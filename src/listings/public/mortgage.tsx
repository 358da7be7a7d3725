import { formatAmount } from '../../lib/money.ts'
import { useVisit } from '../../site/visit.ts'
import type { Operation } from '../../site/words.ts'

/** Assumptions until the visitor changes them; nobody offers a loan here. Percent of the price, years, percent a year. */
const TERMS = {
  down: { usual: 20, min: 0, max: 90, step: 1 },
  years: { usual: 20, min: 1, max: 30, step: 1 },
  rate: { usual: 11, min: 0, max: 50, step: 0.1 },
} as const
type Term = keyof typeof TERMS
const NAMES = Object.keys(TERMS) as Term[]

export interface Mortgage {
  /** As typed. */
  texts: Record<Term, string>
  values: Record<Term, number>
  wrong: Term[]
}

export function readMortgage(query: URLSearchParams): Mortgage {
  const each = <T,>(of: (name: Term) => T) =>
    Object.fromEntries(NAMES.map(name => [name, of(name)])) as Record<Term, T>
  const texts = each(name => query.get(name)?.trim().slice(0, 20) || String(TERMS[name].usual))
  const values = each(name =>
    /^\d{1,3}([.,]\d+)?$/.test(texts[name]) ? Number(texts[name].replace(',', '.')) : -1,
  )
  const isWrong = (name: Term) => values[name] < TERMS[name].min || values[name] > TERMS[name].max
  return { texts, values, wrong: NAMES.filter(isWrong) }
}

/** Equal payments at the end of every month. public/mortgage.js does the same while the visitor types. */
export function monthlyPayment(loan: number, { years, rate }: { years: number; rate: number }): number {
  const months = years * 12
  const monthly = rate / 1200
  return monthly === 0 ? loan / months : (loan * monthly) / (1 - (1 + monthly) ** -months)
}

/** A form that asks for the same page again; with scripts it answers while one types. */
export function MortgageSection({ sale, mortgage }: { sale: Operation; mortgage: Mortgage }) {
  const { t, to, path } = useVisit()
  const { texts, values, wrong } = mortgage
  const loan = sale.amount * (1 - values.down / 100)
  const money = (amount: number) => formatAmount(Math.round(amount), sale.currency)
  const labels = {
    down: t('Enganche (%)', 'Down payment (%)'),
    years: t('Plazo (años)', 'Term (years)'),
    rate: t('Tasa anual fija (%)', 'Fixed annual rate (%)'),
  }
  return (
    <section class="listing-section" id="credito">
      <h2>{t('Estimación de crédito hipotecario', 'Mortgage estimate')}</h2>
      <form
        class="mortgage"
        action={`${to(path)}#credito`}
        method="get"
        data-mortgage={sale.amount}
        data-currency={sale.currency}
      >
        {NAMES.map(name => (
          <label>
            <span>{labels[name]}</span>
            <input
              class="input w-full"
              type="number"
              name={name}
              value={texts[name]}
              min={TERMS[name].min}
              max={TERMS[name].max}
              step={TERMS[name].step}
              inputmode="decimal"
              required
              aria-invalid={wrong.includes(name) || undefined}
            />
            {wrong.includes(name) && (
              <span class="text-error">
                {t(
                  `de ${TERMS[name].min} a ${TERMS[name].max}`,
                  `from ${TERMS[name].min} to ${TERMS[name].max}`,
                )}
              </span>
            )}
          </label>
        ))}
        <button class="btn" type="submit" data-without-script>
          {t('Calcular', 'Calculate')}
        </button>
        {wrong.length === 0 && (
          <output class="mortgage-result">
            <strong data-monthly>{money(monthlyPayment(loan, values))}</strong>{' '}
            {t('al mes, por un crédito de', 'a month, for a loan of')} <span data-loan>{money(loan)}</span>{' '}
            {t('y un enganche de', 'and a down payment of')}{' '}
            <span data-down>{money(sale.amount - loan)}</span>.
          </output>
        )}
      </form>
      <p class="mt-2 max-w-prose text-sm opacity-80">
        {t(
          `Es solo una estimación con pagos mensuales iguales. La tasa de ${TERMS.rate.usual}% es una suposición, no una oferta: cada banco ofrece la suya. No incluye seguros, comisiones, escrituración ni impuestos.`,
          `This is only an estimate, with equal monthly payments. The rate of ${TERMS.rate.usual}% is an assumption, not an offer: every bank has its own. Insurance, fees, closing costs and taxes are not included.`,
        )}
      </p>
    </section>
  )
}
