import type { Share, Standing } from '../service.ts'
import type { Engine } from './engine.ts'
import { uuidOf } from './ids.ts'

/** By agent; those without public listings are missing. Pauses after each agent. */
export function* sharesIn(engine: Engine, agentIds: readonly string[]): Generator<void, Map<string, Share>> {
  const shares = new Map<string, Share>()
  for (const id of agentIds) {
    const share = shareIn(engine, engine.slotsOf(id)?.slots() ?? new Int32Array())
    if (share.listings > 0) shares.set(id, share)
    yield
  }
  return shares
}

function shareIn({ shown, columns, facets }: Engine, own: Int32Array): Share {
  const { labels, values } = facets.state
  const isIn = new Uint8Array(values.length)
  const updated = columns.updated.values
  let [listings, latest] = [0, 0]
  for (const slot of own) {
    if (!shown.has(slot)) continue
    isIn[labels[slot] as number] = 1
    latest = Math.max(latest, updated[slot] as number)
    listings++
  }
  const states = values.filter((state, label): state is string => state !== undefined && isIn[label] === 1)
  return { states: states.sort(), listings, latest: new Date(latest) }
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
