import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Storage } from './files/storage.ts'
import type { Readiness } from './http/health.ts'
import type { Background, BackgroundObserver } from './jobs/background.ts'
import { shared } from './lib/once.ts'
import { type Around, timed, watchCalls } from './metrics/calls.ts'
import { type Metrics, openMetrics } from './metrics/definitions.ts'
import { registerRequestMetrics, routeOf } from './metrics/requests.ts'
import type { Search } from './search/service.ts'
import { shapeOf } from './search/shapes.ts'
import type { Traces } from './traces/traces.ts'

/** Measures the parts of one process. They do not know it: their calls are wrapped, their events counted, their state read. */
export class Observer {
  readonly #metrics: Metrics
  readonly #traces: Traces | undefined
  readonly #pools: Record<string, pg.Pool> = {}
  readonly #readiness: (() => Promise<Readiness>)[] = []

  /** `process` tells apart those that serve together. */
  constructor(process: string, traces?: Traces) {
    this.#metrics = openMetrics(process)
    this.#traces = traces
    this.#watchPools()
    this.#watchReadiness()
  }

  get registry() {
    return this.#metrics.registry
  }

  pools(pools: Record<string, pg.Pool>): void {
    Object.assign(this.#pools, pools)
    for (const pool of Object.values(pools)) this.#traces?.pool(pool)
  }

  readiness(read: () => Promise<Readiness>): void {
    this.#readiness.push(read)
  }

  storage(files: Storage): void {
    const operation = (name: string) => () => name
    watchCalls(
      files,
      {
        put: operation('put'),
        stream: operation('stream'),
        exists: operation('exists'),
        remove: operation('remove'),
      },
      this.#around(
        'storage',
        timed((name, outcome, seconds) =>
          this.#metrics.storage.observe({ operation: name, outcome }, seconds),
        ),
      ),
    )
  }

  /** Measured, and a span where traces are sent. */
  #around(name: string, measured: Around): Around {
    const traces = this.#traces
    return traces ? (label, work) => traces.around(name, label, () => measured(label, work)) : measured
  }

  search(search: Search): void {
    watchCalls(
      search,
      {
        page: (criteria, _viewer, _fields, facets) => shapeOf(criteria, facets),
        market: criteria => shapeOf(criteria),
        map: () => 'map',
        clusters: () => 'all',
        statistics: () => 'all',
        similar: () => 'similar',
      },
      this.#around(
        'search',
        timed((shape, _outcome, seconds) => this.#metrics.searches.observe({ shape }, seconds)),
      ),
    )
    const { gauge } = this.#metrics
    gauge('search_lag_seconds', 'How long ago the index was last equal to the database.', [], () => [
      { value: search.lagSeconds },
    ])
    gauge('search_listings', 'Listings in the index.', [], () => {
      const { indexed } = search
      return indexed === undefined ? [] : [{ value: indexed }]
    })
  }

  app(app: FastifyInstance, readiness: () => Promise<Readiness>): void {
    this.#traces?.app(app, routeOf)
    registerRequestMetrics(app, this.#metrics)
    this.readiness(readiness)
  }

  get background(): BackgroundObserver {
    const { mails, jobs, deliveries } = this.#metrics
    return {
      mailer: mailer =>
        watchCalls(
          mailer,
          { send: () => '' },
          timed((_, outcome, seconds) => mails.observe({ outcome }, seconds)),
        ),
      onJob(task, outcome) {
        jobs.inc({ task, outcome })
        // Begun at zero, long before the last retry: the increase from nothing to one would be seen by nobody.
        jobs.inc({ task, outcome: 'failed' }, 0)
      },
      // "error: delivery failed" is an error.
      onDelivery: (status, seconds) => deliveries.observe({ outcome: status.split(':')[0] }, seconds),
    }
  }

  backlogs({ pool, backlogs }: Background): void {
    this.pools({ jobs: pool })
    const read = shared(backlogs)
    const { gauge } = this.#metrics
    for (const [name, queue] of [
      ['webhook', 'deliveries'],
      ['jobs', 'jobs'],
    ] as const) {
      gauge(`${name}_waiting`, `How many ${queue} could be done now, up to 100,000.`, [], async () => [
        { value: (await read())[queue].count },
      ])
      gauge(`${name}_oldest_waiting_seconds`, `For how long the oldest of these waits.`, [], async () => [
        { value: (await read())[queue].oldestSeconds },
      ])
    }
  }

  #watchPools(): void {
    const pools = () => Object.entries(this.#pools)
    this.#metrics.gauge('database_connections', 'Connections to the database.', ['pool', 'state'], () =>
      pools().flatMap(([pool, { totalCount, idleCount }]) => [
        { labels: { pool, state: 'used' }, value: totalCount - idleCount },
        { labels: { pool, state: 'idle' }, value: idleCount },
      ]),
    )
    this.#metrics.gauge('database_waiting', 'Tasks that wait for a connection.', ['pool'], () =>
      pools().map(([pool, { waitingCount }]) => ({ labels: { pool }, value: waitingCount })),
    )
  }

  #watchReadiness(): void {
    const read = shared(async () => Promise.all(this.#readiness.map(one => one())))
    const { gauge } = this.#metrics
    const isReady = async () => {
      const known = await read()
      return [{ value: Number(known.length > 0 && known.every(({ ok }) => ok)) }]
    }
    gauge('ready', 'Whether the process can serve, as /ready answers.', [], isReady, [{ value: 0 }])
    gauge('check_ok', 'Each of the checks of /ready.', ['check'], async () =>
      Object.entries(Object.assign({}, ...(await read()).map(({ checks }) => checks))).map(
        ([check, state]) => ({
          labels: { check },
          value: Number(state === 'ok'),
        }),
      ),
    )
  }
}
