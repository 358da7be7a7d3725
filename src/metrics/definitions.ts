import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, type LabelValues, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

/** Values by labels, as read when somebody asks. */
export type Reading = readonly { labels?: Record<string, string>; value: number }[]

/** Below the time that Prometheus waits, so that a database that does not answer hides no other value. */
const PATIENCE_MS = 2_000
const ANSWERS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
/** Of other servers: mail, webhooks, storage. */
const CALLS = [0.01, 0.05, 0.25, 1, 2.5, 10]

/**
 * Every metric that Lonja has. Labels take only values that the code knows, never a part of a request: strangers must not be
 * able to add series. `process` tells apart those that serve together, whose counters begin anew one by one.
 */
export function openMetrics(process: string) {
  const registry = new Registry()
  registry.setDefaultLabels({ process })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]

  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets = CALLS) =>
    new Histogram<L>({ name, help, labelNames, buckets, registers })
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter<L>({ name, help, labelNames, registers })
  const outcomes = ['ok', 'failed'] as const

  return {
    registry,
    requests: histogram(
      'lonja_http_request_duration_seconds',
      'Requests by the pattern of their route, until the answer was sent.',
      ['route', 'method', 'status'],
      ANSWERS,
    ),
    shed: started(
      counter('lonja_http_shed_total', 'Requests refused at once because there was too much to do.', [
        'area',
      ]),
      [{ area: 'api' }, { area: 'pages' }],
    ),
    searches: histogram(
      'lonja_search_duration_seconds',
      'Searches by their shape, with the records they found.',
      ['shape'],
      ANSWERS,
    ),
    deliveries: started(
      histogram('lonja_webhook_delivery_duration_seconds', 'Attempts to deliver a webhook.', ['outcome']),
      ['ok', 'http 4xx', 'http 5xx', 'error'].map(outcome => ({ outcome })),
    ),
    mails: started(
      histogram('lonja_mail_duration_seconds', 'Mails handed to the mail server.', ['outcome']),
      outcomes.map(outcome => ({ outcome })),
    ),
    storage: started(
      histogram('lonja_storage_duration_seconds', 'Operations on the storage of uploads.', [
        'operation',
        'outcome',
      ]),
      ['put', 'stream', 'exists', 'remove'].flatMap(operation =>
        outcomes.map(outcome => ({ operation, outcome })),
      ),
    ),
    jobs: counter('lonja_jobs_total', 'Jobs of the queue: done, to be retried, or failed for good.', [
      'task',
      'outcome',
    ]),

    /** What is read when somebody asks. Without a value while it cannot be read, unless `unread` is one: it must not hide the others. */
    gauge(
      name: string,
      help: string,
      labelNames: string[],
      read: () => Reading | Promise<Reading>,
      unread: Reading = [],
    ): void {
      new Gauge({
        name: `lonja_${name}`,
        help,
        labelNames,
        registers,
        async collect() {
          const late = sleep(PATIENCE_MS, unread, { ref: false })
          const reading = Promise.resolve().then(read)
          const found = await Promise.race([reading, late]).catch(() => unread)
          this.reset()
          if (labelNames.length === 0) this.remove()
          for (const { labels = {}, value } of found) this.set(labels, value)
        },
      })
    },
  }
}

/** Begins at zero: the first increase of a series that was not there before is seen by nobody. */
function started<M extends Histogram | Counter>(metric: M, series: LabelValues<string>[]): M {
  for (const labels of series) {
    if (metric instanceof Histogram) metric.zero(labels)
    else metric.inc(labels, 0)
  }
  return metric
}
