import type { ComponentChildren } from 'preact'
import { type Lang, type Words, wordsIn } from '../../lib/i18n.ts'
import { capital } from '../../lib/text.ts'
import { DAY_MS, toLocal } from '../../lib/time.ts'
import { type FieldErrors, fieldErrors } from '../../ui/messages.ts'
import { SHOWING_DAYS } from '../rules.ts'
import { FORM_FIELD, type Refused, TRAP_FIELD } from './service.ts'

export interface VisitorFormProps {
  /** Where it is sent. */
  action: string
  lang: Lang
  /** Of `issueForm`, or of `tokenAfter` when it comes back. */
  token: string
  /** The privacy notice in this language. */
  privacyHref: string
  /** What was typed, when it comes back. */
  values?: URLSearchParams | undefined
  /** Why it comes back. */
  refused?: Refused | undefined
  /** Offers a showing besides the inquiry: date, time and identification. */
  showings?: boolean
  /** To choose from, where a page shows more than one. */
  listings?: readonly { id: string; title: string }[]
  /** Milliseconds. */
  now: number
  /** Beside the message of too many forms: other ways to reach the agent. */
  otherWays?: ComponentChildren
}

/**
 * The form by which visitors write to an agent, the same on every page that has one. It knows nothing of the page
 * around it and needs no script.
 */
export function VisitorForm(props: VisitorFormProps) {
  const { action, lang, token, refused, showings = false, listings = [], now } = props
  const t = wordsIn(lang)
  const value = (name: string) => props.values?.get(name) ?? ''
  const errors = refused?.outcome === 'refused' ? fieldErrors(refused.issues, lang) : {}
  const field = { errors, value, t }
  const kind = showings && value('kind') === 'tour' ? 'tour' : 'info'
  return (
    // The server's messages are in the page's language and stand beside their fields; the browser's are not.
    <form method="post" action={action} class="visitor-form flex min-w-0 flex-col gap-4" novalidate>
      <input type="hidden" name={FORM_FIELD} value={token} />
      {refused && <Summary {...{ refused, errors, t }} otherWays={props.otherWays} />}
      {showings && <Kinds kind={kind} t={t} />}
      {listings.length > 0 && <ListingChoice {...field} listings={listings} />}
      <Text {...field} name="name" label={t('Tu nombre', 'Your name')} autocomplete="name" maxlength={200} />
      <Text
        {...field}
        name="email"
        type="email"
        label={t('Correo', 'E-mail')}
        autocomplete="email"
        maxlength={254}
      />
      <Text
        {...field}
        name="phone"
        type="tel"
        label={t('Teléfono', 'Phone')}
        hint={t('Basta con uno de los dos.', 'One of the two is enough.')}
        autocomplete="tel"
        maxlength={40}
      />
      {showings && <Showing {...field} now={now} />}
      <Frame {...field} name="message" label={t('Mensaje', 'Message')} optional>
        <textarea
          id="visitor-message"
          name="message"
          rows={4}
          maxlength={5_000}
          class={`textarea w-full ${errors.message ? 'textarea-error' : ''}`}
          {...ariaOf('message', errors)}
        >
          {value('message')}
        </textarea>
      </Frame>
      <div class="visitor-trap" aria-hidden="true">
        <label for="visitor-website">{t('Deja este campo vacío', 'Leave this field empty')}</label>
        {/* Comes back empty: a person whose browser filled it in only has to send again. */}
        <input id="visitor-website" name={TRAP_FIELD} type="text" tabIndex={-1} autocomplete="off" value="" />
      </div>
      <Consent {...field} privacyHref={props.privacyHref} />
      <button type="submit" class="btn btn-primary">
        {t('Enviar', 'Send')}
      </button>
    </form>
  )
}

interface FieldState {
  errors: FieldErrors
  value(name: string): string
  t: Words
}

const ariaOf = (name: string, errors: FieldErrors, hint = false) => {
  const describedBy = [errors[name] && `visitor-${name}-error`, hint && `visitor-${name}-hint`].filter(
    Boolean,
  )
  return {
    ...(errors[name] ? ({ 'aria-invalid': 'true' } as const) : {}),
    ...(describedBy.length > 0 ? { 'aria-describedby': describedBy.join(' ') } : {}),
  }
}

function Message({ name, errors }: { name: string; errors: FieldErrors }) {
  const messages = errors[name]
  if (!messages) return null
  return (
    <p id={`visitor-${name}-error`} class="text-sm font-medium text-error">
      {capital(messages.join('; '))}.
    </p>
  )
}

function Frame(
  props: FieldState & {
    name: string
    label: string
    hint?: string | undefined
    optional?: boolean
    children: ComponentChildren
  },
) {
  const { name, label, hint, optional, errors, t } = props
  return (
    <div class="flex min-w-0 flex-col gap-1.5">
      <label for={`visitor-${name}`} class="text-sm font-medium">
        {label}
        {optional && <span class="font-normal opacity-80"> {t('(opcional)', '(optional)')}</span>}
      </label>
      {props.children}
      <Message name={name} errors={errors} />
      {hint && (
        <p id={`visitor-${name}-hint`} class="text-sm opacity-80">
          {hint}
        </p>
      )}
    </div>
  )
}

function Text(
  props: FieldState & {
    name: string
    label: string
    hint?: string
    type?: 'text' | 'email' | 'tel' | 'date' | 'time'
    autocomplete?: string
    maxlength?: number
    min?: string
    max?: string
  },
) {
  const { name, type = 'text', errors, value, hint, autocomplete, maxlength, min, max } = props
  return (
    <Frame {...props}>
      <input
        id={`visitor-${name}`}
        name={name}
        // The types have a shape for each kind of input; these attributes fit all of ours.
        {...({ type } as { type: 'text' })}
        value={value(name)}
        class={`input w-full ${errors[name] ? 'input-error' : ''}`}
        {...ariaOf(name, errors, hint !== undefined)}
        {...(autocomplete ? { autocomplete } : {})}
        {...(maxlength ? { maxlength } : {})}
        {...(min ? { min, max } : {})}
      />
    </Frame>
  )
}

function Kinds({ kind, t }: { kind: 'info' | 'tour'; t: Words }) {
  const kinds = [
    ['info', t('Pedir información', 'Ask a question')],
    ['tour', t('Pedir una visita', 'Ask for a showing')],
  ] as const
  return (
    <fieldset class="grid min-w-0 gap-2 sm:grid-cols-2">
      <legend class="mb-1.5 text-sm font-medium">{t('¿Qué necesitas?', 'What do you need?')}</legend>
      {kinds.map(([name, label]) => (
        <label
          key={name}
          class="flex min-w-0 cursor-pointer items-center gap-2.5 rounded-field border border-base-300 px-3 py-2.5 text-sm font-medium has-checked:border-primary has-checked:bg-primary/5"
        >
          <input
            type="radio"
            name="kind"
            value={name}
            checked={name === kind}
            class="radio radio-primary radio-sm"
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

function ListingChoice(props: FieldState & { listings: readonly { id: string; title: string }[] }) {
  const { errors, value, t, listings } = props
  return (
    <Frame {...props} name="listing" label={t('Sobre la propiedad', 'About the property')} optional>
      <select
        id="visitor-listing"
        name="listing"
        class={`select w-full ${errors.listing ? 'select-error' : ''}`}
        {...ariaOf('listing', errors)}
      >
        <option value="">{t('Todas, en general', 'All of them')}</option>
        {listings.map(({ id, title }) => (
          <option key={id} value={id} selected={id === value('listing')}>
            {title}
          </option>
        ))}
      </select>
    </Frame>
  )
}

/** Hidden by the stylesheet while the inquiry is chosen; without it, it stands there and says what it is for. */
function Showing(props: FieldState & { now: number }) {
  const { t, now } = props
  const day = (at: number) => toLocal(new Date(at)).slice(0, 10)
  return (
    <fieldset class="visitor-tour min-w-0 rounded-field border border-base-300 p-3">
      <legend class="px-1 text-sm font-medium">{t('Cuándo quieres visitarla', 'When to visit it')}</legend>
      <div class="grid gap-3 sm:grid-cols-2">
        <Text
          {...props}
          name="date"
          type="date"
          label={t('Día', 'Day')}
          min={day(now)}
          max={day(now + SHOWING_DAYS * DAY_MS)}
        />
        <Text {...props} name="time" type="time" label={t('Hora', 'Time')} />
      </div>
      <p class="mt-3 text-sm opacity-80">
        {t(
          'Hora del centro de México. Te enviaremos por correo un enlace privado para identificarte: por seguridad de todos, cada visita lo requiere.',
          'Central Mexico time. We will mail you a private link to identify yourself: for everybody’s safety, each showing requires it.',
        )}
      </p>
    </fieldset>
  )
}

function Consent({ errors, value, t, privacyHref }: FieldState & { privacyHref: string }) {
  return (
    <div class="flex min-w-0 flex-col gap-1">
      <label class="flex cursor-pointer items-start gap-3 text-sm">
        <input
          id="visitor-consent"
          type="checkbox"
          name="consent"
          value="on"
          checked={value('consent') === 'on'}
          class="checkbox checkbox-primary checkbox-sm mt-0.5"
          {...ariaOf('consent', errors)}
        />
        <span class="min-w-0">
          {t(
            'Acepto que se usen mis datos para responderme, según el ',
            'I agree that my data is used to answer me, as told in the ',
          )}
          <a class="link" href={privacyHref} target="_blank" rel="noopener">
            {t('aviso de privacidad', 'privacy notice')}
          </a>
          .
        </span>
      </label>
      <Message name="consent" errors={errors} />
    </div>
  )
}

function Summary(props: { refused: Refused; errors: FieldErrors; t: Words; otherWays: ComponentChildren }) {
  const { refused, errors, t } = props
  return (
    <div role="alert" class="rounded-field border border-error/60 bg-error/10 p-4 text-sm" tabIndex={-1}>
      <p class="font-semibold">{t('Todavía no se envió.', 'It has not been sent yet.')}</p>
      <p>{whatToDo(refused, t)}</p>
      {refused.outcome === 'refused' && (
        <ul class="mt-2 list-disc pl-5">
          {Object.entries(errors).map(([name, messages]) => (
            <li key={name}>
              <a class="link" href={`#visitor-${name}`}>
                {namesIn(t)[name] ?? name}
              </a>
              : {messages.join('; ')}
            </li>
          ))}
        </ul>
      )}
      {refused.outcome === 'too_many' && props.otherWays && <div class="mt-3">{props.otherWays}</div>}
    </div>
  )
}

const namesIn = (t: Words): Record<string, string> => ({
  name: t('Tu nombre', 'Your name'),
  email: t('Correo', 'E-mail'),
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
      return t('Revisa esto y envíalo de nuevo:', 'Look at this and send it again:')
    case 'trapped':
      return t(
        'Tu navegador llenó un campo que debe quedar vacío; ya lo vaciamos. Vuelve a presionar Enviar.',
        'Your browser filled in a field that must stay empty; we emptied it. Press Send again.',
      )
    case 'too_fast':
      return t(
        'Llegó más rápido de lo que alguien puede escribir. Revisa tus datos y vuelve a presionar Enviar.',
        'It came faster than somebody can write. Look over your data and press Send again.',
      )
    case 'stale':
      return t(
        'La página llevaba mucho tiempo abierta. Lo que escribiste sigue aquí: vuelve a presionar Enviar.',
        'The page had been open for long. What you wrote is still here: press Send again.',
      )
    case 'too_many': {
      const minutes = Math.ceil(refused.retryAfter / 60)
      return t(
        `Desde tu conexión llegaron muchos mensajes. Lo que escribiste sigue aquí: vuelve a enviarlo en ${minutes} min.`,
        `Many messages came from your connection. What you wrote is still here: send it again in ${minutes} min.`,
      )
    }
  }
}
