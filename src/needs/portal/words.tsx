import type { Lang } from '../../lib/i18n.ts'
import { type Currency, formatAmount } from '../../lib/money.ts'
import { OPERATIONS, PROPERTY_TYPES, RENT_PERIODS, type RentPeriod } from '../../lookups/catalog.ts'
import { labelOf } from '../../market/portal/filters.tsx'
import { amenityName } from '../../site/words.ts'

export const HOME = '/portal/needs'

interface Criteria {
  query: string
  places: string[]
}

const wordOf = (words: Record<string, { es: string; en: string }>, name: string, lang: Lang) =>
  words[name]?.[lang] ?? name

/** What is looked for, as a headline: "Casa · Venta · Roma Norte o Condesa". */
export function headlineOf({ query, places }: Criteria, lang: Lang): string {
  const asked = new URLSearchParams(query)
  const operation = asked.get('operation')
  const parts = [
    asked.getAll('type').map(type => wordOf(PROPERTY_TYPES, type, lang)),
    operation ? [wordOf(OPERATIONS, operation, lang)] : [],
    places,
  ]
  const or = lang === 'es' ? ' o ' : ' or '
  const said = parts.filter(part => part.length > 0).map(part => part.join(or))
  return said.length > 0 ? said.join(' · ') : lang === 'es' ? 'Cualquier propiedad' : 'Any listing'
}

export function budgetOf({ query }: Criteria, lang: Lang): string | undefined {
  const asked = new URLSearchParams(query)
  const currency = (asked.get('currency') ?? 'MXN') as Currency
  const amount = (name: string) => {
    const text = asked.get(name)
    return text ? formatAmount(Number(text), currency) : undefined
  }
  const [least, most] = [amount('min_price'), amount('max_price')]
  if (least && most) return lang === 'es' ? `De ${least} a ${most}` : `${least} to ${most}`
  if (most) return lang === 'es' ? `Hasta ${most}` : `Up to ${most}`
  return least && (lang === 'es' ? `Desde ${least}` : `From ${least}`)
}

const SAID = ['operation', 'type', 'min_price', 'max_price', 'currency']

/** Everything that neither the headline nor the budget says. */
export function detailsOf({ query }: Criteria, lang: Lang): string[] {
  const asked = [...new URLSearchParams(query)].filter(([name]) => !SAID.includes(name))
  return asked.map(([name, value]) => {
    if (name === 'features') return amenityName(value, lang)
    if (name === 'exclude_features') return `${lang === 'es' ? 'Sin' : 'Without'} ${amenityName(value, lang)}`
    if (name === 'rent_period') return RENT_PERIODS[value as RentPeriod]?.[lang] ?? value
    if (name === 'exclusive' || name === 'media') return labelOf(name, lang)
    return `${labelOf(name, lang)}: ${value}`
  })
}
