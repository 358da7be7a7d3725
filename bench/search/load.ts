import { Agent, get } from 'node:http'

export interface Timing {
  p50: number
  p95: number
  p99: number
}

export interface Load extends Timing {
  requests: number
  perSecond: number
}

/** Asks over that many connections at once, each for its next question as soon as it has an answer. Milliseconds. */
export async function load(
  connections: number,
  ms: number,
  urlOf: () => string,
  headers: Record<string, string>,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const started = performance.now()
  const client = async () => {
    for (let asked = started; asked - started < ms; asked = performance.now()) {
      await answerOf(urlOf(), headers, agent)
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  const perSecond = Math.round(times.length / ((performance.now() - started) / 1000))
  agent.destroy()
  return { requests: times.length, perSecond, ...quantiles(times) }
}

const answerOf = (url: string, headers: Record<string, string>, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { headers, agent }, answer => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      answer.resume().on('end', resolve).on('error', reject)
    }).on('error', reject)
  })

export function quantiles(times: number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN) * 100) /
    100
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
