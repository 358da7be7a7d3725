import { useVisit } from '../../../portal/context.ts'
import type { Rejected } from '../../../portal/form-route.ts'
import { StatusBadge } from '../../../ui/badges.tsx'
import { ActionButton, Submit } from '../../../ui/buttons.tsx'
import { Form, TextArea } from '../../../ui/forms.tsx'
import { Panel } from '../../../ui/panels.tsx'
import { Time } from '../../../ui/time.tsx'
import type { LeadRow } from '../../service.ts'
import { documentWords, type Identity } from '../service.ts'
import type { ShownIdentification } from './load.ts'

interface PanelProps {
  lead: LeadRow
  shown: ShownIdentification
  /** Base path of its forms and photo. */
  path: string
  refusal?: Rejected | undefined
  /** Whether the viewer may ask the visitor for another one. */
  canAsk: boolean
}

export function IdentificationPanel(props: PanelProps) {
  const { lead, shown, path, canAsk } = props
  const { t } = useVisit()
  const isLost = shown.isShut || shown.erasedAt !== null
  // Nothing to review if it was erased first.
  const hasBadge = shown.status !== 'submitted' || shown.erasedAt === null
  const canBeAsked = canAsk && lead.email !== null && lead.tour_status !== 'cancelled'
  const isOpen = shown.status === 'asked' || shown.status === 'refused' || isLost
  return (
    <Panel
      title={t('Identificación', 'Identification')}
      note={shown.identity && t('Solo se muestra en esta pantalla.', 'Shown only on this screen.')}
      actions={hasBadge && <IdentificationBadge status={shown.status} />}
    >
      <div class="flex min-w-0 flex-col gap-5">
        <State shown={shown} hasMail={lead.email !== null} />
        {shown.identity && <Document identity={shown.identity} lead={lead} path={path} />}
        {shown.status === 'submitted' && shown.identity && <Decision {...props} />}
        {canBeAsked && isOpen && shown.status !== 'verified' && (
          <ActionButton action={`${path}/link`}>{t('Enviar otro enlace', 'Send another link')}</ActionButton>
        )}
      </div>
    </Panel>
  )
}

function IdentificationBadge({ status }: { status: ShownIdentification['status'] }) {
  const { t } = useVisit()
  const words = {
    asked: t('Solicitada', 'Requested'),
    submitted: t('Por revisar', 'To review'),
    verified: t('Aceptada', 'Accepted'),
    refused: t('Rechazada', 'Rejected'),
  }
  return (
    <StatusBadge of="identification" status={status}>
      {words[status]}
    </StatusBadge>
  )
}

function State({ shown, hasMail }: { shown: ShownIdentification; hasMail: boolean }) {
  const { t } = useVisit()
  if (shown.isShut) {
    return (
      <p class="text-sm">
        {t(
          'Está guardada, pero el servidor no tiene la llave con la que se cifró. Avisa al operador.',
          'It is stored, but the server does not have the key it was encrypted with. Contact the operator.',
        )}
      </p>
    )
  }
  if (shown.status === 'asked') {
    return (
      <p class="text-sm text-base-content/75">
        {shown.linkExpiresAt ? (
          <>
            {t(
              'Esperamos a que la persona se identifique con el enlace que le enviamos. Vence el',
              'Waiting for the person to use the link we sent. It expires on',
            )}{' '}
            <Time at={shown.linkExpiresAt} />.
          </>
        ) : hasMail ? (
          t('La persona todavía no se identifica.', 'The person is not identified yet.')
        ) : (
          t('No dejó un correo al que enviarle el enlace.', 'They left no email to send the link to.')
        )}
      </p>
    )
  }
  if (shown.reason) {
    return (
      <p class="text-sm break-words">
        <span class="text-base-content/75">{t('Motivo:', 'Reason:')}</span> {shown.reason}
      </p>
    )
  }
  if (shown.erasedAt) {
    return (
      <p class="text-sm text-base-content/75">
        {t('Los datos del documento se borraron el', 'The document’s data was erased on')}{' '}
        <Time at={shown.erasedAt} day />.
      </p>
    )
  }
  return null
}

function Document({ identity, lead, path }: { identity: Identity; lead: LeadRow; path: string }) {
  const { t } = useVisit()
  const facts = [
    [t('Nombre en el documento', 'Name on the document'), identity.name],
    [t('Nombre que dio', 'Name provided'), lead.name],
    [t('Documento', 'Document'), documentWords(t)[identity.document]],
    [t('Número', 'Number'), identity.number],
  ]
  return (
    <>
      <dl class="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        {facts.map(([term, value]) => (
          <div key={term} class="min-w-0">
            <dt class="text-base-content/75">{term}</dt>
            <dd class="font-medium break-words">{value}</dd>
          </div>
        ))}
      </dl>
      <img
        src={`${path}/picture`}
        alt={t('Foto del documento', 'Photo of the document')}
        class="max-h-[32rem] w-full rounded-field border border-base-300 bg-base-200 object-contain"
        loading="lazy"
      />
    </>
  )
}

function Decision({ path, refusal }: PanelProps) {
  const { t } = useVisit()
  return (
    <div class="flex flex-col gap-5 border-t border-base-300 pt-5">
      <div class="flex flex-col items-start gap-2">
        <p class="text-sm text-base-content/75">
          {t(
            '¿La foto es legible, el documento está vigente y los datos coinciden?',
            'Is the photo legible, is the document valid, and do the details match?',
          )}
        </p>
        <ActionButton action={`${path}/verify`} tone="primary" small={false}>
          {t('Aceptar identificación', 'Accept identification')}
        </ActionButton>
      </div>
      <Form action={`${path}/refuse`} class="flex flex-col gap-3" {...(refusal ?? {})}>
        <TextArea
          name="reason"
          label={t('O explica por qué no se acepta', 'Or explain why it is not accepted')}
          hint={t(
            'La persona lo recibe por correo; lo que envió se borra.',
            'The person receives it by email; what they sent is erased.',
          )}
          rows={2}
          maxlength={500}
          required
        />
        <div>
          <Submit tone="danger">{t('Rechazar identificación', 'Reject identification')}</Submit>
        </div>
      </Form>
    </div>
  )
}
