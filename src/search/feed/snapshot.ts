/** Which transactions a read could see: those before `next`, except the ones still open then. */
export interface Snapshot {
  next: number
  /** Ascending. */
  open: number[]
}

export const sees = ({ next, open }: Snapshot, xid: number): boolean => xid < next && !open.includes(xid)

/** Whether it sees all that the other does: of two snapshots of one history, always one or the other. */
export const covers = (snapshot: Snapshot, other: Snapshot): boolean =>
  other.next <= snapshot.next && snapshot.open.every(xid => xid >= other.next || other.open.includes(xid))

/** Between which numbers those lie that a snapshot does not see, ascending; of none at all, every number. */
export function unseenBy(snapshot: Snapshot | undefined): [from: number, to: number][] {
  if (!snapshot) return [[0, Number.POSITIVE_INFINITY]]
  return [
    ...snapshot.open.map((xid): [number, number] => [xid, xid]),
    [snapshot.next, Number.POSITIVE_INFINITY],
  ]
}

/** As PostgreSQL writes it: `xmin:xmax:xip,…`. */
export function parseSnapshot(text: string): Snapshot {
  const [, next, open] = text.split(':')
  return { next: Number(next), open: open ? open.split(',').map(Number) : [] }
}
