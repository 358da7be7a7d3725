import {
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { onEnding } from '../http/ending.ts'

interface TraceOptions {
  /** Of the collector; spans are sent to `/v1/traces` there. */
  url: string
  /** Of traces that are sent, from 0 to 1. */
  share: number
  service: string
}

/**
 * Spans of requests and of what they wait for, sent by OTLP. This file and its libraries are loaded only where traces
 * are wanted. Spans wait in a queue of 2,048 and are dropped beyond that; nothing waits for the collector.
 */
export class Traces {
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #propagator = new W3CTraceContextPropagator()
  readonly #requests = new WeakMap<FastifyRequest, Span>()
  readonly #watched = new WeakSet<object>()

  constructor({ url, share, service }: TraceOptions) {
    const exporter = new OTLPTraceExporter({ url: `${url.replace(/\/$/, '')}/v1/traces` })
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service }),
      sampler: ownChance(share),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    })
    this.#tracer = this.#provider.getTracer('lonja')
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  }

  /** One span for each request, a part of the trace that the caller names in `traceparent`. */
  app(app: FastifyInstance, routeOf: (request: FastifyRequest) => string): void {
    app.addHook('onRequest', (request, _reply, done) => {
      const caller = this.#propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
      const span = this.#tracer.startSpan('request', { kind: SpanKind.SERVER }, caller)
      this.#requests.set(request, span)
      context.with(trace.setSpan(caller, span), done)
    })
    onEnding(app, (request, _reply, status) => {
      const span = this.#requests.get(request)
      const route = routeOf(request)
      span?.updateName(`${request.method} ${route}`)
      span?.setAttributes({
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': status,
        'lonja.request_id': request.id,
      })
      if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
      span?.end()
    })
  }

  /** A span for each query of a request: its first word, never its values. */
  pool(pool: pg.Pool): void {
    pool.on('acquire', client => {
      if (this.#watched.has(client)) return
      this.#watched.add(client)
      const query = client.query.bind(client) as (...args: unknown[]) => unknown
      const traced = (...args: unknown[]) => {
        // Streams and callbacks end elsewhere.
        const [text] = args
        const isPlain = typeof text === 'string' && typeof args.at(-1) !== 'function'
        if (!isPlain) return query(...args)
        return this.around('database', firstWord(text), () => query(...args) as Promise<unknown>)
      }
      client.query = traced as typeof client.query
    })
  }

  /** The work as a span of the request that is being answered; work that belongs to none is not traced. */
  async around<T>(name: string, label: string, work: () => Promise<T>): Promise<T> {
    if (!trace.getActiveSpan()) return work()
    return this.#tracer.startActiveSpan(`${name} ${label}`, async span => {
      try {
        return await work()
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    })
  }

  /** Sends what waits, for a second at most: a collector that is away must not delay a stop. */
  async close(): Promise<void> {
    const late = new Promise<void>(resolve => setTimeout(resolve, 1_000).unref())
    await Promise.race([this.#provider.shutdown().catch(() => {}), late])
    context.disable()
  }
}

/** Callers choose the id of their trace and whether it is marked as sampled, so neither decides. Spans follow their request. */
function ownChance(share: number): Sampler {
  const { RECORD_AND_SAMPLED, NOT_RECORD } = SamplingDecision
  const chance: Sampler = {
    shouldSample: () => ({ decision: Math.random() < share ? RECORD_AND_SAMPLED : NOT_RECORD }),
  }
  return new ParentBasedSampler({ root: chance, remoteParentSampled: chance, remoteParentNotSampled: chance })
}

/** Prepared statements begin with a comment that names them. */
const firstWord = (sql: string) =>
  /[a-z]+/i.exec(sql.replace(/^\s*\/\*.*?\*\//s, ''))?.[0].toLowerCase() ?? ''
