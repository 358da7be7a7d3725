import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { quantiles } from '../search/load.ts'

export interface Visit {
  /** One line of the table. */
  name: string
  request(round: number): Visited
  /** Expected instead of success. */
  status?: number
  /** Work after each answer that is not part of it, such as publishing again what was withdrawn. */
  after?: (round: number) => Promise<unknown>
}

export type Visited = Pick<InjectOptions, 'url' | 'headers'> & { method?: string; body?: object }

export interface Timing {
  name: string
  status: number
  p50: number
  p99: number
  /** The longest the event loop waited for one of the requests. */
  held: number
  /** The same at the median of the requests: the longest is often a pause of the machine. */
  heldP50: number
  /** Processor time of the process per request, the client's part included: comparable on a busy machine. */
  cpu: number
  kilobytes: number
}

const WARM_UP = 4
/** Of the histogram: what an idle loop is seen to wait. */
const RESOLUTION_MS = 1

const aTurn = () => new Promise(resolve => setTimeout(resolve, RESOLUTION_MS * 2))

/** One request at a time, inside the process that answers. */
export async function time(app: FastifyInstance, visit: Visit, rounds: number): Promise<Timing> {
  const times: number[] = []
  const holds: number[] = []
  let [status, bytes, cpu] = [0, 0, 0]
  for (let round = -WARM_UP; round < rounds; round++) {
    const { url, method = 'GET', headers = {}, body } = visit.request(round + WARM_UP)
    const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    loop.enable()
    await aTurn()
    const used = process.cpuUsage()
    const started = performance.now()
    const answer = await app.inject({
      method: method as 'GET',
      url: url as string,
      headers: { ...headers },
      // Joined and decoded, a large answer would hold the thread in the client's name.
      payloadAsStream: true,
      ...(body === undefined ? {} : { payload: body }),
    })
    const chunks: Buffer[] = await answer.stream().toArray()
    const ms = performance.now() - started
    const { user, system } = process.cpuUsage(used)
    // A turn of the loop, so that the histogram sees the last piece of work.
    await aTurn()
    loop.disable()
    status = answer.statusCode
    if (status >= 400 && status !== visit.status)
      throw new Error(`${visit.name}: ${status} ${Buffer.concat(chunks).toString().slice(0, 300)}`)
    await visit.after?.(round)
    if (round < 0) continue
    times.push(ms)
    bytes = Math.max(bytes, Buffer.concat(chunks).length)
    cpu += (user + system) / 1000 / rounds
    holds.push(loop.max / 1e6 - RESOLUTION_MS)
  }
  const { p50, p99 } = quantiles(times)
  return {
    name: visit.name,
    status,
    p50,
    p99,
    held: Math.max(...holds),
    heldP50: quantiles(holds).p50,
    cpu,
    kilobytes: bytes / 1024,
  }
}
