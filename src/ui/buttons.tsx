import type { ComponentChildren } from 'preact'
import { defined, Form } from '../ui/forms.tsx'

const TONES = {
  primary: 'btn btn-primary',
  plain: 'btn',
  quiet: 'btn btn-ghost',
  danger: 'btn btn-error btn-outline',
}
export type Tone = keyof typeof TONES

export function Submit(props: {
  children: ComponentChildren
  tone?: Tone
  small?: boolean
  name?: string
  value?: string
  class?: string
}) {
  const { children, tone = 'primary', small, name, value, class: more = '' } = props
  return (
    <button
      type="submit"
      class={`${TONES[tone]} ${small ? 'btn-sm' : ''} ${more}`}
      {...defined({ name, value })}
    >
      {children}
    </button>
  )
}

/** A form with a single button, for actions without input. `fields` are hidden inputs. */
export function ActionButton(props: {
  action: string
  children: ComponentChildren
  tone?: Tone
  small?: boolean
  fields?: Record<string, string>
  class?: string
}) {
  const { action, children, tone = 'plain', small = true, fields = {}, class: more } = props
  return (
    <Form action={action} class="inline-flex">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Submit tone={tone} small={small} {...defined({ class: more })}>
        {children}
      </Submit>
    </Form>
  )
}

/** Asks for confirmation, without scripts: for irreversible actions or those that need an explanation. */
export function Confirm({ label, children }: { label: ComponentChildren; children: ComponentChildren }) {
  return (
    <details class="dropdown dropdown-end">
      <summary class="btn btn-error btn-outline btn-sm">{label}</summary>
      <div class="dropdown-content z-10 mt-2 w-72 rounded-box border border-base-300 bg-base-100 p-4 text-left text-sm shadow-xl">
        {children}
      </div>
    </details>
  )
}

/** A single-button form with confirmation. */
export function DangerButton(props: { action: string; label: string; question: string; yes: string }) {
  return (
    <Confirm label={props.label}>
      <div class="flex flex-col gap-3">
        <p>{props.question}</p>
        <ActionButton action={props.action} tone="danger">
          {props.yes}
        </ActionButton>
      </div>
    </Confirm>
  )
}
