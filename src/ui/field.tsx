import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { capital } from '../lib/text.ts'
import { useReader } from './context.ts'
import type { FieldErrors } from './messages.ts'

/** Values and errors of a form's fields, by name. */
interface FormState {
  values: (name: string) => string[]
  errors: FieldErrors
  /** Id prefix, for pages with other fields of the same names. */
  prefix: string
}

export const FormContext = createContext<FormState>({ values: () => [], errors: {}, prefix: '' })

export interface FieldProps {
  name: string
  label: ComponentChildren
  hint?: ComponentChildren
  required?: boolean
  /** False hides "(optional)" on a field that is only conditionally required. */
  optional?: boolean
  /** Overrides the form's `values`. */
  value?: string | number | null
  class?: string
}

export function useField({ name, value: given, hint }: Pick<FieldProps, 'name' | 'value' | 'hint'>) {
  const { values, errors, prefix } = useContext(FormContext)
  const id = `${prefix}${name}`
  const found = values(name)
  const value = given !== undefined ? String(given ?? '') : (found[0] ?? '')
  const messages = errors[name]
  const describedBy = [messages && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const aria = {
    ...(messages ? ({ 'aria-invalid': 'true' } as const) : {}),
    ...(describedBy ? { 'aria-describedby': describedBy } : {}),
  }
  return { id, value, all: found, messages, aria }
}

interface Around {
  id: string
  messages: string[] | undefined
}

/** Wraps a control with its label, error and hint. */
export function Frame(props: FieldProps & Around & { children: ComponentChildren }) {
  const { id, label, hint, required, optional = !required, messages, class: more = '', children } = props
  const { t } = useReader()
  return (
    <div class={`flex min-w-0 flex-col gap-1.5 ${more}`}>
      <label for={id} class="text-sm font-medium">
        {label}
        {optional && <span class="font-normal text-base-content/70"> {t('(opcional)', '(optional)')}</span>}
      </label>
      {children}
      <Messages id={id} messages={messages} hint={hint} />
    </div>
  )
}

export function Messages({ id, messages, hint }: Around & { hint?: ComponentChildren }) {
  return (
    <div class="flex flex-col gap-1 text-sm empty:hidden">
      {messages && (
        <p id={`${id}-error`} class="font-medium text-error">
          {capital(messages.join('; '))}.
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} class="text-base-content/70">
          {hint}
        </p>
      )}
    </div>
  )
}
