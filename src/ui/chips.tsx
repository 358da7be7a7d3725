import { useReader } from './context.ts'
import { Icon } from './icons.tsx'

/** The filters in use, each a link that removes it; `clear` removes all. */
export function Chips({ chips, clear }: { chips: { text: string; href: string }[]; clear: string }) {
  const { t } = useReader()
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={t('Filtros activos', 'Active filters')}>
      {chips.map(({ text, href }) => (
        <li key={href}>
          <a href={href} aria-label={t(`Quitar ${text}`, `Remove ${text}`)}>
            {text} <Icon name="close" size={14} />
          </a>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <a class="is-all" href={clear}>
            {t('Quitar todos', 'Clear all')}
          </a>
        </li>
      )}
    </ul>
  )
}
