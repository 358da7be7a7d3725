import { numberText } from '../lib/i18n.ts'
import { useReader } from './context.ts'

/** Links to sibling pages. Many that all matter wrap on a phone; others scroll. */
export function TabLinks(props: {
  label: string
  wraps?: boolean
  tabs: { href: string; label: string; count?: number; here: boolean }[]
}) {
  const { lang } = useReader()
  return (
    <nav aria-label={props.label} class={props.wraps ? '' : '-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0'}>
      <ul class={`flex gap-1 border-b border-base-300 ${props.wraps ? 'flex-wrap' : 'sm:flex-wrap'}`}>
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
                  <span class="ml-1 font-normal tabular-nums">{numberText(tab.count, lang)}</span>
                </>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Links to the pages of one group, below its tabs. */
export function PillLinks(props: { label: string; links: { href: string; label: string; here: boolean }[] }) {
  return (
    <nav aria-label={props.label}>
      <ul class="flex flex-wrap gap-2">
        {props.links.map(({ href, label, here }) => (
          <li key={href}>
            <a
              href={href}
              aria-current={here ? 'page' : undefined}
              class={`btn btn-sm font-medium ${here ? 'btn-primary' : 'btn-ghost border-base-300'}`}
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Switches between views of the same list. */
export function ViewLinks({ views }: { views: { href: string; label: string; here: boolean }[] }) {
  const { t } = useReader()
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
