import { useReader } from './context.ts'

/** Links to sibling pages. */
export function TabLinks(props: {
  label: string
  tabs: { href: string; label: string; count?: number; here: boolean }[]
}) {
  return (
    <nav aria-label={props.label} class="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul class="flex gap-1 border-b border-base-300 sm:flex-wrap">
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
