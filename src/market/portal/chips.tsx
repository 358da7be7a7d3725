import { type Chip, chipsOf, withoutParameters } from '../../listings/public/filters.ts'
import { useVisit } from '../../portal/context.ts'
import { Chips } from '../../ui/chips.tsx'
import { cleanQuery } from '../parameters.ts'
import { freshWords, labelOf, MARK_WORDS, WHOSE_WORDS } from './filters.tsx'
import { HOME, hrefOf } from './words.tsx'

/** What the search was understood as, and every other filter in use. */
export function MarketChips({ query }: { query: URLSearchParams }) {
  const { t, lang } = useVisit()
  const addressOf = (next: URLSearchParams) => hrefOf(cleanQuery(next))
  const own: [name: string, wordsOf: (value: string) => string][] = [
    ['min_commission', value => t(`comisión de ${value}% o más`, `commission of ${value}% or more`)],
    ['fresh', value => freshWords(value, lang)],
    ['not', value => `${labelOf('not', lang)}: ${WHOSE_WORDS[value]?.[lang] ?? value}`],
    ...(['exclusive', 'media'] as const).map((mark): [string, () => string] => [
      mark,
      () => MARK_WORDS[mark][lang],
    ]),
  ]
  const ownChips = own.flatMap(([name, wordsOf]): Chip[] => {
    const value = query.get(name)
    if (value === null) return []
    return [{ text: wordsOf(value), without: addressOf(withoutParameters(query, [name])) }]
  })
  const chips = [...chipsOf(query, lang, addressOf), ...ownChips]
  return <Chips chips={chips.map(({ text, without }) => ({ text, href: without }))} clear={HOME} />
}
