/** Does the work and notices how it went. */
export type Around = <T>(label: string, work: () => Promise<T>) => Promise<T>

type Method = (...args: never[]) => Promise<unknown>

/** Each method named in `labels` goes through `around` from now on, with what `labels` says of its arguments. */
export function watchCalls<T extends object>(
  target: T,
  labels: { [Name in keyof T]?: T[Name] extends Method ? (...args: Parameters<T[Name]>) => string : never },
  around: Around,
): T {
  for (const [name, labelOf] of Object.entries(labels) as [keyof T, (...args: never[]) => string][]) {
    const call = (target[name] as Method).bind(target)
    target[name] = ((...args: never[]) => around(labelOf(...args), () => call(...args))) as T[keyof T]
  }
  return target
}

/** Takes the time and whether it failed. */
export const timed =
  (observe: (label: string, outcome: 'ok' | 'failed', seconds: number) => void): Around =>
  async (label, work) => {
    const began = performance.now()
    let outcome: 'ok' | 'failed' = 'failed'
    try {
      const result = await work()
      outcome = 'ok'
      return result
    } finally {
      observe(label, outcome, (performance.now() - began) / 1000)
    }
  }
