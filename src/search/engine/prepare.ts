import type { Filters, Reach } from '../criteria.ts'
import type { Engine } from './engine.ts'
import { type Area, cellsOver } from './globe.ts'
import type { Wanted } from './wanted.ts'
import { areasOf, Within } from './within.ts'

/** Cells of a box, some 250 km wide, that are looked through without a pause. */
const FEW_CELLS = 10_000

/**
 * With what would hold the thread, found beforehand in steps, if there is any: what is inside polygons and other large areas, and
 * titles that begin as was typed. Among what one search finds by all other filters, or, for several searches that leave some of
 * them out, among all listings.
 */
export function* prepared(
  engine: Engine,
  filters: Filters,
  wanted: Wanted,
  search?: { viewer: string | null; reach: Reach },
): Generator<void, Wanted> {
  const areas = areasOf(filters).filter(({ name, area }) => name === 'polygons' || isLarge(area()))
  const { titleStart, ...words } = wanted
  if (areas.length === 0 && titleStart === undefined) return wanted
  const others = { ...filters }
  for (const { name } of areas) delete others[name]
  const slots = (search ? engine.select(others, search.viewer, search.reach, words) : engine.live).clone()
  return { ...wanted, within: yield* Within.of(engine, { areas, titleStart }, slots) }
}

const isLarge = ({ box }: Area) => cellsOver(box) > FEW_CELLS
