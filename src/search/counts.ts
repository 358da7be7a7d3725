import { NotReady } from '../lib/problem.ts'
import { type CityCount, cityKey } from './engine/census.ts'
import type { Search, Share } from './service.ts'

export type { CityCount }

const NOTHING: Share = { states: [], listings: 0, latest: undefined }

/** Counts of public listings, current as search is: they must not reveal hidden ones. */
export class Counts {
  readonly #given: Search | undefined

  constructor(search: Search | undefined) {
    this.#given = search
  }

  get #search(): Search {
    if (!this.#given) throw new NotReady('there is no search')
    return this.#given
  }

  /** Of one state or all, most listings first. */
  cities(state?: string): Promise<CityCount[]> {
    return this.#search.cities(state)
  }

  /** As the API names them. */
  async locations(limit: number): Promise<{ city: string; state: string; count: number }[]> {
    const cities = await this.cities()
    return cities.slice(0, limit).map(({ name, state, count }) => ({ city: name, state, count }))
  }

  listings(): Promise<number> {
    return this.#search.countPublic()
  }

  /** Of each of the agents. */
  async sharesOf(agentIds: readonly string[]): Promise<(agentId: string) => Share> {
    const shares = await this.#search.sharesOf(agentIds)
    return id => shares.get(id) ?? NOTHING
  }

  /** When a listing of that city last changed; undefined if there is none. */
  async changesByCity(): Promise<(city: { state: string; city: string }) => Date | undefined> {
    const latest = await this.#search.changesByCity()
    return city => latest.get(cityKey(city))
  }
}
