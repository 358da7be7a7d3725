import type { Filters, Reach } from '../criteria.ts'
import type { Engine } from './engine.ts'
import type { Wanted } from './wanted.ts'
import { Within } from './within.ts'

/**
 * With what is inside the polygons, if there are any: among what one search finds by all other filters, or, for several
 * searches that leave some of them out, among all listings. In steps.
 */
export function* withPolygons(
  engine: Engine,
  { polygons, ...others }: Filters,
  wanted: Wanted,
  search?: { viewer: string | null; reach: Reach },
): Generator<void, Wanted> {
  if (!polygons) return wanted
  const slots = search ? engine.select(others, search.viewer, search.reach, wanted) : engine.live
  return { ...wanted, within: yield* Within.of(engine, polygons, slots.clone()) }
}
