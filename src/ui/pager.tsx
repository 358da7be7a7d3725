import { useReader } from './context.ts'

/** Rows per page in the portal. */
export const PAGE_SIZE = 25

// At most six digits, so the offset cannot overflow.
const PAGE = /^[1-9]\d{0,5}$/

/** `?page=3`, starting at 1; anything else is the first page. */
export function pageOf({ query }: { query: unknown }): number {
  const page = (query as URLSearchParams).get('page') ?? ''
  return PAGE.test(page) ? Number(page) : 1
}

/** URL of another page. The first has no number, so it has a single URL. */
export function pageHref(path: string, asked: Record<string, string | undefined> = {}) {
  const given = Object.entries(asked).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return (page: number): string => {
    const query = new URLSearchParams([...given, ...(page > 1 ? [['page', String(page)]] : [])])
    return query.size > 0 ? `${path}?${query}` : path
  }
}

/** Fetches one extra row to detect a next page without counting. */
export const rangeOf = (page: number, size = PAGE_SIZE) => ({ limit: size + 1, offset: (page - 1) * size })

export interface PageOf<Row> {
  rows: Row[]
  page: number
  hasMore: boolean
}

export const pageFrom = <Row,>(found: Row[], page: number, size = PAGE_SIZE): PageOf<Row> => ({
  rows: found.slice(0, size),
  page,
  hasMore: found.length > size,
})

type Extent =
  | { pages: number; hasMore?: undefined }
  /** When the total is unknown. */
  | { pages?: undefined; hasMore: boolean }

/** Links to nearby pages, the first and, if known, the last. */
export function Pager(props: Extent & { page: number; hrefOf(page: number): string }) {
  const { t } = useReader()
  const { page, pages, hrefOf } = props
  const hasMore = pages === undefined ? props.hasMore : page < pages
  if (pages === undefined ? page === 1 && !hasMore : pages < 2) return null
  return (
    <nav
      aria-label={t('Páginas', 'Pages')}
      class="mt-6 flex flex-wrap items-center justify-center gap-1.5 text-sm"
    >
      {page > 1 && (
        <a class="btn btn-sm" rel="prev" href={hrefOf(Math.min(page - 1, pages ?? page))}>
          ←<span class="sr-only sm:not-sr-only"> {t('Anterior', 'Previous')}</span>
        </a>
      )}
      {pages === undefined ? (
        <span class="px-2 tabular-nums">{t(`Página ${page}`, `Page ${page}`)}</span>
      ) : (
        <Numbers page={page} pages={pages} hrefOf={hrefOf} />
      )}
      {hasMore && (
        <a class="btn btn-sm" rel="next" href={hrefOf(page + 1)}>
          <span class="sr-only sm:not-sr-only">{t('Siguiente', 'Next')} </span>→
        </a>
      )}
    </nav>
  )
}

function Numbers({ page, pages, hrefOf }: { page: number; pages: number; hrefOf(page: number): string }) {
  const { t } = useReader()
  const around = [1, page - 1, page, page + 1, pages].filter(one => one >= 1 && one <= pages)
  const shown = [...new Set(around)].sort((a, b) => a - b)
  return shown.map((one, i) => (
    <>
      {one - (shown[i - 1] ?? one) > 1 && <span aria-hidden="true">…</span>}
      <a
        class={`btn btn-sm tabular-nums ${one === page ? 'btn-primary' : ''}`}
        aria-current={one === page ? 'page' : undefined}
        aria-label={t(`Página ${one}`, `Page ${one}`)}
        href={hrefOf(one)}
      >
        {one}
      </a>
    </>
  ))
}
