import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Issue, Wording } from '../lib/issue.ts'
import { capital } from '../lib/text.ts'
import { type FieldErrors, fieldErrors } from '../ui/messages.ts'
import { TOKEN_FIELD, useReader } from './context.ts'

/**
 * What a form shows: values by field name and what is wrong with them. The fields inside find both by their name:
 *
 *   <Form action="/portal/x" values={request.form} errors={attempt.errors}>
 *     <TextField name="title" label={t('Título', 'Title')} required />
 *     <Submit>{t('Guardar', 'Save')}</Submit>
 *   </Form>
 */
interface FormState {
  values: (name: string) => string[]
  errors: FieldErrors
}

export type Values = URLSearchParams | Record<string, unknown>

/** How a screen shows its form: as it was typed, with what is wrong; or neither. */
export interface Shown {
  values?: Values
  errors?: readonly Issue[]
}

const FormContext = createContext<FormState>({ values: () => [], errors: {} })

function valuesOf(values: Values = {}): FormState['values'] {
  if (values instanceof URLSearchParams) return name => values.getAll(name)
  return name => {
    const value = values[name]
    if (value === undefined || value === null) return []
    return Array.isArray(value) ? value.map(String) : [String(value)]
  }
}

interface FormProps {
  action: string
  values?: Values
  errors?: readonly Issue[] | undefined
  /** In place of the usual words for what is wrong. */
  wording?: Wording | undefined
  /** The form has file fields; its route needs `config.upload`. */
  upload?: boolean
  class?: string
  id?: string
  children: ComponentChildren
}

/** The only way to write a form: it brings the token along, as its first field. */
export function Form(props: FormProps) {
  const { action, values, errors = [], wording, upload, class: more, id, children } = props
  const { formToken, lang, t } = useReader()
  const byField = fieldErrors(errors, lang, wording)
  return (
    <FormContext.Provider value={{ values: valuesOf(values), errors: byField }}>
      <form
        method="post"
        action={action}
        id={id}
        class={more ?? 'flex flex-col gap-5'}
        {...(upload ? { enctype: 'multipart/form-data' } : {})}
      >
        <input type="hidden" name={TOKEN_FIELD} value={formToken} />
        {errors.length > 0 && (
          <div role="alert" class="alert alert-error" tabIndex={-1} data-focus>
            <span>
              {byField['']?.join(' ') ??
                t('Revisa lo que está marcado y vuelve a intentarlo.', 'Check what is marked and try again.')}
            </span>
          </div>
        )}
        {children}
      </form>
    </FormContext.Provider>
  )
}

interface FieldProps {
  name: string
  label: string
  hint?: ComponentChildren
  required?: boolean
  /** Instead of what the form's `values` say. */
  value?: string | number | null
  class?: string
}

function useField({ name, value: given, hint }: Pick<FieldProps, 'name' | 'value' | 'hint'>) {
  const { values, errors } = useContext(FormContext)
  const found = values(name)
  const value = given !== undefined ? String(given ?? '') : (found[0] ?? '')
  const messages = errors[name]
  const describedBy = [messages && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(' ')
  const aria = {
    ...(messages ? ({ 'aria-invalid': 'true' } as const) : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
  }
  return { value, all: found, messages, aria }
}

function Frame(props: FieldProps & { messages: string[] | undefined; children: ComponentChildren }) {
  const { name, label, hint, required, messages, class: more = '', children } = props
  const { t } = useReader()
  return (
    <div class={`flex min-w-0 flex-col gap-1.5 ${more}`}>
      <label for={name} class="text-sm font-medium">
        {label}
        {!required && <span class="font-normal text-base-content/70"> {t('(opcional)', '(optional)')}</span>}
      </label>
      {children}
      <Messages name={name} messages={messages} hint={hint} />
    </div>
  )
}

function Messages(props: { name: string; messages: string[] | undefined; hint?: ComponentChildren }) {
  const { name, messages, hint } = props
  return (
    <div class="flex flex-col gap-1 text-sm empty:hidden">
      {messages && (
        <p id={`${name}-error`} class="font-medium text-error">
          {capital(messages.join('; '))}.
        </p>
      )}
      {hint && (
        <p id={`${name}-hint`} class="text-base-content/70">
          {hint}
        </p>
      )}
    </div>
  )
}

type InputProps = FieldProps & {
  type?: 'text' | 'email' | 'password' | 'tel' | 'url' | 'search' | 'number' | 'date' | 'datetime-local'
  autocomplete?: string
  inputmode?: 'text' | 'numeric' | 'decimal' | 'tel' | 'email' | 'url'
  maxlength?: number
  minlength?: number
  min?: string | number
  max?: string | number
  step?: string | number
  placeholder?: string
  /** Further attributes, for htmx and small scripts. */
  attributes?: Record<string, string>
}

export function TextField(props: InputProps) {
  const { name, required, type = 'text', attributes, autocomplete, inputmode, placeholder } = props
  const { value, messages, aria } = useField(props)
  return (
    <Frame {...props} messages={messages}>
      <input
        id={name}
        name={name}
        // The types have a shape for each kind of input; these attributes fit all of ours.
        {...({ type } as { type: 'text' })}
        // A password is never sent back, not even to whoever typed it.
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

export function TextArea(props: FieldProps & { rows?: number; maxlength?: number }) {
  const { name, required, rows = 5, maxlength } = props
  const { value, messages, aria } = useField(props)
  return (
    <Frame {...props} messages={messages}>
      <textarea
        id={name}
        name={name}
        rows={rows}
        required={required}
        class={`textarea w-full ${messages ? 'textarea-error' : ''}`}
        {...aria}
        {...defined({ maxlength })}
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
  const { value, messages, aria } = useField(props)
  return (
    <Frame {...props} messages={messages}>
      <select
        id={name}
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
  const { all, messages, aria } = useField(props)
  const id = of === 'on' ? name : `${name}-${of.replaceAll('.', '-')}`
  return (
    <div class={`flex flex-col gap-1 ${more}`}>
      <label class="flex cursor-pointer items-start gap-3 text-sm">
        <input
          id={id}
          type="checkbox"
          name={name}
          value={of}
          checked={checked ?? all.includes(of)}
          class="checkbox checkbox-primary checkbox-sm mt-0.5"
          {...aria}
        />
        <span class="min-w-0">{label}</span>
      </label>
      <Messages name={name} messages={messages} hint={hint} />
    </div>
  )
}

/** One of a few, each with room for a sentence. */
export function Choices(props: FieldProps & { options: readonly (Choice & { hint?: string })[] }) {
  const { name, label, options, hint, class: more = '' } = props
  const { value, messages } = useField(props)
  return (
    <fieldset class={`flex min-w-0 flex-col gap-2 ${more}`}>
      <legend class="mb-1.5 text-sm font-medium">{label}</legend>
      <div class="grid gap-3 sm:grid-cols-2">
        {options.map((option, i) => (
          <label
            key={option.value}
            class="flex min-w-0 cursor-pointer items-start gap-3 rounded-box border border-base-300 bg-base-100 p-4 has-checked:border-primary has-checked:bg-primary/5"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={value ? value === option.value : i === 0}
              class="radio radio-primary radio-sm mt-0.5"
            />
            <span class="min-w-0 text-sm">
              <span class="block font-medium">{option.label}</span>
              {option.hint && <span class="block text-base-content/70">{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <Messages name={name} messages={messages} hint={hint} />
    </fieldset>
  )
}

export function FileField(props: FieldProps & { accept: string; multiple?: boolean }) {
  const { name, required, accept, multiple } = props
  const { messages, aria } = useField(props)
  return (
    <Frame {...props} messages={messages}>
      <input
        id={name}
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

/** Asked again where a secret is about to be shown or the account changes hands. */
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
