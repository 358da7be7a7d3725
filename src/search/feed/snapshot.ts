/** The transactions a read could see: those before `next`, except the ones still open at that time. */
export interface Snapshot {
  next: number
  /** Ascending. */
  open: number[]
}

/**
 * It ends with the last transaction that had ended. Those still open behind it are not seen either way, and after a crash their
 * numbers are given out again: with them, `next` could be ahead of the database.
 */
export function snapshotOf(next: number, open: readonly number[]): Snapshot {
  const left = [...open]
  let end = next
  while (left.at(-1) === end - 1) {
    left.pop()
    end--
  }
  return { next: end, open: left }
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
