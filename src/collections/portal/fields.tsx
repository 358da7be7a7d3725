import { useVisit } from '../../portal/context.ts'
import { LanguageField, TextArea, TextField } from '../../ui/forms.tsx'

export const HOME = '/portal/collections'

export function CollectionFields() {
  const { t } = useVisit()
  return (
    <>
      <TextField
        name="title"
        label={t('Título', 'Title')}
        hint={t(
          'Lo ve tu cliente: «Casas para la familia López».',
          'Your client sees it: “Homes for the Lópezes”.',
        )}
        maxlength={120}
        required
      />
      <TextArea
        name="message"
        label={t('Mensaje para tu cliente', 'Message to your client')}
        rows={3}
        maxlength={1_000}
      />
      <LanguageField label={t('Idioma de la página', 'Page language')} />
    </>
  )
}
