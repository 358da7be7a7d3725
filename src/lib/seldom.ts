/** At most one line in this time: what repeats itself many times a second while something is away. */
const EVERY_MS = 10_000

/** Runs `log` the first time and then now and then, with how often it was left out since. */
export function seldom(
  now: () => number = () => performance.now(),
): (log: (leftOut: number) => void) => void {
  let [nextAt, leftOut] = [Number.NEGATIVE_INFINITY, 0]
  return log => {
    if (now() < nextAt) return void leftOut++
    log(leftOut)
    nextAt = now() + EVERY_MS
    leftOut = 0
  }
}
