import type { Bitmap } from './bitmap.ts'
import { uuidOf } from './ids.ts'
import type { Index } from './parts.ts'
import { agentKey } from './rows.ts'

/** An agent's public listings. */
export interface Share {
  states: string[]
  listings: number
  /** When one of them last changed. */
  latest: Date | undefined
}

/** What is not part of a record. Times in milliseconds. */
export interface Standing {
  isFeatured: boolean
  publishedAt: number
  loweredAt: number | undefined
}

type Listings = Pick<Index, 'columns' | 'facets'> & { shown: Bitmap }

/**
 * What each agent has in the market. Kept until a listing of the agent changes: the listings of one agent lie far apart in
 * memory, and a directory asks for a thousand agents.
 */
export class Shares {
  /** By `agentKey`. */
  readonly #known = new Map<string, Share>()
  readonly #listings: Listings

  constructor(listings: Listings) {
    this.#listings = listings
  }

  forget(agent: string): void {
    this.#known.delete(agent)
  }

  /** By agent; those without public listings are missing. Pauses after each agent. */
  *of(agentIds: readonly string[]): Generator<void, Map<string, Share>> {
    const shares = new Map<string, Share>()
    for (const id of agentIds) {
      const agent = agentKey(id)
      const share = this.#known.get(agent) ?? shareIn(this.#listings, agent)
      if (share.listings > 0) {
        this.#known.set(agent, share)
        shares.set(id, share)
      }
      yield
    }
    return shares
  }
}

function shareIn({ shown, columns, facets }: Listings, agent: string): Share {
  const { labels, values } = facets.state
  const isIn = new Uint8Array(values.length)
  const updated = columns.updated.values
  let [listings, latest] = [0, 0]
  for (const slot of facets.agent.sets.get(agent)?.slots() ?? []) {
    if (!shown.has(slot)) continue
    isIn[labels[slot] as number] = 1
    latest = Math.max(latest, updated[slot] as number)
    listings++
  }
  const states = values.filter((state, label): state is string => state !== undefined && isIn[label] === 1)
  return { states: states.sort(), listings, latest: new Date(latest) }
}

/** By id; without those that are gone. */
export function standingsIn(
  index: Pick<Index, 'ids' | 'columns'> & { featured: Bitmap },
  ids: readonly string[],
): Map<string, Standing> {
  const standings = new Map<string, Standing>()
  const { newest, lowered } = index.columns
  for (const id of ids) {
    const slot = index.ids.find(uuidOf(id))
    if (slot === undefined) continue
    const loweredAt = lowered.get(slot)
    standings.set(id, {
      isFeatured: index.featured.has(slot),
      publishedAt: newest.get(slot),
      loweredAt: Number.isNaN(loweredAt) ? undefined : loweredAt,
    })
  }
  return standings
}
