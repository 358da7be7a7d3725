import { lengthOf, type Reading } from '../lib/fields.ts'
import type { Selection } from '../lib/selection.ts'
import type { Criteria, Filters } from './criteria.ts'
import type { Answer } from './engine/answers.ts'
import type { FacetName } from './engine/tallies.ts'
import { filterParameters, readSearch } from './parameters.ts'
import type { Search } from './service.ts'
import type { Understood } from './understand/understand.ts'

/** A question in natural language, as the search it stands for. */
export interface Asked extends Reading<Criteria> {
  understood: Understood
  /** The same search without `ask`; explicit parameters take precedence over understood ones. */
  query: URLSearchParams
  /** Words that `q` has no room for: a question may be longer. */
  cut: string
  fields: Selection | undefined
}

const MAX_TEXT = filterParameters.q.schema.maxLength as number

/** The words that were not understood: those that fit into `q`, and the others. */
export function textToFind({ text }: Understood): { q: string; cut: string } {
  if (lengthOf(text) <= MAX_TEXT) return { q: text, cut: '' }
  const words = text.split(' ')
  let kept = 0
  while (lengthOf(words.slice(0, kept + 1).join(' ')) <= MAX_TEXT) kept++
  return { q: words.slice(0, kept).join(' '), cut: words.slice(kept).join(' ') }
}

const TOGETHER = ['lat', 'lng', 'radius_km']

export function readAsk(
  query: URLSearchParams,
  understood: Understood,
  extras: Partial<Filters> = {},
): Asked {
  const merged = new URLSearchParams(query)
  merged.delete('ask')
  const isGiven = (name: string) => (TOGETHER.includes(name) ? TOGETHER : [name]).some(one => query.has(one))
  for (const [name, value] of understood.parameters) if (!isGiven(name)) merged.append(name, value)
  const { q, cut } = query.has('q') ? { q: '', cut: '' } : textToFind(understood)
  if (q) merged.set('q', q)
  if (!merged.has('sort')) merged.set('sort', 'relevance')
  const dropped = dropUnusable(merged, query, understood)
  const { value, ...reading } = readSearch(merged, extras)
  const used = without(understood, dropped)
  const bedrooms = used.parameters.get('min_bedrooms')
  const liked = bedrooms && !query.has('min_bedrooms') ? { likedBedrooms: Number(bedrooms) } : {}
  const typed = understood.pieces.flatMap(({ parameter, text }) => (dropped.has(parameter) ? [text] : []))
  const left = [...new Set(typed), cut].filter(Boolean).join(' ')
  const text = cut === '' ? used.text : q
  return {
    ...reading,
    value: { ...value, ...liked },
    understood: { ...used, text },
    query: merged,
    cut: left,
  }
}

function without(understood: Understood, names: ReadonlySet<string>): Understood {
  const parameters = new URLSearchParams(understood.parameters)
  for (const name of names) parameters.delete(name)
  const pieces = understood.pieces.filter(({ parameter }) => !names.has(parameter))
  return { ...understood, parameters, pieces }
}

const PRICES = ['min_price', 'max_price']

/**
 * Of what was understood, drops what cannot be searched for, or not together with the parameters that were sent: an error must not
 * name a parameter that nobody sent. Returns their names.
 */
export function dropUnusable(
  merged: URLSearchParams,
  query: URLSearchParams,
  { parameters }: Understood,
): Set<string> {
  const dropped = new Set<string>()
  const drop = (name: string) => {
    if (!parameters.has(name) || !merged.has(name) || query.has(name)) return
    dropped.add(name)
    merged.delete(name)
  }
  for (const { field, code } of readSearch(merged).issues) {
    drop(field)
    if (code === 'greater_than') drop(field.replace('min_', 'max_'))
  }
  // What was added to compare a price goes with it.
  if (dropped.size > 0 && !PRICES.some(name => merged.has(name)))
    for (const name of ['price_in', 'currency']) drop(name)
  return dropped
}

interface Relaxed {
  criteria: Criteria
  /** The same search as parameters. */
  query: URLSearchParams
  /** What was dropped because no listing matches it together with the rest: an empty page does not help. */
  leftOut: string | undefined
}

/** The search, then less of it: without the text, then without the narrower places of "Centro, Mérida". */
export function* relaxed(
  criteria: Criteria,
  query: URLSearchParams,
  isPlaceTyped = true,
): Generator<Relaxed> {
  yield { criteria, query, leftOut: undefined }
  // A page belongs to the search that the page before it had.
  if (criteria.after) return
  const { q, ...others } = criteria
  const next = new URLSearchParams(query)
  next.delete('q')
  if (q !== undefined) yield { criteria: others, query: new URLSearchParams(next), leftOut: q }
  const names = (query.get('place') ?? '').split(',').map(name => name.trim())
  const place = others.place?.slice(-1)
  if (!isPlaceTyped || !place || names.length < 2 || names.length !== others.place?.length) return
  next.set('place', names.at(-1) as string)
  const dropped = [names.slice(0, -1).join(', '), ...(q === undefined ? [] : [q])]
  yield { criteria: { ...others, place }, query: next, leftOut: dropped.join(', ') }
}

/** The first of them that finds something; if none does, the search itself. */
export async function firstFound<T>(
  searches: Iterable<Relaxed>,
  find: (criteria: Criteria) => Promise<T>,
  totalOf: (found: T) => number,
): Promise<Relaxed & { found: T }> {
  let first: (Relaxed & { found: T }) | undefined
  for (const one of searches) {
    const found = await find(one.criteria)
    first ??= { ...one, found }
    if (totalOf(found) > 0) return { ...one, found }
  }
  return first as Relaxed & { found: T }
}

export async function answerAsk(
  search: Search,
  { value, fields, query, understood, cut }: Asked,
  viewer: string | null,
  facets: readonly FacetName[] = [],
): Promise<Answer & Pick<Relaxed, 'query' | 'leftOut'>> {
  // A place that was sent as a parameter is meant.
  const isPlaceTyped = understood.parameters.get('place') === query.get('place')
  const { found, ...answered } = await firstFound(
    relaxed(value, query, isPlaceTyped),
    one => search.page(one, viewer, fields, facets),
    ({ total }) => total,
  )
  const leftOut = [answered.leftOut, cut].filter(Boolean).join(' ') || undefined
  return { ...found, query: answered.query, leftOut }
}
