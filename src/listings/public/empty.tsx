import type { Lang, Words } from '../../lib/i18n.ts'
import type { Criteria } from '../../search/criteria.ts'
import { usualPlace } from '../../search/usual-place.ts'
import type { Comparing } from '../../site/comparing.tsx'
import { AlertLink, Nothing } from '../../site/layout.tsx'
import type { Market } from '../../site/market.ts'
import { useVisit } from '../../site/visit.ts'
import { count } from '../../site/words.ts'
import { alertQuery, comparedAt } from './currency.tsx'
import { chipsOf, cleanQuery, readFilters, withParameters } from './filters.ts'

/** Filters that are left out one at a time to count what is found without them, and how many of those are offered. */
const [MOST_TRIED, MOST_OFFERED] = [12, 6]

interface Wider {
  /** The filter that is removed, or the place that is left. */
  text: string
  query: URLSearchParams
  count: number
}

/** What can be offered to someone who found nothing: only searches that find something. */
export interface WayOut {
  without: Wider[]
  /** If no single filter is to blame: everything in the place. */
  place: Wider | undefined
}

interface Empty {
  query: URLSearchParams
  criteria: Criteria
  comparing: Comparing
}

export async function wayOut(market: Market, empty: Empty, lang: Lang): Promise<WayOut> {
  const chips = chipsOf(empty.query, lang, String)
  const fewer = chips.map(({ text, without }) => ({ text, query: cleanQuery(new URLSearchParams(without)) }))
  // Without its only filter, a search is the whole market, which is offered anyway.
  const narrower = fewer.filter(({ query }) => query.size > 0).slice(0, MOST_TRIED)
  const without = (await counted(market, narrower, empty, lang)).sort((a, b) => b.count - a.count)
  if (without.length > 0) return { without: without.slice(0, MOST_OFFERED), place: undefined }
  return { without, place: (await counted(market, placesIn(empty.query), empty, lang))[0] }
}

async function counted(
  market: Market,
  searches: Omit<Wider, 'count'>[],
  { criteria, comparing }: Empty,
  lang: Lang,
): Promise<Wider[]> {
  const read = searches.map(({ query }) => {
    const { criteria: one } = comparedAt(comparing.rate, query, readFilters(query, lang).criteria)
    return { ...one, ...sameAreas(one, criteria) }
  })
  const counts = await market.countEach(read)
  return searches.map((one, i) => ({ ...one, count: counts[i] ?? 0 })).filter(one => one.count > 0)
}

/** An area that is the same object is looked through once for all. */
const sameAreas = (one: Criteria, { polygons, rectangle, circle }: Criteria): Partial<Criteria> => ({
  ...(one.polygons && polygons && { polygons }),
  ...(one.rectangle && rectangle && { rectangle }),
  ...(one.circle && circle && { circle }),
})

/** The places of a search without its other filters, the narrowest first: "Centro, Mérida", then "Mérida". */
function placesIn(query: URLSearchParams): Omit<Wider, 'count'>[] {
  const typed = (query.get('place') ?? '').split(',')
  const named = (...names: string[]) => Object.fromEntries(names.map(name => [name, query.get(name) ?? '']))
  const searches: Record<string, string>[] = [
    ...typed.map((_, i) => ({ place: typed.slice(i).join(',').trim() })),
    named('state', 'city', 'neighborhood'),
    named('state', 'city'),
    named('state'),
  ]
  return searches.flatMap(names => {
    const place = cleanQuery(new URLSearchParams(names))
    const text = [place.get('place'), place.get('neighborhood'), place.get('city'), place.get('state')]
    return place.size > 0 ? [{ text: usualPlace(text.filter(Boolean).join(', ')), query: place }] : []
  })
}

/** Without «sin alberca» is with or without it. */
const withoutFilter = (text: string, t: Words): string =>
  /^(sin|without) /.test(text) ? `${t('con o', 'with or')} ${text}` : `${t('sin', 'without')} ${text}`

export function NothingFound({ query, wayOut }: { query: URLSearchParams; wayOut: WayOut | undefined }) {
  const { lang, t, to } = useVisit()
  const { without = [], place } = wayOut ?? {}
  return (
    <Nothing title={t('No encontramos propiedades con esa búsqueda', 'No properties match your search')}>
      {without.length > 0 && <p>{t('Prueba con menos filtros:', 'Try fewer filters:')}</p>}
      {without.length > 0 && (
        <ul class="chips justify-center">
          {without.map(one => (
            <li>
              <a href={to(withParameters(one.query, {}))}>
                {withoutFilter(one.text, t)} ({count(one.count, lang)})
              </a>
            </li>
          ))}
        </ul>
      )}
      <div class="flex flex-wrap justify-center gap-2">
        {place && (
          <a class="btn btn-primary btn-sm" href={to(withParameters(place.query, {}))}>
            {t('Ver todo en', 'See everything in')} {place.text} ({count(place.count, lang)})
          </a>
        )}
        <AlertLink query={alertQuery(query)} />
        <a class="btn btn-outline btn-sm" href={to('/propiedades')}>
          {t('Ver todas las propiedades', 'See all properties')}
        </a>
      </div>
    </Nothing>
  )
}
