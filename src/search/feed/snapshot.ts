/** The transactions a read could see: those before `next`, except the ones still open at that time. */
export interface Snapshot {
  next: number
  /** Ascending. */
  open: number[]
}

/**
 * The last number is one that had ended: those that were still open at the end are simply not seen. After a crash their numbers
 * are given out again, so `next` may be ahead of the database otherwise.
 */
export function snapshotOf(next: number, open: number[]): Snapshot {
  let size = open.length
  while (size > 0 && open[size - 1] === next - (open.length - size) - 1) size--
  return { next: next - (open.length - size), open: open.slice(0, size) }
}

export const sees = ({ next, open }: Snapshot, xid: number): boolean => xid < next && !open.includes(xid)

/** Whether it sees everything the other does; two snapshots of one history are always ordered. */
export const covers = (snapshot: Snapshot, other: Snapshot): boolean =>
  other.next <= snapshot.next && snapshot.open.every(xid => xid >= other.next || other.open.includes(xid))

/** The ranges of transactions a snapshot does not see, ascending; without a snapshot, all of them. */
export function unseenBy(snapshot: Snapshot | undefined): [from: number, to: number][] {
  if (!snapshot) return [[0, Number.POSITIVE_INFINITY]]
  return [
    ...snapshot.open.map((xid): [number, number] => [xid, xid]),
    [snapshot.next, Number.POSITIVE_INFINITY],
  ]
}

/** The oldest transaction it may not see. */
export const oldestUnseen = ({ next, open }: Snapshot): number => open[0] ?? next

/** In PostgreSQL's format: `xmin:xmax:xip,…`. */
export const snapshotText = (snapshot: Snapshot): string =>
  `${oldestUnseen(snapshot)}:${snapshot.next}:${snapshot.open.join(',')}`

export function parseSnapshot(text: string): Snapshot {
  const [, next, open] = text.split(':')
  return snapshotOf(Number(next), open ? open.split(',').map(Number) : [])
}
