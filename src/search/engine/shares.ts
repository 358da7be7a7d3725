import type { Share, Standing } from '../service.ts'
import type { Engine } from './engine.ts'
import { uuidOf } from './ids.ts'

/** By agent; those without public listings are missing. */
export function sharesIn(engine: Engine, agentIds: readonly string[]): Map<string, Share> {
  const shares = new Map<string, Share>()
  for (const id of agentIds) {
    const own = engine.slotsOf(id)?.slots()
    const slots = own?.filter(slot => engine.shown.has(slot)) ?? new Int32Array()
    if (slots.length === 0) continue
    const latest = slots.reduce((last, slot) => Math.max(last, engine.columns.updated.get(slot)), 0)
    shares.set(id, {
      states: engine.census.statesOf(slots),
      listings: slots.length,
      latest: new Date(latest),
    })
  }
  return shares
}

/** By id; without those that are gone. */
export function standingsIn(engine: Engine, ids: readonly string[]): Map<string, Standing> {
  const standings = new Map<string, Standing>()
  const { newest, lowered } = engine.columns
  for (const id of ids) {
    const slot = engine.ids.find(uuidOf(id))
    if (slot === undefined) continue
    const loweredAt = lowered.get(slot)
    standings.set(id, {
      isFeatured: engine.featured.has(slot),
      publishedAt: newest.get(slot),
      loweredAt: Number.isNaN(loweredAt) ? undefined : loweredAt,
    })
  }
  return standings
}
