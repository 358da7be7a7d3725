/** A source of numbers in [0, 1); the demo market uses no other randomness. */
export type Random = () => number

/** FNV-1a: spreads a label over 32 bits so that neighboring seeds and labels give unrelated streams. */
function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/** mulberry32 over (seed, label): each concept or listing has its own stream, so changing one affects no other. */
export function stream(seed: number, label: string): Random {
  let state = hash(`${seed}/${label}`)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const chance = (r: Random, probability: number): boolean => r() < probability

export const between = (r: Random, low: number, high: number): number => low + (high - low) * r()

/** An integer, both ends included. */
export const int = (r: Random, low: number, high: number): number => Math.floor(between(r, low, high + 1))

export function pick<T>(r: Random, items: readonly T[]): T {
  if (items.length === 0) throw new Error('nothing to pick from')
  return items[Math.floor(r() * items.length)] as T
}

export function weighted<T>(r: Random, items: readonly (readonly [T, number])[]): T {
  let left = r() * items.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [item, weight] of items) {
    left -= weight
    if (left < 0) return item
  }
  const last = items.at(-1)
  if (!last) throw new Error('nothing to pick from')
  return last[0]
}

export function shuffle<T>(r: Random, items: readonly T[]): T[] {
  const copy = [...items]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(r() * (i + 1))
    const held = copy[i] as T
    copy[i] = copy[j] as T
    copy[j] = held
  }
  return copy
}

/** Up to `count` different items. */
export const sample = <T>(r: Random, items: readonly T[], count: number): T[] =>
  shuffle(r, items).slice(0, count)

/** Box–Muller. The 1 - r() keeps the logarithm away from zero. */
export const normal = (r: Random, mean: number, deviation: number): number =>
  mean + deviation * Math.sqrt(-2 * Math.log(1 - r())) * Math.cos(2 * Math.PI * r())

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value))

/** Values at known quantiles, ascending in both. */
export type Quantiles = { at: readonly number[]; values: readonly number[] }

/** The value at quantile `u`, interpolated on a logarithmic scale: prices and areas vary by ratios. */
export function quantile({ at, values }: Quantiles, u: number): number {
  const points = at.map((q, i): [number, number] => [q, values[i] as number])
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) throw new Error('empty quantile table')
  // Below the first known quantile the value falls by at most a fifth; above the last it is constant.
  const full: [number, number][] = [[0, first[1] * 0.8], ...points, [1, last[1]]]
  const upper = full.findIndex(([q], i) => i > 0 && u <= q)
  const [q1, v1] = full[upper === -1 ? full.length - 1 : upper] as [number, number]
  const [q0, v0] = full[(upper === -1 ? full.length - 1 : upper) - 1] as [number, number]
  const share = q1 === q0 ? 0 : clamp((u - q0) / (q1 - q0), 0, 1)
  return Math.exp(Math.log(v0) + (Math.log(v1) - Math.log(v0)) * share)
}
