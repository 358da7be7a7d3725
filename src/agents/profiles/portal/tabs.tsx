import { useVisit } from '../../../portal/context.ts'
import { TabLinks } from '../../../ui/tabs.tsx'

export function ProfileTabs({ here }: { here: 'profile' | 'agency' | 'licence' }) {
  const { t } = useVisit()
  return (
    <TabLinks
      label={t('Perfil', 'Profile')}
      tabs={[
        { href: '/portal/profile', label: t('Mi perfil', 'My profile'), here: here === 'profile' },
        { href: '/portal/agency', label: t('Inmobiliaria', 'Agency'), here: here === 'agency' },
        { href: '/portal/licence', label: t('Licencia', 'License'), here: here === 'licence' },
      ]}
    />
  )
}
