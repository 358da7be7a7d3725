import type { ComponentChildren } from 'preact'
import { numberText } from '../lib/i18n.ts'
import { useReader } from './context.ts'
import { Icon, type IconName } from './icons.tsx'

/** A box with an optional title and actions on the right. */
export function Panel(props: {
  title?: string
  note?: ComponentChildren
  actions?: ComponentChildren
  class?: string
  children: ComponentChildren
}) {
  const { title, note, actions, class: more = '', children } = props
  return (
    <section class={`min-w-0 rounded-box border border-base-300 bg-base-100 p-5 sm:p-6 ${more}`}>
      {(title || note || actions) && (
        <div class="mb-4 flex flex-wrap items-center justify-between gap-3">
          <div class="min-w-0">
            {title && <h2 class="text-lg font-semibold">{title}</h2>}
            {note && <p class="text-sm text-base-content/70">{note}</p>}
          </div>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}

/** Empty state: what the list is for, and the first step. */
export function Empty(props: {
  icon: IconName
  title: string
  children?: ComponentChildren
  action?: ComponentChildren
}) {
  return (
    <div class="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <span class="grid size-14 place-items-center rounded-full bg-primary/10 text-primary">
        <Icon name={props.icon} class="size-7" />
      </span>
      <p class="text-lg font-semibold">{props.title}</p>
      {props.children && <div class="max-w-md text-base-content/70">{props.children}</div>}
      {props.action}
    </div>
  )
}

export function Stat(props: { label: string; value: string | number; href?: string; note?: string }) {
  const { lang } = useReader()
  const inner = (
    <>
      <span class="text-sm text-base-content/70">{props.label}</span>
      <span class="text-3xl font-semibold tabular-nums">
        {typeof props.value === 'number' ? numberText(props.value, lang) : props.value}
      </span>
      {props.note && <span class="text-sm text-base-content/70">{props.note}</span>}
    </>
  )
  const box = 'flex min-w-0 flex-col gap-1 rounded-box border border-base-300 bg-base-100 p-5'
  return props.href ? (
    <a href={props.href} class={`${box} hover:border-primary`}>
      {inner}
    </a>
  ) : (
    <div class={box}>{inner}</div>
  )
}

export type Fact = [label: string, value: ComponentChildren]

/** A definition list; unknown values are omitted. `stacked` puts labels above their values, for narrow panels. */
export function Facts({ facts, stacked = false }: { facts: Fact[]; stacked?: boolean }) {
  const columns = stacked ? '[&>dd]:mb-2' : 'gap-x-6 gap-y-3 sm:grid-cols-[11rem_minmax(0,1fr)]'
  return (
    <dl class={`grid text-sm ${columns}`}>
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <>
            <dt class="text-base-content/70">{label}</dt>
            <dd class="break-words">{value}</dd>
          </>
        ))}
    </dl>
  )
}
