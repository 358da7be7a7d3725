import type { ComponentChildren } from 'preact'
import type { IconName } from '../ui/icons.tsx'
import { Empty, Panel } from '../ui/panels.tsx'
import { useVisit } from './context.ts'

interface Props {
  /** What to show while there are none: for agents who can make one, and for those not verified yet. */
  empty: { icon: IconName; title: string; hint: string }
  cards: ComponentChildren[]
  /** To make another; only verified agents can. */
  form: ComponentChildren
}

/** What an agent has made, as cards, beside the form to make another. */
export function CardsBesideForm({ empty, cards, form }: Props) {
  const { t, agent } = useVisit()
  const isVerified = agent?.isVerified ?? false
  return (
    <div class="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      {cards.length === 0 ? (
        <Panel>
          <Empty icon={empty.icon} title={empty.title}>
            {isVerified
              ? empty.hint
              : t(
                  'Podrás crearlos cuando verifiquemos tu licencia.',
                  'You can create them once your license is verified.',
                )}
          </Empty>
        </Panel>
      ) : (
        <ul class="flex min-w-0 flex-col gap-4">{cards}</ul>
      )}
      {isVerified && form}
    </div>
  )
}

interface CardProps {
  href: string
  name: string
  badges: ComponentChildren
  children: ComponentChildren
}

export function Card({ href, name, badges, children }: CardProps) {
  return (
    <li class="min-w-0 rounded-box border border-base-300 bg-base-100 p-5">
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 class="min-w-0 text-lg font-semibold break-words">
          <a class="link link-hover" href={href}>
            {name}
          </a>
        </h2>
        {badges}
      </div>
      <p class="mt-1 text-sm break-words text-base-content/75">{children}</p>
    </li>
  )
}
