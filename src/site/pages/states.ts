import { kebab } from '../../lib/slug.ts'
import { STATES } from '../../lookups/states.ts'
import type { City } from '../inventory.ts'

export const stateSlug = (state: string): string => kebab(state, 'estado')
export const stateBySlug = new Map(STATES.map(({ name }) => [stateSlug(name), name]))
export const stateNamed = (slug: string): string | undefined => stateBySlug.get(slug)

export const feedPath = (state: string, city: City): string => `/mx/${stateSlug(state)}/${city.slug}/rss.xml`

export const sum = (cities: readonly City[]) => cities.reduce((total, city) => total + city.count, 0)
