import { Consent, Trap, VisitorSummary } from '../../leads/visitors/form.tsx'
import { FORM_FIELD, type Refused } from '../../leads/visitors/service.ts'
import type { Words } from '../../lib/i18n.ts'
import { useVisit } from '../../site/visit.ts'
import { Submit } from '../../ui/buttons.tsx'
import { Choices, Form, TextField } from '../../ui/forms.tsx'

const paces = (t: Words) =>
  [
    {
      value: 'daily',
      label: t('Una vez al día', 'Once a day'),
      hint: t(
        'Un correo por la mañana, solo si hay novedades.',
        'One email in the morning, only if there is news.',
      ),
    },
    {
      value: 'at_once',
      label: t('Al momento', 'Right away'),
      hint: t('En cuanto se publica o baja de precio.', 'As soon as it is published or its price drops.'),
    },
  ] as const

export function PaceField() {
  const { t } = useVisit()
  return <Choices name="pace" label={t('¿Cada cuándo?', 'How often?')} options={paces(t)} />
}

export interface SignUpFormProps {
  query: URLSearchParams
  token: string
  values?: URLSearchParams | undefined
  refused?: Refused | undefined
}

export function SignUpForm({ query, token, values, refused }: SignUpFormProps) {
  const { t, to } = useVisit()
  return (
    <Form
      action={to('/avisos')}
      values={values}
      errors={refused?.outcome === 'refused' ? refused.issues : []}
      prefix="visitor-"
      summary={refused && <VisitorSummary refused={refused} />}
      novalidate
      class="visitor-form flex min-w-0 flex-col gap-5"
    >
      <input type="hidden" name={FORM_FIELD} value={token} />
      <input type="hidden" name="query" value={String(query)} />
      <TextField
        name="email"
        type="email"
        label={t('Tu correo', 'Your email')}
        autocomplete="email"
        maxlength={254}
        required
      />
      <PaceField />
      <Trap />
      <Consent
        purpose={t('para avisarme de propiedades', 'to alert me about properties')}
        privacyHref={to('/privacidad')}
      />
      <Submit>{t('Avísame', 'Alert me')}</Submit>
    </Form>
  )
}
