import { groupBy } from '../lib/groups.ts'
import { kebab } from '../lib/slug.ts'
import type { CityCount } from '../search/counts.ts'

/** Cities of a state with the same slug are one city. */
export interface City {
  name: string
  folds: string[]
  slug: string
  count: number
}

/** Cities with listings on the market, by state, largest first. */
export type Inventory = Map<string, City[]>

export const inventoryOf = (counts: readonly CityCount[]): Inventory =>
  new Map([...groupBy(counts, ({ state }) => state)].map(([state, cities]) => [state, citiesOf(cities)]))

/** Of one state. */
export function citiesOf(counts: readonly CityCount[]): City[] {
  const bySlug = groupBy(counts, ({ city }) => kebab(city, 'ciudad'))
  return [...bySlug].map(([slug, cities]) => ({
    name: cities[0]?.name ?? '',
    folds: cities.map(({ city }) => city),
    slug,
    count: cities.reduce((sum, { count }) => sum + count, 0),
  }))
}
