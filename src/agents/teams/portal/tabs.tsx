import { useVisit } from '../../../portal/context.ts'
import { TabLinks } from '../../../ui/tabs.tsx'

/** For owners. */
export function TeamTabs({ here }: { here: 'team' | 'listings' | 'leads' }) {
  const { t } = useVisit()
  return (
    <TabLinks
      label={t('Equipo', 'Team')}
      tabs={[
        { href: '/portal/team', label: t('Integrantes', 'Members'), here: here === 'team' },
        { href: '/portal/team/listings', label: t('Propiedades', 'Listings'), here: here === 'listings' },
        { href: '/portal/team/leads', label: t('Prospectos', 'Leads'), here: here === 'leads' },
      ]}
    />
  )
}
