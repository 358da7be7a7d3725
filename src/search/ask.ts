import type { Reading } from '../lib/fields.ts'
import type { Selection } from '../lib/selection.ts'
import type { Criteria, Filters } from './criteria.ts'
import type { Answer } from './engine/answers.ts'
import type { FacetName } from './engine/tallies.ts'
import { readSearch } from './parameters.ts'
import type { Search } from './service.ts'
import type { Understood } from './understand/understand.ts'

/** A question in natural language, as the search it stands for. */
export interface Asked extends Reading<Criteria> {
  understood: Understood
  /** The same search without `ask`; explicit parameters take precedence over understood ones. */
  query: URLSearchParams
  fields: Selection | undefined
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
  if (understood.text && !query.has('q')) merged.set('q', understood.text)
  if (!merged.has('sort')) merged.set('sort', 'relevance')
  const { value, ...reading } = readSearch(merged, extras)
  const bedrooms = understood.parameters.get('min_bedrooms')
  const liked = bedrooms && !query.has('min_bedrooms') ? { likedBedrooms: Number(bedrooms) } : {}
  return { ...reading, value: { ...value, ...liked }, understood, query: merged }
}

export interface AskedAnswer extends Answer {
  /** Words dropped because no listing matches them together with the rest: an empty page does not help. */
  leftOut: string | undefined
}

export async function answerAsk(
  search: Search,
  { value, fields }: Asked,
  viewer: string | null,
  facets: readonly FacetName[] = [],
): Promise<AskedAnswer> {
  const answer = await search.page(value, viewer, fields, facets)
  const { q, ...others } = value
  if (answer.total > 0 || q === undefined || value.after) return { ...answer, leftOut: undefined }
  return { ...(await search.page(others, viewer, fields, facets)), leftOut: q }
}
