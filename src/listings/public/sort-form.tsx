import { SORTS, sorts } from '../../lookups/catalog.ts'
import { useVisit } from '../../site/visit.ts'
import { usualSort } from './filters.ts'

export function SortForm({ query }: { query: URLSearchParams }) {
  const { lang, t, to } = useVisit()
  const chosen = query.get('sort') ?? usualSort(query)
  const others = [...query].filter(([name]) => name !== 'sort' && name !== 'page')
  return (
    <form class="sort-form" action={to('/propiedades')} method="get" data-autosubmit>
      {others.map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label>
        <span>{t('Ordenar:', 'Sort:')}</span>
        <select class="select select-sm" name="sort">
          {sorts.map(sort => (
            <option value={sort} selected={sort === chosen}>
              {SORTS[sort][lang]}
            </option>
          ))}
        </select>
      </label>
      <button class="btn btn-sm" type="submit" data-without-script>
        {t('Ordenar', 'Sort')}
      </button>
    </form>
  )
}
