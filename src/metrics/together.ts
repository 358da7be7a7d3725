import type { Worker } from 'node:cluster'
import {
  AggregatorRegistry,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'

type Values = MetricObjectWithValues<MetricValue<string>>[]

const ASK = 'metrics'
/** A process that is busy for longer is missing from this answer, not from the next. */
const PATIENCE_MS = 5_000

/** In a process that serves together with others: answers the one that started it. */
export function answerSupervisor(registry: Registry): void {
  process.on('message', async message => {
    if (message !== ASK) return
    const metrics = await registry.getMetricsAsJSON().catch(() => [])
    if (process.connected) process.send?.({ metrics })
  })
}

/** In the one that started them: the series of all, apart by their label `process`, and how many of them there are. */
export async function metricsOfAll(workers: Worker[], counts: Record<string, number>): Promise<string> {
  const own = new Registry()
  const processes = new Gauge({
    name: 'lonja_processes',
    help: 'Processes that serve together: those that should, and those that are ready.',
    labelNames: ['state'],
    registers: [own],
  })
  for (const [state, count] of Object.entries(counts)) processes.set({ state }, count)
  const answers = await Promise.all([own.getMetricsAsJSON() as Promise<Values>, ...workers.map(metricsOf)])
  return AggregatorRegistry.aggregate(answers).metrics()
}

function metricsOf(worker: Worker): Promise<Values> {
  return new Promise(resolve => {
    const end = (metrics: Values) => {
      clearTimeout(timer)
      worker.off('message', take).off('exit', leave)
      resolve(metrics)
    }
    const take = (message: unknown) => {
      const { metrics } = message as { metrics?: Values }
      if (metrics) end(metrics)
    }
    const leave = () => end([])
    const timer = setTimeout(end, PATIENCE_MS, [])
    worker.on('message', take).on('exit', leave)
    if (worker.isConnected()) worker.send(ASK)
    else leave()
  })
}
