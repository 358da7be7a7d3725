import type { ComponentChildren } from 'preact'
import type { LeadRow } from '../../leads/service.ts'
import type { Words } from '../../lib/i18n.ts'
import { capital } from '../../lib/text.ts'
import { zoneName } from '../../lib/zones.ts'
import { useVisit } from '../../portal/context.ts'
import type { Rejected } from '../../portal/form-route.ts'
import { Submit } from '../../ui/buttons.tsx'
import { FileField, Form, SelectField, TextArea, TextField } from '../../ui/forms.tsx'
import { allWords } from '../../ui/messages.ts'
import { Panel } from '../../ui/panels.tsx'
import type { CooperationView } from '../record.ts'
import { may, type Step } from '../rules.ts'

/** A form that was sent back, and which one. */
export interface RejectedStep extends Rejected {
  step: Step
}

interface StepsProps {
  view: CooperationView
  leads: LeadRow[]
  rejected: RejectedStep | undefined
  path: string
}

/** In the order they usually come. */
const ORDER: Step[] = [
  'accept',
  'counter',
  'decline',
  'message',
  'attach',
  'identify',
  'share',
  'showing',
  'offer',
  'close',
  'file',
  'withdraw',
  'lose',
  'dispute',
]

const buttonWords = (t: Words): Record<Step, string> => ({
  accept: t('Aceptar', 'Accept'),
  counter: t('Proponer otra comisión', 'Counter with another split'),
  decline: t('Rechazar', 'Decline'),
  withdraw: t('Retirar la propuesta', 'Withdraw the proposal'),
  message: t('Enviar mensaje', 'Send message'),
  file: t('Agregar archivo', 'Add file'),
  attach: t('Vincular prospecto', 'Link lead'),
  identify: t('Pedir identificación', 'Ask for identification'),
  share: t('Compartir los datos de mi cliente', 'Share my client’s details'),
  showing: t('Agendar visita', 'Schedule a showing'),
  offer: t('Registrar oferta', 'Record an offer'),
  close: t('Cerrar operación', 'Close the deal'),
  lose: t('Dar por perdida', 'Mark as lost'),
  dispute: t('Reportar desacuerdo', 'Report a dispute'),
})

/** The rules say who may; some steps make no sense yet or any more. */
function isOffered(step: Step, { view, leads }: StepsProps): boolean {
  if (!may(step, view, view.role)) return false
  if (step === 'attach') return leads.length > 0 && view.buyer !== 'verified'
  if (step === 'identify') return view.leadId !== null && view.buyer !== 'verified'
  if (step === 'share') return view.leadId !== null && !view.isShared
  if (step === 'dispute') return !view.isDisputed
  if (step === 'showing') return view.buyer === 'verified'
  return true
}

const MAIN: readonly Step[] = ['accept', 'message', 'identify', 'showing', 'offer', 'close']

export function NextSteps(props: StepsProps) {
  const { t, lang } = useVisit()
  const steps = ORDER.filter(step => isOffered(step, props))
  const { rejected } = props
  if (steps.length === 0 && !rejected) return null
  const isOpen = (step: Step) => rejected?.step === step
  return (
    <Panel title={t('Siguientes pasos', 'Next steps')}>
      <div class="flex flex-col gap-4">
        {rejected && !steps.includes(rejected.step) && (
          <p role="alert" class="alert alert-warning text-sm">
            {allWords(rejected.errors, lang)}
          </p>
        )}
        <BuyerNote {...props} />
        {steps.map(step =>
          MAIN.includes(step) ? (
            <StepForm key={step} {...props} step={step} />
          ) : (
            <details key={step} open={isOpen(step)} class="border-t border-base-300 pt-3">
              <summary class="cursor-pointer text-sm font-medium">{buttonWords(t)[step]}</summary>
              <div class="mt-3">
                <StepForm {...props} step={step} />
              </div>
            </details>
          ),
        )}
      </div>
    </Panel>
  )
}

/** Why the showing has to wait. */
function BuyerNote({ view }: StepsProps) {
  const { t } = useVisit()
  if (!may('showing', view, view.role) || view.buyer === 'verified') return null
  return (
    <p class="text-sm text-base-content/75">
      {view.role === 'owner'
        ? t(
            'Podrás agendar la visita cuando tu colega identifique al comprador.',
            'A showing can be scheduled once your colleague has identified the buyer.',
          )
        : view.leadId
          ? t(
              'Antes de la visita, el comprador se identifica con un enlace que le enviamos por correo; tú lo revisas en el prospecto.',
              'Before a showing the buyer verifies their identity with a link we email; you review it in the lead.',
            )
          : t(
              'Vincula el prospecto de tu cliente para pedir su identificación.',
              'Link your client’s lead to ask for identification.',
            )}
    </p>
  )
}

function StepForm({ step, view, leads, rejected, path }: StepsProps & { step: Step }) {
  const { t, lang } = useVisit()
  const shown = rejected?.step === step ? { values: rejected.values, errors: rejected.errors } : {}
  const isDanger = ['decline', 'withdraw', 'lose', 'dispute'].includes(step)
  return (
    <Form
      action={`${path}/${step}`}
      class="flex flex-col gap-3"
      prefix={`${step}-`}
      upload={step === 'file'}
      {...shown}
    >
      {fieldsOf(step, t, leads, zoneName(view.zone, lang))}
      <Submit
        tone={isDanger ? 'danger' : MAIN.includes(step) && step !== 'message' ? 'primary' : 'plain'}
        class="self-start"
      >
        {buttonWords(t)[step]}
      </Submit>
    </Form>
  )
}

function fieldsOf(step: Step, t: Words, leads: LeadRow[], clock: string): ComponentChildren {
  const note = (label: string, required = false) => (
    <TextArea name="text" label={label} rows={2} maxlength={2_000} required={required} />
  )
  switch (step) {
    case 'counter':
      return (
        <>
          <TextField
            name="split"
            label={t('Comisión para quien trae al cliente', 'Commission for the agent who brings the client')}
            maxlength={100}
            required
          />
          {note(t('Comentario', 'Comment'))}
        </>
      )
    case 'decline':
    case 'lose':
      return note(t('Motivo', 'Reason'), true)
    case 'message':
      return note(t('Mensaje', 'Message'), true)
    case 'offer':
      return note(t('Términos de la oferta', 'Offer terms'), true)
    case 'dispute':
      return (
        <>
          <p class="text-sm text-base-content/75">
            {t(
              'El operador podrá leer este hilo completo.',
              'The operator will be able to read this whole thread.',
            )}
          </p>
          {note(t('Qué pasó', 'What happened'), true)}
        </>
      )
    case 'attach':
      return (
        <SelectField
          name="lead"
          label={t('Tu prospecto', 'Your lead')}
          hint={t('Tu colega verá sus iniciales.', 'Your colleague will see the initials.')}
          options={leads.filter(lead => !lead.erased_at).map(({ id, name }) => ({ value: id, label: name }))}
          required
        />
      )
    case 'showing':
      return (
        <TextField
          name="showing_at"
          type="datetime-local"
          label={t('Día y hora', 'Date and time')}
          hint={`${capital(clock)}.`}
          required
        />
      )
    case 'file':
      return (
        <FileField
          name="file"
          label={t('PDF o foto', 'PDF or photo')}
          accept="application/pdf,image/*"
          required
        />
      )
    case 'share':
      return (
        <p class="text-sm text-base-content/75">
          {t(
            'Tu colega verá el nombre, el teléfono y el correo de tu cliente.',
            'Your colleague will see your client’s name, phone and email.',
          )}
        </p>
      )
    default:
      return null
  }
}
