import { lengthOf, type Reading } from '../lib/fields.ts'
import type { Selection } from '../lib/selection.ts'
import { foldText } from '../lib/text.ts'
import type { Criteria, Filters } from './criteria.ts'
import type { Answer } from './engine/answers.ts'
import type { FacetName } from './engine/tallies.ts'
import { filterParameters, readSearch } from './parameters.ts'
import type { Search } from './service.ts'
import { NAME_STARTS } from './understand/typed-places.ts'
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

export function readAsk(query: URLSearchParams, meant: Understood, extras: Partial<Filters> = {}): Asked {
  // A sale has no period, whatever the amount.
  const understood = query.get('operation') === 'sale' ? without(meant, new Set(['rent_period'])) : meant
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

/** Words that are tried one after the other: each is a search. */
const MOST_TRIED = 8

/** With the words that some listing has together with the rest, and without the others. */
async function withFewerWords(
  { q, ...others }: Criteria,
  query: URLSearchParams,
  count: (criteria: Criteria) => Promise<number>,
): Promise<Relaxed> {
  const words = q?.split(' ') ?? []
  const kept: string[] = []
  if (words.length > 1)
    for (const [i, word] of words.slice(0, MOST_TRIED).entries()) {
      const tried = [...kept, word].join(' ')
      const before = kept.at(-1) ?? ''
      if ((await count({ ...others, q: tried, page: 1, limit: 1 })) > 0) kept.push(word)
      // Half of "Puerto Morelos" would find Puerto Vallarta.
      else if (before === words[i - 1] && NAME_STARTS.test(foldText(before))) kept.pop()
    }
  const next = new URLSearchParams(query)
  next.delete('q')
  const text = kept.join(' ')
  if (text) next.set('q', text)
  return {
    criteria: { ...others, ...(text && { q: text }) },
    query: next,
    leftOut: words.filter(word => !kept.includes(word)).join(' '),
  }
}

/** Without words, and without the narrower places of "Centro, Mérida". */
function withLargestPlace({ q, ...others }: Criteria, query: URLSearchParams): Relaxed | undefined {
  const names = (query.get('place') ?? '').split(',').map(name => name.trim())
  const place = others.place?.slice(-1)
  if (!place || names.length < 2 || names.length !== others.place?.length) return undefined
  const next = new URLSearchParams(query)
  next.delete('q')
  next.set('place', names.at(-1) as string)
  const dropped = [names.slice(0, -1).join(', '), ...(q === undefined ? [] : [q])]
  return { criteria: { ...others, place }, query: next, leftOut: dropped.join(', ') }
}

interface Asking<T> {
  criteria: Criteria
  query: URLSearchParams
  /** A place that was sent as a parameter is meant. */
  isPlaceTyped?: boolean
  find(criteria: Criteria): Promise<T>
  totalOf(found: T): number
  count(criteria: Criteria): Promise<number>
}

/** The search, or the first with less of it that finds something; if none does, the search itself. */
export async function findRelaxed<T>(asking: Asking<T>): Promise<Relaxed & { found: T }> {
  const { criteria, query, find, totalOf, count, isPlaceTyped = true } = asking
  const whole = { criteria, query, leftOut: undefined, found: await find(criteria) }
  // A page belongs to the search that the page before it had.
  if (totalOf(whole.found) > 0 || criteria.after) return whole
  const fewer = criteria.q === undefined ? undefined : await withFewerWords(criteria, query, count)
  const larger = isPlaceTyped ? withLargestPlace(criteria, query) : undefined
  for (const less of [fewer, larger]) {
    const found = less && (await find(less.criteria))
    if (found && totalOf(found) > 0) return { ...less, found }
  }
  return whole
}

export async function answerAsk(
  search: Search,
  { value, fields, query, understood, cut }: Asked,
  viewer: string | null,
  facets: readonly FacetName[] = [],
): Promise<Answer & Pick<Relaxed, 'query' | 'leftOut'>> {
  const { found, ...answered } = await findRelaxed({
    criteria: value,
    query,
    isPlaceTyped: understood.parameters.get('place') === query.get('place'),
    find: one => search.page(one, viewer, fields, facets),
    totalOf: ({ total }) => total,
    count: async one => (await search.page(one, viewer)).total,
  })
  const leftOut = [answered.leftOut, cut].filter(Boolean).join(' ') || undefined
  return { ...found, query: answered.query, leftOut }
}
