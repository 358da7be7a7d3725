import type { FastifyRequest } from 'fastify'
import { useReader } from './context.ts'

export interface PageOf {
  page: number
  hasMore: boolean
}

export const PAGE_SIZE = 25

/** `?page=3`, from 1 on; anything else is the first. */
export function pageOf(request: FastifyRequest): number {
  const page = Number((request.query as URLSearchParams).get('page') ?? 1)
  return Number.isInteger(page) && page > 0 && page < 10_000 ? page : 1
}

export function Pager({ path, q, page, hasMore }: PageOf & { path: string; q?: string }) {
  const { t } = useReader()
  if (page === 1 && !hasMore) return null
  const to = (number: number) =>
    `${path}?${new URLSearchParams({ ...(q ? { q } : {}), page: String(number) })}`
  return (
    <nav aria-label={t('Páginas', 'Pages')} class="mt-5 flex items-center justify-between gap-3">
      {page > 1 ? (
        <a class="btn btn-sm" href={to(page - 1)}>
          {t('Anterior', 'Previous')}
        </a>
      ) : (
        <span />
      )}
      <span class="text-sm text-base-content/70">{t(`Página ${page}`, `Page ${page}`)}</span>
      {hasMore ? (
        <a class="btn btn-sm" href={to(page + 1)}>
          {t('Siguiente', 'Next')}
        </a>
      ) : (
        <span />
      )}
    </nav>
  )
}
