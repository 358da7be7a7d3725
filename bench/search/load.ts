import { readFile } from 'node:fs/promises'
import { Connections } from './connections.ts'

export interface Timing {
  p50: number
  p95: number
  p99: number
}

export interface Load extends Timing {
  requests: number
  perSecond: number
  /** The share of the time that other machines of the same host took from this one. */
  stolen: number
}

interface Questions {
  url: string
  key: string
  pathOf: (n: number) => string
}

/** A measurement is repeated while more than this share was stolen; the one with the least is kept. */
const QUIET = 0.01
const TRIES = 3

let asked = 0

/** Asks over that many connections at once, each for its next question as soon as it has an answer. Milliseconds of the client. */
export async function load(connections: number, seconds: number, questions: Questions): Promise<Load> {
  let best: Load | undefined
  for (let i = 0; i < TRIES && (best?.stolen ?? 1) > QUIET; i++) {
    const measured = await loadOnce(connections, seconds, questions)
    if (measured.stolen < (best?.stolen ?? Number.POSITIVE_INFINITY)) best = measured
  }
  return best as Load
}

async function loadOnce(
  connections: number,
  seconds: number,
  { url, key, pathOf }: Questions,
): Promise<Load> {
  const open = new Connections(url, key)
  const times: number[] = []
  const [before, started] = [await processorTicks(), performance.now()]
  const client = async () => {
    for (let since = started; since - started < seconds * 1000; since = performance.now()) {
      const path = pathOf(asked++)
      const sent = performance.now()
      const { status } = await open.get(path)
      if (status !== 200) throw new Error(`${path} was answered ${status}`)
      times.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  open.close()
  const perSecond = Math.round(times.length / ((performance.now() - started) / 1000))
  const after = await processorTicks()
  const stolen = (after.stolen - before.stolen) / (after.all - before.all)
  return { requests: times.length, perSecond, stolen, ...quantiles(times) }
}

/** Of all processors, since the machine began. */
async function processorTicks(): Promise<{ all: number; stolen: number }> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  return { all: ticks.reduce((sum, one) => sum + one), stolen: ticks[7] ?? 0 }
}

export function quantiles(times: number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) * 100) /
    100
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
