import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mailboxOf } from '../../../lib/email.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SealedBox } from '../../../lib/sealed-box.ts'
import { useVisit } from '../../../portal/context.ts'
import { goTo, signedIn } from '../../../portal/layout.tsx'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { Badge } from '../../../ui/badges.tsx'
import { ActionButton, Submit } from '../../../ui/buttons.tsx'
import { Form, TextArea } from '../../../ui/forms.tsx'
import { attempt, fieldErrors } from '../../../ui/messages.ts'
import { Panel } from '../../../ui/panels.tsx'
import { Time } from '../../../ui/time.tsx'
import type { LeadRow } from '../../service.ts'
import type { Counter } from '../../visitors/service.ts'
import {
  askAgain,
  documentWords,
  findIdentification,
  type IdentificationRow,
  type Identity,
  openPicture,
  refuseIdentification,
  tryToOpenIdentity,
  verifyIdentification,
} from '../service.ts'

export interface IdentificationDeps extends PortalDeps {
  /** Undefined where there is no key to open identifications with. */
  identities: SealedBox | undefined
  visitors: { limits: { recipient: Counter } }
}

interface ById {
  Params: { id: string }
}

/** What a screen shows of an identification. */
export interface ShownIdentification {
  status: 'asked' | 'submitted' | 'verified' | 'refused'
  identity: Identity | undefined
  /** It is there, but there is no key that opens it. */
  isShut: boolean
  submittedAt: Date | null
  decidedAt: Date | null
  linkExpiresAt: Date | null
  erasedAt: Date | null
  reason: string | null
}

/** Of a showing that no form of ours took, such as one of the demo market. */
const NOT_ASKED: IdentificationRow = {
  lead_id: '',
  status: 'asked',
  submitted_at: null,
  decided_at: null,
  reason: null,
  erased_at: null,
  token_expires_at: null,
  details: null,
}

export async function loadIdentification(
  { db, identities: box }: Pick<IdentificationDeps, 'db' | 'identities'>,
  lead: Pick<LeadRow, 'id' | 'awaiting_id'>,
): Promise<ShownIdentification | undefined> {
  const row = (await findIdentification(db, lead.id)) ?? (lead.awaiting_id ? NOT_ASKED : undefined)
  if (!row) return undefined
  const identity = row.details && box ? tryToOpenIdentity(box, lead.id, row.details) : undefined
  return {
    status: row.status,
    identity,
    isShut: row.details !== null && identity === undefined,
    submittedAt: row.submitted_at,
    decidedAt: row.decided_at,
    linkExpiresAt: row.token_expires_at,
    erasedAt: row.erased_at,
    reason: row.reason,
  }
}

/** For the browser of whoever may see it, and for nothing else to keep. */
export async function sendPicture(
  reply: FastifyReply,
  { db, identities: box }: Pick<IdentificationDeps, 'db' | 'identities'>,
  leadId: string,
): Promise<FastifyReply> {
  const picture = box && (await openPicture(db, box, leadId).catch(() => undefined))
  if (!picture) throw new Problem('not_found')
  return reply
    .type('image/webp')
    .header('cache-control', 'no-store')
    .header('content-disposition', 'inline; filename="documento.webp"')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(picture)
}

/** Documents of visitors are for agents with a licence: who has lost it sees none. */
const VERIFIED = { config: { access: 'verified' as const } }

/** What the agent of a lead does about its identification. */
export function registerIdentificationRoutes(
  app: FastifyInstance,
  deps: IdentificationDeps,
  leadOf: (request: FastifyRequest<ById>) => Promise<LeadRow>,
  sendLead: (
    request: FastifyRequest,
    reply: FastifyReply,
    lead: LeadRow,
    wrong: { refusal: { values: URLSearchParams; errors: string[] } },
  ) => Promise<FastifyReply>,
): void {
  const { db } = deps

  app.get<ById>('/leads/:id/identification/picture', VERIFIED, async (request, reply) =>
    sendPicture(reply, deps, (await leadOf(request)).id),
  )

  app.post<ById>('/leads/:id/identification/verify', VERIFIED, async (request, reply) => {
    const lead = await leadOf(request)
    const { t } = request.visit
    const done = await attempt(() => verifyIdentification(db, lead.id, signedIn(request).id))
    const path = `/portal/leads/${lead.id}`
    if (done.errors) return goTo(reply, path, sorry(request, done.errors))
    return goTo(
      reply,
      path,
      t(
        'Identificación aceptada. Ya puedes confirmar la visita.',
        'Accepted. You can confirm the showing now.',
      ),
    )
  })

  app.post<ById>('/leads/:id/identification/refuse', VERIFIED, async (request, reply) => {
    const { form, visit } = request
    const lead = await leadOf(request)
    const reason = form.get('reason') ?? ''
    const done = await attempt(() => refuseIdentification(db, lead.id, signedIn(request).id, reason))
    if (done.errors) return sendLead(request, reply, lead, { refusal: { values: form, errors: done.errors } })
    const text = visit.t('Rechazada. La persona recibe el motivo.', 'Refused. The person gets the reason.')
    return goTo(reply, `/portal/leads/${lead.id}`, text)
  })

  app.post<ById>('/leads/:id/identification/link', VERIFIED, async (request, reply) => {
    const lead = await leadOf(request)
    const { t } = request.visit
    const path = `/portal/leads/${lead.id}`
    if (!deps.visitors.limits.recipient.take(mailboxOf(lead.email ?? '')).allowed) {
      const text = t(
        'Ya le enviamos varios correos: espera diez minutos.',
        'We have sent several mails: wait ten minutes.',
      )
      return goTo(reply, path, { kind: 'warning', text })
    }
    const done = await attempt(() => askAgain(db, deps.identities, lead))
    if (done.errors) return goTo(reply, path, sorry(request, done.errors))
    return goTo(reply, path, t('Enviamos un enlace nuevo.', 'A new link is on its way.'))
  })
}

const sorry = (request: FastifyRequest, errors: string[]) => ({
  kind: 'error' as const,
  text: Object.values(fieldErrors(errors, request.visit.lang)).flat().join(' '),
})

// ---- screens ---------------------------------------------------------------------------------------------

interface PanelProps {
  lead: LeadRow
  shown: ShownIdentification
  /** Where its forms go and its picture comes from. */
  path: string
  refusal?: { values: URLSearchParams; errors: string[] } | undefined
  /** Whether whoever looks may ask the visitor for another one. */
  canAsk: boolean
}

export function IdentificationPanel(props: PanelProps) {
  const { lead, shown, path, canAsk } = props
  const { t } = useVisit()
  const isLost = shown.isShut || shown.erasedAt !== null
  // What was erased before anybody looked at it is nobody's to check.
  const hasBadge = shown.status !== 'submitted' || shown.erasedAt === null
  const canBeAsked = canAsk && lead.email !== null && lead.tour_status !== 'cancelled'
  const isOpen = shown.status === 'asked' || shown.status === 'refused' || isLost
  return (
    <Panel
      title={t('Identificación', 'Identification')}
      note={shown.identity && t('Solo se ve en esta pantalla.', 'It is seen on this screen only.')}
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

export function IdentificationBadge({ status }: { status: ShownIdentification['status'] }) {
  const { t } = useVisit()
  if (status === 'submitted') return <Badge tone="warning">{t('Por revisar', 'To be checked')}</Badge>
  if (status === 'verified') return <Badge tone="success">{t('Aceptada', 'Accepted')}</Badge>
  if (status === 'refused') return <Badge tone="error">{t('Rechazada', 'Refused')}</Badge>
  return <Badge>{t('Pedida', 'Asked for')}</Badge>
}

function State({ shown, hasMail }: { shown: ShownIdentification; hasMail: boolean }) {
  const { t } = useVisit()
  if (shown.isShut) {
    return (
      <p class="text-sm">
        {t(
          'Está guardada, pero el servidor no tiene la llave con la que se cifró. Avisa al operador.',
          'It is kept, but the server does not have the key it was encrypted with. Tell the operator.',
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
              'We wait for the person to use the link we sent. It expires on',
            )}{' '}
            <Time at={shown.linkExpiresAt} />.
          </>
        ) : hasMail ? (
          t('La persona todavía no se identifica.', 'The person is not identified yet.')
        ) : (
          t('No dejó un correo al que enviarle el enlace.', 'Left no e-mail to send the link to.')
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
    [t('Nombre que dio', 'Name given'), lead.name],
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
            '¿La foto se lee, está vigente y coincide con los datos?',
            'Can the photo be read, is it valid and does it match the data?',
          )}
        </p>
        <ActionButton action={`${path}/verify`} tone="primary" small={false}>
          {t('Aceptar identificación', 'Accept identification')}
        </ActionButton>
      </div>
      <Form action={`${path}/refuse`} class="flex flex-col gap-3" {...(refusal ?? {})}>
        <TextArea
          name="reason"
          label={t('O dile por qué no se acepta', 'Or say why it is not accepted')}
          hint={t(
            'La persona lo recibe por correo; lo que envió se borra.',
            'The person gets it by mail; what was sent is erased.',
          )}
          rows={2}
          maxlength={500}
          required
        />
        <div>
          <Submit tone="danger">{t('Rechazar identificación', 'Refuse identification')}</Submit>
        </div>
      </Form>
    </div>
  )
}
