import type { FastifyRequest } from 'fastify'
import { useReader } from './context.ts'
import { Icon } from './icons.tsx'

/** Search input of a list form. */
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

/** A search box above a list; a plain GET form, so results have a URL. */
export function SearchBox({ action, q, label }: { action: string; q: string; label: string }) {
  const { t } = useReader()
  return (
    <form method="get" action={action} class="flex gap-2">
      <input
        type="search"
        name="q"
        value={q}
        aria-label={label}
        placeholder={label}
        class="input min-w-0 flex-1"
        maxLength={100}
      />
      <button type="submit" class="btn btn-primary">
        <Icon name="search" />
        <span class="sr-only sm:not-sr-only">{t('Buscar', 'Search')}</span>
      </button>
    </form>
  )
}

export const queryOf = (request: FastifyRequest): string =>
  ((request.query as URLSearchParams).get('q') ?? '').replaceAll('\0', '').trim().slice(0, 100)
