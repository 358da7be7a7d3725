import { dayText } from '../../lib/time.ts'
import { useVisit } from '../../portal/context.ts'
import { BarChart, Shares } from '../../ui/charts.tsx'
import { Empty, Panel, Stat } from '../../ui/panels.tsx'
import type { Kind, Source } from '../rules.ts'
import { CHART_DAYS, type findFigures, MONTH_DAYS } from '../service.ts'

type Found = Awaited<ReturnType<typeof findFigures>>

export const kindWords = (t: (es: string, en: string) => string): Record<Kind, string> => ({
  appearances: t('Apariciones', 'Appearances'),
  views: t('Vistas', 'Views'),
  favorites: t('Favoritos', 'Favorites'),
  shares: t('Compartidas', 'Shares'),
  contacts: t('Contactos', 'Contacts'),
})

/** In the order in which people come closer. */
export const SHOWN: Kind[] = ['appearances', 'views', 'favorites', 'shares', 'contacts']

export function FigureStats({ sum }: Pick<Found, 'sum'>) {
  const { t } = useVisit()
  const words = kindWords(t)
  return (
    <div class="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-5">
      {SHOWN.map(kind => (
        <Stat
          key={kind}
          label={words[kind]}
          value={sum[kind]}
          note={t(`${MONTH_DAYS} días`, `${MONTH_DAYS} days`)}
        />
      ))}
    </div>
  )
}

export function ViewsPanel({ days }: Pick<Found, 'days'>) {
  const { t, lang } = useVisit()
  const title = t(`Vistas en ${CHART_DAYS} días`, `Views in ${CHART_DAYS} days`)
  const bars = days.map(({ day, views }) => ({
    label: dayText(day, { day: 'numeric', month: 'numeric' }, lang),
    title: dayText(day, { day: 'numeric', month: 'long' }, lang),
    value: views,
  }))
  return (
    <Panel title={title}>
      <BarChart bars={bars} caption={title} />
    </Panel>
  )
}

export function SourcesPanel({ bySource }: Pick<Found, 'bySource'>) {
  const { t } = useVisit()
  const words: Record<Source, string> = {
    site: t('Lonja o directo', 'Lonja or direct'),
    search: t('Buscadores', 'Search engines'),
    social: t('Redes sociales', 'Social networks'),
    other: t('Otros sitios', 'Other sites'),
    collection: t('Colecciones', 'Collections'),
    widget: t('Widgets', 'Widgets'),
  }
  return (
    <Panel title={t('De dónde llegan', 'Where views come from')}>
      {bySource.length === 0 ? (
        <Empty icon="search" title={t('Todavía sin vistas', 'No views yet')} />
      ) : (
        <Shares shares={bySource.map(({ source, views }) => ({ label: words[source], value: views }))} />
      )}
    </Panel>
  )
}
