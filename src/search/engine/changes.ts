import type { Scope } from '../criteria.ts'
import type { Bitmap } from './bitmap.ts'
import type { Engine } from './engine.ts'
import type { Uuid } from './ids.ts'
import type { Order } from './orders.ts'
import { agentKey, type Word64 } from './rows.ts'

/** Which changes are asked for: by transaction, and of one transaction by id from the highest down. */
export interface Stretch {
  /** Between which transactions, ascending; removals are asked for too unless it is a first load. */
  xids: [from: number, to: number][]
  isFirstLoad: boolean
  /** Of the transactions between, those that are meant. */
  isMeant: (xid: number) => boolean
  /** Only what comes after this. */
  after?: Spot | undefined
}

export interface Spot {
  xid: number
  id: Uuid
}

export interface Change extends Spot {
  version: Word64
  /** Where the listing is, to be shown as it is now; undefined if it has to go. */
  slot: number | undefined
}

export interface View {
  viewer: string
  scope: Scope
  /** What the viewer asked for and may see: valid until the next question. */
  hits: Bitmap
}

/** The first changes of the stretch that concern the viewer, each listing once. */
export function changesIn(engine: Engine, stretch: Stretch, view: View, limit: number): Change[] {
  const isVisible = visibility(engine, view)
  const streams = [listings(engine, stretch, view, isVisible)]
  if (!stretch.isFirstLoad) {
    if (view.scope === 'all') streams.push(removals(engine, stretch, view, isVisible))
    streams.push(losses(engine, stretch, view, isVisible))
  }
  return streams
    .flatMap(stream => first(stream, limit))
    .sort(compare)
    .slice(0, limit)
}

const compare = (a: Spot, b: Spot) => a.xid - b.xid || compareIds(b.id, a.id)

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

/** Whether the viewer sees a listing now, asked for or not. */
function visibility(engine: Engine, { viewer, scope }: View): IsVisible {
  const own = engine.slotsOf(viewer)
  return id => {
    const slot = engine.ids.find(id)
    return slot !== undefined && (own?.has(slot) || (scope === 'all' && engine.shown.has(slot)) || false)
  }
}

/** What is there: as it is, or to be removed if it may have been asked for before. */
function* listings(
  { orders, live, ids, columns, versions }: Engine,
  stretch: Stretch,
  { hits }: View,
  isVisible: IsVisible,
): Generator<Change> {
  for (const slot of along(orders.changed, stretch)) {
    const xid = columns.xid.get(slot)
    if (!live.has(slot) || !stretch.isMeant(xid)) continue
    const isPut = hits.has(slot)
    if (!isPut && stretch.isFirstLoad) continue
    const id = ids.at(slot)
    if (isPut || isVisible(id)) yield { xid, id, version: versions.get(slot), slot: isPut ? slot : undefined }
  }
}

/** What is no longer public. */
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
    if (!stretch.isMeant(xid) || isVisible(id)) continue
    // Of the viewer's own that was public, the later of the two counts.
    if ((lost?.get(id.join())?.xid ?? 0) < xid) yield { xid, id, version: versions.get(at), slot: undefined }
  }
}

/** What the viewer no longer has. */
function* losses(
  engine: Engine,
  { xids, isMeant, after }: Stretch,
  { viewer, scope }: View,
  isVisible: IsVisible,
): Generator<Change> {
  const isAsked = ({ xid }: Spot) => xids.some(([from, to]) => from <= xid && xid <= to) && isMeant(xid)
  const all = [...(engine.losses.get(agentKey(viewer))?.values() ?? [])]
  for (const loss of all.sort(compare)) {
    const { id, xid, version } = loss
    if (!isAsked(loss) || (after && compare(loss, after) <= 0) || isVisible(id)) continue
    if (scope === 'own' || (engine.removals.xidOf(id) ?? 0) <= xid)
      yield { xid, id, version, slot: undefined }
  }
}

/** The slots of an order by transaction, those that are asked for. */
function* along(order: Order, { xids, after }: Stretch): Generator<number> {
  const start = after ? order.startBefore(-after.xid, after.id) : 0
  for (const [low, high] of xids) {
    const { from, to } = order.segment(-high, -low)
    for (let i = Math.max(from, start); i < to; i++) yield order.slots[i] as number
  }
}
