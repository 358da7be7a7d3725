import type { ComponentChildren } from 'preact'

export function Columns({ children, of = 2 }: { children: ComponentChildren; of?: 2 | 4 }) {
  const columns = { 2: 'sm:grid-cols-2', 4: 'grid-cols-2 items-end xl:grid-cols-4' }[of]
  return <div class={`grid min-w-0 gap-5 ${columns}`}>{children}</div>
}

export function Stack({ children }: { children: ComponentChildren }) {
  return <div class="flex min-w-0 flex-col gap-5">{children}</div>
}
