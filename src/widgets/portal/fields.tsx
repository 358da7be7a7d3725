import { useVisit } from '../../portal/context.ts'
import { Badge } from '../../ui/badges.tsx'
import { Choices, LanguageField, TextArea, TextField } from '../../ui/forms.tsx'
import { kindWords, SHOWN_LISTINGS } from '../rules.ts'
import type { Widget } from '../service.ts'

export const HOME = '/portal/widgets'

export function State({ widget }: { widget: Widget }) {
  const { t } = useVisit()
  if (widget.revoked_at)
    return <Badge tone="error">{t('Revocado por el operador', 'Revoked by the operator')}</Badge>
  return widget.active ? null : <Badge tone="warning">{t('Desactivado', 'Off')}</Badge>
}

export function WidgetFields() {
  const { t } = useVisit()
  const kinds = kindWords(t)
  return (
    <>
      <TextField
        name="name"
        label={t('Nombre', 'Name')}
        hint={t('Solo para identificarlo; no se muestra.', 'For your reference; it is not shown.')}
        maxlength={80}
        required
      />
      <Choices
        name="kind"
        label={t('Qué muestra', 'What it shows')}
        options={[
          {
            value: 'listings',
            label: kinds.listings,
            hint: t(`Las ${SHOWN_LISTINGS} más recientes`, `The ${SHOWN_LISTINGS} newest`),
          },
          {
            value: 'inquiry',
            label: kinds.inquiry,
            hint: t('Los mensajes llegan a tus prospectos', 'Messages arrive in your leads'),
          },
        ]}
      />
      <TextArea
        name="domains"
        label={t('Dominios permitidos', 'Allowed domains')}
        hint={t(
          'Uno por línea, como www.ejemplo.com. Con y sin www cuentan como dos. El widget no aparece en ningún otro sitio.',
          'One per line, such as www.example.com. List the www and non-www versions separately. The widget does not appear on any other site.',
        )}
        rows={3}
        maxlength={4_000}
        required
      />
      <LanguageField label={t('Idioma', 'Language')} />
    </>
  )
}
