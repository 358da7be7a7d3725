import { useVisit } from '../../portal/context.ts'
import { Choices, SelectField, TextField } from '../../ui/forms.tsx'
import { FORMATS, formatWords } from '../rules.ts'
import type { Titles } from './parts.tsx'

export function FeedFields({ titles, isInAgency }: { titles: Titles; isInAgency: boolean }) {
  const { t } = useVisit()
  const words = formatWords(t)
  return (
    <>
      <TextField
        name="name"
        label={t('Nombre', 'Name')}
        hint={t('Por ejemplo, quién lo va a leer.', 'For example, who will read it.')}
        maxlength={80}
        required
      />
      <SelectField
        name="listings"
        label={t('Qué propiedades', 'Which listings')}
        hint={t(
          'Solo las publicadas; no las que marcaste para no mostrarse en otros sitios.',
          'Only published ones; not those you keep off other sites.',
        )}
        options={[
          { value: 'own', label: t('Mis propiedades', 'My listings') },
          ...(isInAgency
            ? [{ value: 'agency', label: t('Las de mi inmobiliaria', 'My agency’s listings') }]
            : []),
          ...[...titles].map(([value, title]) => ({
            value,
            label: `${t('Colección', 'Collection')}: ${title}`,
          })),
        ]}
        required
      />
      <Choices
        name="format"
        label={t('Formato', 'Format')}
        options={FORMATS.map(format => ({
          value: format,
          label: words[format].name,
          hint: words[format].hint,
        }))}
      />
    </>
  )
}
