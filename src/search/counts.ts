import { NotReady } from '../lib/problem.ts'
import { type CityCount, cityKey } from './engine/census.ts'
import type { Engine } from './engine/engine.ts'
import type { Search } from './service.ts'

export type { CityCount }

/** An agent's public listings. */
export interface Share {
  states: string[]
  listings: number
}

/** Counts of public listings, current as search is: they must not reveal hidden ones. */
export class Counts {
  readonly #search: Pick<Search, 'state'> | undefined

  constructor(search: Pick<Search, 'state'> | undefined) {
    this.#search = search
  }

  get #engine(): Engine {
    const engine = this.#search?.state?.engine
    if (!engine) throw new NotReady('search is loading')
    return engine
  }

  /** Of one state or all, most listings first. */
  cities(state?: string): CityCount[] {
    return this.#engine.census.cities(state)
  }

  /** As the API names them. */
  locations(limit: number): { city: string; state: string; count: number }[] {
    return this.cities()
      .slice(0, limit)
      .map(({ name, state, count }) => ({ city: name, state, count }))
  }

  get listings(): number {
    return this.#engine.shown.count()
  }

  shareOf(agentId: string): Share {
    const engine = this.#engine
    const own = engine.slotsOf(agentId)?.slots() ?? new Int32Array()
    const slots = own.filter(slot => engine.shown.has(slot))
    return { states: engine.census.statesOf(slots), listings: slots.length }
  }

  /** When a listing of that city last changed; undefined if there is none. */
  changesByCity(): (city: { state: string; city: string }) => Date | undefined {
    const { census, shown, columns } = this.#engine
    const latest = census.latest(shown, columns.updated.values)
    return city => dateOf(latest.get(cityKey(city)))
  }

  /** When a listing of those agents last changed; undefined if there is none. */
  changeOf(agentIds: readonly string[]): Date | undefined {
    const engine = this.#engine
    let latest: number | undefined
    for (const id of agentIds) {
      for (const slot of engine.slotsOf(id)?.slots() ?? [])
        if (engine.shown.has(slot)) latest = Math.max(latest ?? 0, engine.columns.updated.get(slot))
    }
    return dateOf(latest)
  }
}

const dateOf = (ms: number | undefined): Date | undefined => (ms === undefined ? undefined : new Date(ms))
