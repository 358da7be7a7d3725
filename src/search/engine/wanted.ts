import type { Filters, WordGroup } from '../criteria.ts'
import type { Within } from './within.ts'

/** What is prepared for a search. The text query: groups, each of which must match once, or else a title prefix. */
export interface Wanted {
  groups: WordGroup[]
  titleStart?: string | undefined
  /** What was found beforehand. */
  within?: readonly Within[]
}

/** The values one filter may have; `rest` are all other filters. */
export interface Choice {
  rest: Filters
  options: Filters[]
}
