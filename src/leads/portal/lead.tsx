import type { ComponentChildren } from 'preact'
import type { Words } from '../../lib/i18n.ts'
import { toLocal } from '../../lib/time.ts'
import { useVisit } from '../../portal/context.ts'
import { ActionButton, Submit } from '../../ui/buttons.tsx'
import { Checkbox, Form, SelectField, TextArea, TextField } from '../../ui/forms.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { Panel } from '../../ui/panels.tsx'
import { Time } from '../../ui/time.tsx'
import { IdentificationPanel, type ShownIdentification } from '../identification/portal/identification.tsx'
import { INTERESTS, TOUR_STATUSES } from '../rules.ts'
import type { LeadRow } from '../service.ts'
import { FollowUp, StageForm } from './inbox.tsx'
import { interestWords, KindBadges, nameOf, sourceWords, tourWords } from './words.tsx'

export interface LeadNote {
  id: string
  at: Date
  text: string
}

export interface LeadProps {
  lead: LeadRow
  notes: LeadNote[]
  now: Date
  /** What was typed and is wrong, by form. */
  details?: { values: URLSearchParams; errors: string[] }
  note?: { values: URLSearchParams; errors: string[] }
  refusal?: { values: URLSearchParams; errors: string[] }
  identification: ShownIdentification | undefined
}

export function LeadScreen(props: LeadProps) {
  const { lead } = props
  const path = `/portal/leads/${lead.id}`
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div class="flex min-w-0 flex-col gap-6">
        <Contact lead={lead} />
        <Message lead={lead} />
        {props.identification && (
          <IdentificationPanel
            lead={lead}
            shown={props.identification}
            path={`${path}/identification`}
            refusal={props.refusal}
            canAsk
          />
        )}
        <Notes {...props} path={path} />
      </div>
      <div class="flex min-w-0 flex-col gap-6">
        <StagePanel {...props} path={path} />
        <Details {...props} path={path} />
        <Privacy lead={lead} path={path} />
      </div>
    </div>
  )
}

/** A first line for the person, in the person's language. */
function greeting(lead: LeadRow, agentName: string): string {
  const about = lead.listing_title
  return lead.lang === 'en'
    ? `Hello ${lead.name}, this is ${agentName}. Thanks for asking${about ? ` about “${about}”` : ''}.`
    : `Hola, ${lead.name}. Soy ${agentName}. Gracias por preguntar${about ? ` por «${about}»` : ''}.`
}

function Contact({ lead }: { lead: LeadRow }) {
  const { t, agent } = useVisit()
  const text = encodeURIComponent(greeting(lead, agent?.name ?? ''))
  const phone = lead.phone_e164 ?? lead.phone?.replace(/[^\d+]/g, '')
  const ways: { href: string; icon: IconName; label: string; isOutside?: boolean }[] = []
  if (phone) ways.push({ href: `tel:${phone}`, icon: 'phone', label: t('Llamar', 'Call') })
  if (lead.phone_e164) {
    const digits = lead.phone_e164.replace(/\D/g, '')
    ways.push({
      href: `https://wa.me/${digits}?text=${text}`,
      icon: 'chat',
      label: 'WhatsApp',
      isOutside: true,
    })
  }
  if (lead.email) {
    const subject = encodeURIComponent(lead.listing_title ?? 'Lonja')
    const href = `mailto:${encodeURIComponent(lead.email).replace('%40', '@')}?subject=${subject}&body=${text}`
    ways.push({ href, icon: 'mail', label: t('Escribir', 'Mail') })
  }
  return (
    <Panel
      title={t('Contacto', 'Contact')}
      actions={
        <p class="flex flex-wrap gap-1.5">
          <KindBadges lead={lead} />
        </p>
      }
    >
      {ways.length === 0 ? (
        <p class="text-base-content/75">
          {lead.erased_at
            ? t('Los datos de esta persona se eliminaron.', 'This person’s data has been erased.')
            : t('No dejó teléfono ni correo.', 'Left neither phone nor e-mail.')}
        </p>
      ) : (
        <div class="flex flex-wrap gap-2">
          {ways.map(({ href, icon, label, isOutside }) => (
            <a
              key={icon}
              class="btn btn-primary"
              href={href}
              {...(isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
            >
              <Icon name={icon} />
              {label}
            </a>
          ))}
        </div>
      )}
      <dl class="mt-5 grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
        <Fact term={t('Teléfono', 'Phone')}>{lead.phone}</Fact>
        <Fact term={t('Correo', 'E-mail')}>{lead.email}</Fact>
        <Fact term={t('Llegó', 'Received')}>
          <Time at={lead.created_at} />
        </Fact>
        <Fact term={t('Origen', 'Source')}>{sourceWords(lead.source, t)}</Fact>
        <Fact term={t('Identificación', 'Identification')}>{identificationWords(lead, t)}</Fact>
        <Fact term={t('Idioma', 'Language')}>{lead.lang === 'en' ? 'English' : 'Español'}</Fact>
        {lead.consent_at && (
          <Fact term={t('Aceptó el aviso de privacidad', 'Agreed to the privacy notice')}>
            <Time at={lead.consent_at} />
          </Fact>
        )}
      </dl>
    </Panel>
  )
}

function identificationWords(lead: LeadRow, t: Words): string {
  if (lead.id_status === 'verified') return t('Verificada', 'Verified')
  if (lead.id_status === 'pending') return t('Pendiente', 'Pending')
  return t('No se pidió', 'Not asked for')
}

function Fact({ term, children }: { term: string; children: ComponentChildren }) {
  return (
    <div class="min-w-0">
      <dt class="text-base-content/75">{term}</dt>
      <dd class="font-medium break-words">{children ?? '—'}</dd>
    </div>
  )
}

function Message({ lead }: { lead: LeadRow }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Mensaje', 'Message')}>
      <p class="break-words whitespace-pre-line">{lead.message ?? t('Sin mensaje.', 'No message.')}</p>
      {lead.listing_id && (
        <p class="mt-4 border-t border-base-300 pt-4 text-sm">
          <span class="text-base-content/75">{t('Pregunta por', 'Asks about')} </span>
          <AboutListing lead={lead} />
        </p>
      )}
    </Panel>
  )
}

/** A link where there is a page to open. */
function AboutListing({ lead }: { lead: LeadRow }) {
  const { listing_title: title, listing_slug: slug } = lead
  if (!lead.listing_is_own && !lead.listing_is_public) return <span class="break-words">{title ?? '—'}</span>
  const href = lead.listing_is_own ? `/portal/listings/${lead.listing_id}` : `/propiedades/${slug}`
  return (
    <a class="link font-medium break-words" href={href}>
      {title}
    </a>
  )
}

function Notes({ lead, notes, note, path }: LeadProps & { path: string }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Notas', 'Notes')} note={t('Solo tú las ves.', 'Only you see them.')}>
      <div class="flex flex-col gap-5">
        {!lead.erased_at && (
          <Form action={`${path}/notes`} class="flex flex-col gap-3" {...(note ?? {})}>
            <TextArea name="note" label={t('Nueva nota', 'New note')} rows={3} maxlength={5_000} required />
            <div>
              <Submit tone="plain">{t('Agregar nota', 'Add note')}</Submit>
            </div>
          </Form>
        )}
        {notes.length > 0 && (
          <ol class="flex flex-col divide-y divide-base-300">
            {notes.map(one => (
              <li key={one.id} class="flex items-start justify-between gap-3 py-3">
                <div class="min-w-0">
                  <p class="text-sm text-base-content/75">
                    <Time at={one.at} />
                  </p>
                  <p class="break-words whitespace-pre-line">{one.text}</p>
                </div>
                <ActionButton action={`${path}/notes/remove`} fields={{ note: one.id }} tone="quiet">
                  <Icon name="trash" class="size-4" />
                  <span class="sr-only">{t('Quitar nota', 'Remove note')}</span>
                </ActionButton>
              </li>
            ))}
          </ol>
        )}
      </div>
    </Panel>
  )
}

function StagePanel({ lead, now, path }: LeadProps & { path: string }) {
  const { t } = useVisit()
  return (
    <Panel
      title={t('Etapa', 'Stage')}
      note={t(
        'El cambio se avisa a tus sistemas por webhook.',
        'Your systems hear of the change by webhook.',
      )}
    >
      <div class="flex flex-col gap-3 text-sm">
        <StageForm lead={lead} back={path} wide />
        <FollowUp lead={lead} now={now} />
      </div>
    </Panel>
  )
}

const choices = <T extends string>(values: readonly T[], words: Record<T, string>) =>
  values.map(value => ({ value, label: words[value] }))

/** What the fields show of a lead. */
function detailValues(lead: LeadRow): Record<string, unknown> {
  const local = (at: Date | null) => at && toLocal(at)
  return {
    ...lead,
    follow_up_at: local(lead.follow_up_at)?.slice(0, 10),
    tour_at: local(lead.tour_at),
    showing_at: local(lead.showing_at),
  }
}

function Details({ lead, details, path }: LeadProps & { path: string }) {
  const { t } = useVisit()
  return (
    <Panel title={t('Seguimiento', 'Follow-up')}>
      <Form
        action={`${path}/details`}
        class="flex flex-col gap-4"
        values={details?.values ?? detailValues(lead)}
        errors={details?.errors}
      >
        <TextField name="follow_up_at" type="date" label={t('Volver a contactar el', 'Contact again on')} />
        <SelectField
          name="interest"
          label={t('Quiere', 'Wants')}
          empty="—"
          options={choices(INTERESTS, interestWords(t))}
        />
        <div class="grid grid-cols-2 items-end gap-3">
          <TextField name="budget_min" label={t('Presupuesto desde', 'Budget from')} inputmode="decimal" />
          <TextField name="budget_max" label={t('Hasta', 'To')} inputmode="decimal" />
        </div>
        <TextField
          name="tour_at"
          type="datetime-local"
          label={t('Visita pedida para', 'Showing asked for')}
          hint={t('Hora del centro de México.', 'Central Mexico time.')}
        />
        <SelectField
          name="tour_status"
          label={t('La visita está', 'The showing is')}
          empty="—"
          options={choices(TOUR_STATUSES, tourWords(t))}
        />
        <TextField name="showing_at" type="datetime-local" label={t('Visita acordada', 'Showing agreed')} />
        <div>
          <Submit>{t('Guardar', 'Save')}</Submit>
        </div>
      </Form>
    </Panel>
  )
}

function Privacy({ lead, path }: { lead: LeadRow; path: string }) {
  const { t } = useVisit()
  if (lead.erased_at) {
    return (
      <Panel title={t('Datos personales', 'Personal data')}>
        <p class="text-sm text-base-content/75">
          {t('Eliminados el', 'Erased on')} <Time at={lead.erased_at} day />
        </p>
      </Panel>
    )
  }
  return (
    <Panel title={t('Datos personales', 'Personal data')}>
      <p class="text-sm text-base-content/75">
        {t(
          'Si la persona pide que borres sus datos, puedes hacerlo aquí.',
          'If the person asks for their data to be erased, you can do it here.',
        )}
      </p>
      <a class="btn mt-3 btn-outline btn-error btn-sm" href={`${path}/erase`}>
        {t('Eliminar sus datos…', 'Erase their data…')}
      </a>
    </Panel>
  )
}

export function EraseScreen({ lead, errors }: { lead: LeadRow; errors?: string[] }) {
  const { t } = useVisit()
  const path = `/portal/leads/${lead.id}`
  return (
    <Panel class="max-w-2xl">
      <div class="flex flex-col gap-5">
        <p>
          {t(
            `Se eliminarán el nombre, correo, teléfono, mensaje, identificación y tus notas de ${nameOf(lead, t)}, también de lo que guardamos para tus webhooks. La fecha, la etapa y la propiedad se quedan para tus cuentas.`,
            `Name, e-mail, phone, message, identification and your notes on ${nameOf(lead, t)} will be erased, also from what we keep for your webhooks. Date, stage and listing stay for your counts.`,
          )}
        </p>
        <p class="text-sm text-base-content/75">
          {t(
            'No se puede deshacer. Lo que ya recibieron tus propios sistemas o tu correo lo tienes que borrar ahí.',
            'This cannot be undone. What your own systems or your mailbox have received you have to erase there.',
          )}
        </p>
        <Form action={`${path}/erase`} {...(errors ? { errors } : {})}>
          <Checkbox
            name="sure"
            label={t('Sí, eliminar sus datos para siempre', 'Yes, erase their data for good')}
          />
          <div class="flex gap-3">
            <Submit tone="danger">{t('Eliminar', 'Erase')}</Submit>
            <a class="btn btn-ghost" href={path}>
              {t('Cancelar', 'Cancel')}
            </a>
          </div>
        </Form>
      </div>
    </Panel>
  )
}
