import { useVisit } from '../../portal/context.ts'
import { Time } from '../../ui/time.tsx'
import type { Feed } from '../service.ts'

export const HOME = '/portal/feeds'

/** What agents call their collections. */
export type Titles = ReadonlyMap<string, string>

export function Selection({ feed, titles }: { feed: Feed; titles: Titles }) {
  const { t } = useVisit()
  if (feed.source === 'own') return <>{t('Mis propiedades', 'My listings')}</>
  if (feed.source === 'agency') return <>{t('Las de mi inmobiliaria', 'My agency’s listings')}</>
  return <>{`${t('Colección', 'Collection')}: ${titles.get(feed.collection_id ?? '') ?? ''}`}</>
}

export function LastRead({ feed }: { feed: Feed }) {
  const { t } = useVisit()
  if (!feed.read_at) return <>{t('Aún sin lecturas', 'Not read yet')}</>
  return (
    <>
      {t('Leído por última vez', 'Last read')}: <Time at={feed.read_at} />
    </>
  )
}
