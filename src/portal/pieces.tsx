import type { ComponentChildren } from 'preact'
import { mediaPath } from '../files/files.ts'
import { useVisit } from './context.ts'
import { Icon, type IconName } from './icons.tsx'

/** A white box with an optional title and something at its right. */
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
      {(title || actions) && (
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

/** Where a list has nothing yet: what it is for, and the first step. */
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

export function Face({ name, photo, large }: { name: string; photo: string | null; large?: boolean }) {
  const size = large ? 'size-20 text-2xl' : 'size-9 text-sm'
  if (photo) return <img src={mediaPath(photo)} alt="" class={`${size} shrink-0 rounded-full object-cover`} />
  const initials = name
    .split(/\s+/)
    .slice(0, 2)
    .map(word => [...word][0] ?? '')
    .join('')
    .toUpperCase()
  return (
    <span
      aria-hidden="true"
      class={`${size} grid shrink-0 place-items-center rounded-full bg-primary/15 font-semibold text-primary`}
    >
      {initials}
    </span>
  )
}

const BADGES = {
  neutral: 'border-transparent bg-base-300 text-base-content',
  info: 'badge-info badge-soft',
  success: 'badge-success badge-soft',
  // Its own colour is too pale to be read as text.
  warning: 'badge-warning',
  error: 'badge-error badge-soft',
  primary: 'badge-primary badge-soft',
}
export type BadgeTone = keyof typeof BADGES

export function Badge({ tone = 'neutral', children }: { tone?: BadgeTone; children: ComponentChildren }) {
  return <span class={`badge badge-sm whitespace-nowrap ${BADGES[tone]}`}>{children}</span>
}

export function Stat(props: { label: string; value: string | number; href?: string; note?: string }) {
  const inner = (
    <>
      <span class="text-sm text-base-content/70">{props.label}</span>
      <span class="text-3xl font-semibold tabular-nums">{props.value}</span>
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

const ZONE = 'America/Mexico_City'

const formats = (locale: string) => {
  const date = { timeZone: ZONE, dateStyle: 'medium' } as const
  return {
    day: new Intl.DateTimeFormat(locale, date),
    moment: new Intl.DateTimeFormat(locale, { ...date, timeStyle: 'short' }),
  }
}
// Made once: making one takes longer than drawing the line it stands in.
const FORMATS = { es: formats('es-MX'), en: formats('en-GB') }

/** A moment as people there write it; the machine's form stands behind it. */
export function Time({ at, day = false }: { at: Date; day?: boolean }) {
  const { lang } = useVisit()
  return (
    <time dateTime={at.toISOString()} class="whitespace-nowrap">
      {FORMATS[lang][day ? 'day' : 'moment'].format(at)}
    </time>
  )
}

/** Links to sibling pages. */
export function TabLinks(props: {
  label: string
  tabs: { href: string; label: string; count?: number; here: boolean }[]
}) {
  return (
    <nav aria-label={props.label} class="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul class="flex gap-1 border-b border-base-300">
        {props.tabs.map(tab => (
          <li key={tab.href}>
            <a
              href={tab.href}
              aria-current={tab.here ? 'page' : undefined}
              class={`-mb-px block border-b-2 px-3 py-2.5 text-sm font-medium whitespace-nowrap ${
                tab.here
                  ? 'border-primary text-primary'
                  : 'border-transparent text-base-content/75 hover:text-base-content'
              }`}
            >
              {tab.label}
              {tab.count !== undefined && (
                <>
                  {' '}
                  <span class="ml-1 font-normal tabular-nums">{tab.count}</span>
                </>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** What is looked for in a list, inside its form. */
export function SearchField({
  q = '',
  label,
  class: more,
}: {
  q: string | undefined
  label: string
  class: string
}) {
  return (
    <label class={`input min-w-0 grow ${more}`}>
      <Icon name="search" class="size-4 opacity-70" />
      <input type="search" name="q" value={q} aria-label={label} placeholder={label} />
    </label>
  )
}

/** The same list, shown in another way. */
export function ViewLinks({ views }: { views: { href: string; label: string; here: boolean }[] }) {
  const { t } = useVisit()
  return (
    <nav aria-label={t('Vista', 'View')} class="join">
      {views.map(({ href, label, here }) => (
        <a
          key={href}
          href={href}
          aria-current={here ? 'true' : undefined}
          class={`btn join-item btn-sm ${here ? 'btn-primary' : ''}`}
        >
          {label}
        </a>
      ))}
    </nav>
  )
}

/** A text to be copied whole; the button appears where scripts run. */
export function Copyable(props: {
  text: string
  label: string
  /** For texts of several lines. */
  rows?: number
  /** The button below, where there is little room. */
  stacked?: boolean
}) {
  const { t } = useVisit()
  const { text, label, rows, stacked = false } = props
  const attributes = {
    readOnly: true,
    'aria-label': label,
    spellcheck: false,
    autocomplete: 'off' as const,
  }
  return (
    <div class={`flex min-w-0 flex-col gap-2 ${stacked ? '' : 'sm:flex-row'}`} data-copy>
      {rows === undefined ? (
        <input type="text" class="input w-full min-w-0 font-mono text-sm" value={text} {...attributes} />
      ) : (
        <textarea class="textarea w-full min-w-0 font-mono text-sm" rows={rows} {...attributes}>
          {text}
        </textarea>
      )}
      <button type="button" class="btn btn-primary" hidden data-done={t('Copiada', 'Copied')}>
        <Icon name="copy" />
        <span aria-live="polite">{t('Copiar', 'Copy')}</span>
      </button>
    </div>
  )
}

interface Bar {
  label: string
  value: number
  /** Said instead of the label where there is room. */
  title?: string
}

const CHART = { width: 360, height: 190, top: 16, bottom: 22 }

/** Upright bars, drawn on the server; the table for screen readers says the same. */
export function BarChart({ bars, caption }: { bars: Bar[]; caption: string }) {
  const { width, height, top, bottom } = CHART
  const most = Math.max(1, ...bars.map(bar => bar.value))
  const step = width / Math.max(1, bars.length)
  // Half the labels, the newest among them: on a phone there is no room for more.
  const isLabelled = (i: number) => (bars.length - 1 - i) % 2 === 0
  const size = (value: number) => (value / most) * (height - top - bottom)
  return (
    <figure class="min-w-0">
      <svg viewBox={`0 0 ${width} ${height}`} class="h-auto w-full" aria-hidden="true">
        <line x1="0" x2={width} y1={height - bottom} y2={height - bottom} class="stroke-base-300" />
        {bars.map((bar, i) => (
          <g key={bar.label}>
            <rect
              x={i * step + step * 0.18}
              y={height - bottom - Math.max(size(bar.value), 1)}
              width={step * 0.64}
              height={Math.max(size(bar.value), 1)}
              rx="3"
              class={bar.value > 0 ? 'fill-primary' : 'fill-base-300'}
            />
            {isLabelled(i) && (
              <text
                x={i * step + step / 2}
                y={height - 7}
                text-anchor="middle"
                class="fill-base-content text-[10px]"
              >
                {bar.label}
              </text>
            )}
            {bar.value > 0 && (
              <text
                x={i * step + step / 2}
                y={height - bottom - size(bar.value) - 5}
                text-anchor="middle"
                class="fill-base-content text-[11px] font-medium"
              >
                {bar.value}
              </text>
            )}
          </g>
        ))}
      </svg>
      <table class="sr-only">
        <caption>{caption}</caption>
        <tbody>
          {bars.map(bar => (
            <tr key={bar.label}>
              <th scope="row">{bar.title ?? bar.label}</th>
              <td>{bar.value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}

/** Lying bars with their numbers: for a few kinds of something. */
export function Shares({ shares }: { shares: (Bar & { href?: string })[] }) {
  const most = Math.max(1, ...shares.map(share => share.value))
  return (
    <ul class="flex flex-col gap-3">
      {shares.map(share => (
        <li key={share.label} class="flex flex-col gap-1">
          <div class="flex justify-between gap-3 text-sm">
            {share.href ? (
              <a class="link link-hover" href={share.href}>
                {share.label}
              </a>
            ) : (
              <span>{share.label}</span>
            )}
            <span class="font-medium tabular-nums">{share.value}</span>
          </div>
          <svg viewBox="0 0 100 3" preserveAspectRatio="none" class="h-2 w-full" aria-hidden="true">
            <rect width="100" height="3" rx="1.5" class="fill-base-200" />
            <rect width={(share.value / most) * 100} height="3" rx="1.5" class="fill-primary" />
          </svg>
        </li>
      ))}
    </ul>
  )
}
