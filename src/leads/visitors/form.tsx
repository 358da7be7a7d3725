import type { ComponentChildren } from 'preact'
import type { Lang, Words } from '../../lib/i18n.ts'
import { DAY_MS, timeText, toLocal } from '../../lib/time.ts'
import { type Whereabouts, zoneName, zoneOf } from '../../lib/zones.ts'
import { Submit } from '../../ui/buttons.tsx'
import { useReader } from '../../ui/context.ts'
import { Checkbox, Choices, Form, SelectField, TextArea, TextField } from '../../ui/forms.tsx'
import { fieldErrors } from '../../ui/messages.ts'
import { SHOWING_DAYS } from '../rules.ts'
import { FORM_FIELD, type Refused, TRAP_FIELD } from './service.ts'

export interface VisitorFormProps {
  /** Form action. */
  action: string
  /** From `issueForm`, or from `tokenAfter` when returned with errors. */
  token: string
  /** URL of the privacy notice in this language. */
  privacyHref: string
  /** Submitted values, when returned with errors. */
  values?: URLSearchParams | undefined
  /** Why it was rejected. */
  refused?: Refused | undefined
  /** Also offers a showing: date, time and identification. */
  showings?: boolean
  /** Where the listing is, unless the page shows more than one. */
  whereabouts?: Whereabouts
  /** Choices, when the page shows more than one. */
  listings?: readonly { id: string; title: string }[]
  /** Milliseconds. */
  now: number
  /** Shown with the rate-limit message: other ways to reach the agent. */
  otherWays?: ComponentChildren
}

/** The contact form, the same on every page. Works without scripts. */
export function VisitorForm(props: VisitorFormProps) {
  const { action, token, refused, showings = false, listings = [], now } = props
  const { t } = useReader()
  return (
    <Form
      action={action}
      values={props.values}
      errors={refused?.outcome === 'refused' ? refused.issues : []}
      prefix={PREFIX}
      summary={refused && <VisitorSummary refused={refused} otherWays={props.otherWays} />}
      novalidate
      class="visitor-form flex min-w-0 flex-col gap-4"
    >
      <input type="hidden" name={FORM_FIELD} value={token} />
      {showings && <Kinds />}
      {listings.length > 0 && (
        <SelectField
          name="listing"
          label={t('Sobre la propiedad', 'About the property')}
          empty={t('Todas, en general', 'All properties')}
          options={listings.map(({ id, title }) => ({ value: id, label: title }))}
        />
      )}
      <Contact showings={showings} />
      {showings && <Showing now={now} whereabouts={props.whereabouts} />}
      <TextArea name="message" label={t('Mensaje', 'Message')} rows={4} maxlength={5_000} />
      <Trap />
      <Consent purpose={t('para responderme', 'to answer me')} privacyHref={props.privacyHref} />
      <Submit>{t('Enviar', 'Send')}</Submit>
    </Form>
  )
}

/** Other forms on the page, such as search, have fields with the same names. */
const PREFIX = 'visitor-'

function Kinds() {
  const { t } = useReader()
  return (
    <Choices
      name="kind"
      label={t('¿Qué necesitas?', 'What do you need?')}
      options={[
        { value: 'info', label: t('Pedir información', 'Ask a question') },
        { value: 'tour', label: t('Pedir una visita', 'Request a showing') },
      ]}
    />
  )
}

function Contact({ showings }: { showings: boolean }) {
  const { t } = useReader()
  return (
    <>
      <TextField
        name="name"
        label={t('Tu nombre', 'Your name')}
        autocomplete="name"
        maxlength={200}
        required
      />
      <TextField
        name="email"
        type="email"
        label={t('Correo', 'Email')}
        {...(showings
          ? {
              hint: t(
                'Para una visita hace falta: ahí recibes el enlace para identificarte.',
                'Needed for a showing: the link to identify yourself goes there.',
              ),
            }
          : {})}
        optional={false}
        autocomplete="email"
        maxlength={254}
      />
      <TextField
        name="phone"
        type="tel"
        label={t('Teléfono', 'Phone')}
        hint={
          showings
            ? t(
                'Para pedir información basta con uno de los dos.',
                'For a question, one of the two is enough.',
              )
            : t('Basta con uno de los dos.', 'One of the two is enough.')
        }
        optional={false}
        autocomplete="tel"
        maxlength={40}
      />
    </>
  )
}

/** Hidden by the stylesheet while "inquiry" is selected; without CSS it stays visible with its label. */
function Showing({ now, whereabouts }: { now: number; whereabouts: Whereabouts | undefined }) {
  const { t, lang } = useReader()
  const zone = zoneOf(whereabouts)
  const day = (at: number) => toLocal(new Date(at), zone).slice(0, 10)
  const clock = whereabouts
    ? zoneName(zone, lang)
    : t('hora local de la propiedad', 'local time of the property')
  return (
    <fieldset class="visitor-tour min-w-0 rounded-field border border-base-300 p-3">
      <legend class="px-1 text-sm font-medium">
        {t('¿Cuándo quieres visitarla?', 'When would you like to visit?')}
      </legend>
      <div class="grid gap-3 sm:grid-cols-2">
        <TextField
          name="date"
          type="date"
          label={t('Día', 'Day')}
          optional={false}
          min={day(now)}
          max={day(now + SHOWING_DAYS * DAY_MS)}
        />
        <SelectField
          name="time"
          label={t('Hora', 'Time')}
          empty="—"
          options={hoursIn(lang)}
          optional={false}
        />
      </div>
      <p class="mt-3 text-sm text-base-content/70">
        {t(
          `Es la ${clock}. Te enviaremos por correo un enlace privado para identificarte: por seguridad de todos, cada visita lo requiere.`,
          `In ${clock}. We will email you a private link to identify yourself: every showing requires it, for everyone’s safety.`,
        )}
      </p>
    </fieldset>
  )
}

/** Every half hour from 7 a.m. to 9 p.m., on a 12-hour clock whatever the browser's own. */
const hoursIn = (lang: Lang) =>
  Array.from({ length: 29 }, (_, i) => {
    const value = `${String(7 + Math.floor(i / 2)).padStart(2, '0')}:${i % 2 === 0 ? '00' : '30'}`
    return { value, label: timeText(new Date(`2030-01-01T${value}Z`), 'hour', lang, 'UTC') }
  })

export function Trap() {
  const { t } = useReader()
  return (
    <div class="visitor-trap" aria-hidden="true">
      <label for="visitor-website">{t('Deja este campo vacío', 'Leave this field empty')}</label>
      {/* Returned empty: a person whose browser filled it in only has to resend. */}
      <input id="visitor-website" name={TRAP_FIELD} type="text" tabIndex={-1} autocomplete="off" value="" />
    </div>
  )
}

export function Consent({ purpose, privacyHref }: { purpose: string; privacyHref: string }) {
  const { t } = useReader()
  return (
    <Checkbox
      name="consent"
      label={
        <>
          {t(
            `Acepto que se usen mis datos ${purpose}, según el `,
            `I agree to the use of my data ${purpose}, as described in the `,
          )}
          <a class="link" href={privacyHref} target="_blank" rel="noopener">
            {t('aviso de privacidad', 'privacy notice')}
          </a>
          .
        </>
      }
    />
  )
}

export function VisitorSummary({ refused, otherWays }: { refused: Refused; otherWays?: ComponentChildren }) {
  const { t, lang } = useReader()
  const errors = refused.outcome === 'refused' ? fieldErrors(refused.issues, lang) : {}
  return (
    <div role="alert" class="rounded-field border border-error/60 bg-error/10 p-4 text-sm" tabIndex={-1}>
      <p class="font-semibold">{t('No pudimos enviarlo.', 'We could not send it.')}</p>
      <p>{whatToDo(refused, t)}</p>
      {refused.outcome === 'refused' && (
        <ul class="mt-2 list-disc pl-5">
          {Object.entries(errors).map(([name, messages]) => (
            <li key={name}>
              <a class="link" href={`#${PREFIX}${name}`}>
                {namesIn(t)[name] ?? name}
              </a>
              : {messages.join('; ')}
            </li>
          ))}
        </ul>
      )}
      {refused.outcome === 'too_many' && otherWays && <div class="mt-3">{otherWays}</div>}
    </div>
  )
}

const namesIn = (t: Words): Record<string, string> => ({
  name: t('Tu nombre', 'Your name'),
  email: t('Correo', 'Email'),
  phone: t('Teléfono', 'Phone'),
  message: t('Mensaje', 'Message'),
  date: t('Día', 'Day'),
  time: t('Hora', 'Time'),
  consent: t('Aviso de privacidad', 'Privacy notice'),
  listing: t('Propiedad', 'Property'),
  kind: t('Lo que necesitas', 'What you need'),
})

function whatToDo(refused: Refused, t: Words): string {
  switch (refused.outcome) {
    case 'refused':
      return t('Corrige lo siguiente y envíalo de nuevo:', 'Fix the following and send it again:')
    case 'trapped':
      return t(
        'Tu navegador llenó un campo que debe quedar vacío; ya lo vaciamos. Vuelve a presionar Enviar.',
        'Your browser filled in a field that must stay empty; we cleared it. Press Send again.',
      )
    case 'too_fast':
      return t(
        'El formulario se envió demasiado rápido. Revisa tus datos y vuelve a presionar Enviar.',
        'The form was sent too quickly. Check your details and press Send again.',
      )
    case 'stale':
      return t(
        'La página estuvo abierta demasiado tiempo. Lo que escribiste sigue aquí: vuelve a presionar Enviar.',
        'The page was open for too long. What you wrote is still here: press Send again.',
      )
    case 'too_many': {
      const minutes = Math.ceil(refused.retryAfter / 60)
      return t(
        `Llegaron demasiados mensajes desde tu conexión. Lo que escribiste sigue aquí: vuelve a enviarlo en ${minutes} min.`,
        `Too many messages came from your connection. What you wrote is still here: send it again in ${minutes} min.`,
      )
    }
  }
}
