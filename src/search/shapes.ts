import type { Criteria } from './criteria.ts'
import type { FacetName } from './engine/tallies.ts'

/** Kinds of searches that take similar time, each named by the most expensive part it has. */
export function shapeOf(criteria: Criteria, facets: readonly FacetName[] = []): string {
  const { sort, page, limit, after, near, featuredFirst, ...filters } = criteria
  if (facets.length > 0) return 'facets'
  if (filters.polygons) return 'polygon'
  if (filters.rectangle) return 'rectangle'
  if (filters.circle) return 'circle'
  if (filters.q !== undefined) return 'text'
  if (filters.place ?? filters.state ?? filters.city ?? filters.neighborhood ?? filters.cities) return 'place'
  return Object.values(filters).some(value => value !== undefined) ? 'filters' : 'plain'
}
