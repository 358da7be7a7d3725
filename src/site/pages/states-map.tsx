import type { Inventory } from '../inventory.ts'
import { SMALL_MAP } from '../map/base-map.ts'
import { useVisit } from '../visit.ts'
import { count } from '../words.ts'
import { sum } from './states.ts'

/** A map of the country that doubles as a menu. */
export function StatesMap({ inventory }: { inventory: Inventory }) {
  const { lang, t, to } = useVisit()
  const totals = new Map([...inventory].map(([state, cities]) => [state, sum(cities)]))
  const most = Math.max(1, ...totals.values())
  const shade = (total: number) => (total === 0 ? 0 : 1 + Math.min(4, Math.floor((total / most) ** 0.5 * 5)))
  return (
    <svg
      class="states-map"
      viewBox={`0 0 ${SMALL_MAP.width} ${SMALL_MAP.height}`}
      aria-label={t('Mapa de los estados', 'Map of the states')}
    >
      {SMALL_MAP.states.map(({ name, slug, path }) => {
        const total = totals.get(name) ?? 0
        return (
          <a
            href={to(`/mx/${slug}`)}
            aria-label={t(
              `${name}: ${count(total, lang)} propiedades`,
              `${name}: ${count(total, lang)} properties`,
            )}
          >
            <path class={`shade-${shade(total)}`} d={path} />
            <title>{`${name} · ${count(total, lang)}`}</title>
          </a>
        )
      })}
    </svg>
  )
}
