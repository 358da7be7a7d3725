import { NotReady } from '../lib/problem.ts'
import { inSlices } from '../lib/slices.ts'
import type { Engine } from './engine/engine.ts'
import type { Feed } from './feed/feed.ts'

const MAX_TRIES = 10
const tooFast = () => new NotReady('the listings change faster than they can be read')

/** What was read for the slots, if none of it is missing. */
export type There = <R>(slots: number[], reading: Promise<(R | undefined)[]>) => Promise<R[]>

const MISSING = new Error('some listings have changed since the index saw them')
const isThere = <R>(record: R | undefined): record is R => record !== undefined

/**
 * Asks again until what the index found is in the tables in the same versions. A version that is still missing once the
 * index has caught up never comes: the index is not of this database.
 */
export async function ofOneState<T>(
  feed: Feed,
  refresh: () => Promise<void>,
  ask: (engine: Engine, there: There) => Promise<T>,
): Promise<T> {
  let missed: string[] = []
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const engine = feed.engine
    if (!engine) throw new NotReady('search is loading')
    const missing: string[] = []
    const there: There = async (slots, reading) => {
      const xids = slots.map(slot => engine.columns.xid.get(slot))
      const found = await reading
      for (const [i, slot] of slots.entries())
        if (found[i] === undefined) missing.push(`${engine.ids.text(slot)} ${xids[i]}`)
      if (missing.length > 0) throw MISSING
      return found.filter(isThere)
    }
    try {
      return await ask(engine, there)
    } catch (error) {
      if (error !== MISSING) throw error
    }
    if (engine === feed.engine && missing.some(version => missed.includes(version))) {
      feed.reload()
      throw new NotReady('search differs from the database')
    }
    missed = missing
    await refresh()
  }
  throw tooFast()
}

/** Works in slices on what it finds in its first step, which stays although the index goes on, or else it begins again. */
export async function inOneState<T>(engine: Engine, work: () => Generator<void, T>): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const { sweeps } = engine
    const result = await inSlices(work())
    if (engine.sweeps === sweeps) return result
  }
  throw tooFast()
}
