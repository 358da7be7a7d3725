import type { Scope } from '../criteria.ts'
import { type Snapshot, sees, unseenBy } from '../feed/snapshot.ts'
import type { Bitmap } from './bitmap.ts'
import type { Engine } from './engine.ts'
import type { Uuid } from './ids.ts'
import type { Order } from './orders.ts'
import { agentKey, type Word64 } from './rows.ts'

/** The range of changes to return: ordered by transaction, and within one by descending id. */
export interface Stretch {
  /** Without it, a first load: no removals. */
  since: Snapshot | undefined
  until: Snapshot
  /** Only changes after this one. */
  after?: Spot | undefined
}

export interface Spot {
  xid: number
  id: Uuid
}

export interface Change extends Spot {
  version: Word64
  /** The listing in its current state; otherwise it was removed. */
  isPut: boolean
}

export interface View {
  viewer: string
  scope: Scope
  /** What the viewer asked for and may see: valid until the next search. */
  hits: Bitmap
}

/** The first changes in the range that concern the viewer, each listing once. */
export function changesIn(engine: Engine, stretch: Stretch, view: View, limit: number): Change[] {
  const isVisible = visibility(engine, view)
  const streams = [listings(engine, stretch, view, isVisible)]
  if (stretch.since) {
    if (view.scope === 'all') streams.push(removals(engine, stretch, view, isVisible))
    streams.push(losses(engine, stretch, view, isVisible))
  }
  return streams
    .flatMap(stream => first(stream, limit))
    .sort(compareSpots)
    .slice(0, limit)
}

export const compareSpots = (a: Spot, b: Spot) => a.xid - b.xid || compareIds(b.id, a.id)

function compareIds(a: Uuid, b: Uuid): number {
  const at = a.findIndex((word, i) => word !== b[i])
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number)
}

function first(stream: Iterable<Change>, limit: number): Change[] {
  const changes: Change[] = []
  for (const change of stream) {
    if (changes.length === limit) break
    changes.push(change)
  }
  return changes
}

type IsVisible = (id: Uuid) => boolean

/** Whether the viewer can see a listing now, regardless of filters. */
function visibility(engine: Engine, { viewer, scope }: View): IsVisible {
  const own = engine.slotsOf(viewer)
  return id => {
    const slot = engine.ids.find(id)
    return slot !== undefined && (own?.has(slot) || (scope === 'all' && engine.shown.has(slot)) || false)
  }
}

/** Existing listings: in their current state, or as a removal if they may have matched before. */
function* listings(
  { orders, live, ids, columns, versions }: Engine,
  stretch: Stretch,
  { hits }: View,
  isVisible: IsVisible,
): Generator<Change> {
  for (const slot of along(orders.changed, stretch)) {
    const xid = columns.xid.get(slot)
    if (!live.has(slot) || !sees(stretch.until, xid)) continue
    const isPut = hits.has(slot)
    if (!isPut && !stretch.since) continue
    const id = ids.at(slot)
    if (isPut || isVisible(id)) yield { xid, id, version: versions.get(slot), isPut }
  }
}

/** Listings that are no longer public. */
function* removals(
  engine: Engine,
  stretch: Stretch,
  { viewer }: View,
  isVisible: IsVisible,
): Generator<Change> {
  const { order, ids, xids, versions } = engine.removals
  const lost = engine.losses.get(agentKey(viewer))
  for (const at of along(order, stretch)) {
    const [xid, id] = [xids.get(at), ids.at(at)]
    if (!sees(stretch.until, xid) || isVisible(id)) continue
    // For the viewer's own listing that was public, the later of the two counts.
    if ((lost?.get(id.join())?.xid ?? 0) < xid) yield { xid, id, version: versions.get(at), isPut: false }
  }
}

/** Listings the viewer no longer owns. */
function* losses(
  engine: Engine,
  { since, until, after }: Stretch,
  { viewer, scope }: View,
  isVisible: IsVisible,
): Generator<Change> {
  const isAsked = ({ xid }: Spot) => sees(until, xid) && !(since && sees(since, xid))
  const all = [...(engine.losses.get(agentKey(viewer))?.values() ?? [])]
  for (const loss of all.sort(compareSpots)) {
    const { id, xid, version } = loss
    if (!isAsked(loss) || (after && compareSpots(loss, after) <= 0) || isVisible(id)) continue
    if (scope === 'own' || (engine.removals.xidOf(id) ?? 0) <= xid) yield { xid, id, version, isPut: false }
  }
}

/** The slots of an order by transaction, limited to the requested ones. */
function* along(order: Order, { since, after }: Stretch): Generator<number> {
  const spot = after && { rank: -after.xid, id: after.id }
  for (const [low, high] of unseenBy(since)) yield* order.backwards(-high, -low, spot)
}
