import type { ComponentChildren } from 'preact'
import type { Issue, Wording } from '../lib/issue.ts'
import { TOKEN_FIELD, useReader } from './context.ts'
import { type FieldProps, FormContext, Frame, Messages, useField } from './field.tsx'
import { fieldErrors } from './messages.ts'

export type Values = URLSearchParams | Record<string, unknown>

/** Submitted values and errors of a form, if any. */
export interface Shown {
  values?: Values
  errors?: readonly Issue[]
}

function valuesOf(values: Values = {}): (name: string) => string[] {
  if (values instanceof URLSearchParams) return name => values.getAll(name)
  return name => {
    const value = values[name]
    if (value === undefined || value === null) return []
    return Array.isArray(value) ? value.map(String) : [String(value)]
  }
}

interface FormProps {
  action: string
  values?: Values | undefined
  errors?: readonly Issue[] | undefined
  /** Overrides the default error texts. */
  wording?: Wording | undefined
  /** The form has file fields; its route needs `config.upload`. */
  upload?: boolean
  /** Id prefix, for pages with other fields of the same names. */
  prefix?: string
  /** Replaces the default error summary. */
  summary?: ComponentChildren
  /** Disables browser validation: our messages are in the page's language and next to their fields. */
  novalidate?: boolean
  class?: string
  id?: string
  children: ComponentChildren
}

/**
 * Use this for every form. It includes the token as its first field; the fields inside find their values and errors by
 * name:
 *
 *   <Form action="/portal/x" values={request.form} errors={rejected.errors}>
 *     <TextField name="title" label={t('Título', 'Title')} required />
 *     <Submit>{t('Guardar', 'Save')}</Submit>
 *   </Form>
 */
export function Form(props: FormProps) {
  const { action, values, errors = [], wording, upload, prefix = '', novalidate, children } = props
  const { formToken, lang } = useReader()
  const byField = fieldErrors(errors, lang, wording)
  return (
    <FormContext.Provider value={{ values: valuesOf(values), errors: byField, prefix }}>
      <form
        method="post"
        action={action}
        id={props.id}
        class={props.class ?? 'flex flex-col gap-5'}
        novalidate={novalidate}
        {...(upload ? { enctype: 'multipart/form-data' } : {})}
      >
        {formToken && <input type="hidden" name={TOKEN_FIELD} value={formToken} />}
        {props.summary ?? (errors.length > 0 && <Summary text={byField['']?.join(' ')} />)}
        {children}
      </form>
    </FormContext.Provider>
  )
}

function Summary({ text }: { text: string | undefined }) {
  const { t } = useReader()
  return (
    <div role="alert" class="alert alert-error" tabIndex={-1} data-focus>
      <span>
        {text ??
          t(
            'Corrige lo que está marcado y vuelve a intentarlo.',
            'Fix the highlighted fields and try again.',
          )}
      </span>
    </div>
  )
}

type InputProps = FieldProps & {
  type?:
    | 'text'
    | 'email'
    | 'password'
    | 'tel'
    | 'url'
    | 'search'
    | 'number'
    | 'date'
    | 'time'
    | 'datetime-local'
  autocomplete?: string
  inputmode?: 'text' | 'numeric' | 'decimal' | 'tel' | 'email' | 'url'
  maxlength?: number
  minlength?: number
  min?: string | number
  max?: string | number
  step?: string | number
  placeholder?: string
  /** Additional attributes, for htmx and small scripts. */
  attributes?: Record<string, string>
}

export function TextField(props: InputProps) {
  const { name, required, type = 'text', attributes, autocomplete, inputmode, placeholder } = props
  const { id, value, messages, aria } = useField(props)
  return (
    <Frame {...props} id={id} messages={messages}>
      <input
        id={id}
        name={name}
        // The typings differ by input type; these attributes fit all of ours.
        {...({ type } as { type: 'text' })}
        // Never send a password back, not even to the person who typed it.
        value={type === 'password' ? '' : value}
        required={required}
        class={`input w-full ${messages ? 'input-error' : ''}`}
        {...aria}
        {...defined({ autocomplete, inputmode, placeholder })}
        {...defined({
          maxlength: props.maxlength,
          minlength: props.minlength,
          min: props.min,
          max: props.max,
          step: props.step,
        })}
        {...attributes}
      />
    </Frame>
  )
}

export const defined = <T extends object>(attributes: T): Partial<T> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Partial<T>

export function TextArea(props: FieldProps & { rows?: number; minlength?: number; maxlength?: number }) {
  const { name, required, rows = 5, minlength, maxlength } = props
  const { id, value, messages, aria } = useField(props)
  return (
    <Frame {...props} id={id} messages={messages}>
      <textarea
        id={id}
        name={name}
        rows={rows}
        required={required}
        class={`textarea w-full ${messages ? 'textarea-error' : ''}`}
        {...aria}
        {...defined({ minlength, maxlength })}
      >
        {value}
      </textarea>
    </Frame>
  )
}

interface Choice {
  value: string
  label: string
}

export function SelectField(props: FieldProps & { options: readonly Choice[]; empty?: string }) {
  const { name, required, options, empty } = props
  const { id, value, messages, aria } = useField(props)
  return (
    <Frame {...props} id={id} messages={messages}>
      <select
        id={id}
        name={name}
        required={required}
        class={`select w-full ${messages ? 'select-error' : ''}`}
        {...aria}
      >
        {empty !== undefined && <option value="">{empty}</option>}
        {options.map(option => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  )
}

export function Checkbox(props: Omit<FieldProps, 'required'> & { checked?: boolean; of?: string }) {
  const { name, label, hint, checked, of = 'on', class: more = '' } = props
  const { id, all, messages, aria } = useField(props)
  return (
    <div class={`flex flex-col gap-1 ${more}`}>
      <label class="flex cursor-pointer items-start gap-3 text-sm">
        <input
          id={of === 'on' ? id : `${id}-${of.replace(/[.\s]/g, '-')}`}
          type="checkbox"
          name={name}
          value={of}
          checked={checked ?? all.includes(of)}
          class="checkbox checkbox-primary checkbox-sm mt-0.5"
          {...aria}
        />
        <span class="min-w-0">{label}</span>
      </label>
      <Messages id={id} messages={messages} hint={hint} />
    </div>
  )
}

/** Radio buttons, each with room for a sentence. */
export function Choices(props: FieldProps & { options: readonly (Choice & { hint?: string })[] }) {
  const { name, label, options, hint, class: more = '' } = props
  const { id, value, messages } = useField(props)
  const chosen = options.find(option => option.value === value) ?? options[0]
  return (
    <fieldset id={id} class={`flex min-w-0 flex-col gap-2 ${more}`}>
      <legend class="mb-1.5 text-sm font-medium">{label}</legend>
      <div class="grid gap-3 sm:grid-cols-2">
        {options.map(option => (
          <label
            key={option.value}
            class="flex min-w-0 cursor-pointer items-start gap-3 rounded-box border border-base-300 bg-base-100 p-4 has-checked:border-primary has-checked:bg-primary/5"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option === chosen}
              class="radio radio-primary radio-sm mt-0.5"
            />
            <span class="min-w-0 text-sm">
              <span class="block font-medium">{option.label}</span>
              {option.hint && <span class="block text-base-content/70">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <Messages id={id} messages={messages} hint={hint} />
    </fieldset>
  )
}

export function FileField(props: FieldProps & { accept: string; multiple?: boolean }) {
  const { name, required, accept, multiple } = props
  const { id, messages, aria } = useField(props)
  return (
    <Frame {...props} id={id} messages={messages}>
      <input
        id={id}
        name={name}
        type="file"
        accept={accept}
        multiple={multiple}
        required={required}
        class={`file-input w-full ${messages ? 'file-input-error' : ''}`}
        {...aria}
      />
    </Frame>
  )
}

/** Asked again before showing a secret or changing credentials. */
export function PasswordAgain() {
  const { t } = useReader()
  return (
    <TextField
      name="password"
      type="password"
      label={t('Tu contraseña', 'Your password')}
      hint={t('La pedimos otra vez para cuidar tu cuenta.', 'We ask again to protect your account.')}
      autocomplete="current-password"
      required
    />
  )
}

export function LanguageField({ label }: { label: string }) {
  const options = [
    { value: 'es', label: 'Español' },
    { value: 'en', label: 'English' },
  ]
  return <SelectField name="lang" label={label} options={options} required />
}
