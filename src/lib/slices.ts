import { setImmediate as breathe } from 'node:timers/promises'

export const SLICE_MS = 5

/** Does the work step by step, and lets others in whenever it has taken this long. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (let until = performance.now() + SLICE_MS; ; ) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < until) continue
    await breathe()
    until = performance.now() + SLICE_MS
  }
}

/** Does the work without a pause. */
export function finish<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Slots to work through between two pauses: about a millisecond. */
export const PART = 1 << 14

export function* partsOf(numbers: Int32Array): Generator<Int32Array> {
  for (let at = 0; at < numbers.length; at += PART) yield numbers.subarray(at, at + PART)
}
