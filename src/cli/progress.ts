const EVERY_MS = 2_000

/** For long work: a line now and then. */
export function everyTwoSeconds(remark: (line: string) => void): (line: string) => void {
  let last = performance.now()
  return line => {
    if (performance.now() - last < EVERY_MS) return
    last = performance.now()
    remark(line)
  }
}
