/** `npm run bench -- search --listings 1000000`: each benchmark is a file, or a folder with a `run.ts`. */
const BENCHMARKS: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  answers: () => import('./answers.ts'),
  cluster: () => import('./cluster.ts'),
  engine: () => import('./engine.ts'),
  engines: () => import('./engines.ts'),
  matching: () => import('./matching.ts'),
  matched: () => import('./matched.ts'),
  metrics: () => import('./metrics.ts'),
  figures: () => import('./figures.ts'),
  feeds: () => import('./feeds.ts'),
  imports: () => import('./imports.ts'),
  limits: () => import('./limits.ts'),
  paint: () => import('./paint.ts'),
  processes: () => import('./processes.ts'),
  quality: () => import('./quality.ts'),
  routes: () => import('./routes/run.ts'),
  scale: () => import('./scale.ts'),
  search: () => import('./search/run.ts'),
  start: () => import('./start.ts'),
  starving: () => import('./starving.ts'),
  suggest: () => import('./suggest.ts'),
  sync: () => import('./sync/run.ts'),
  webhooks: () => import('./webhooks/run.ts'),
  writes: () => import('./writes.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const load = BENCHMARKS[name]
if (!load) {
  console.error(`Usage: npm run bench -- ${Object.keys(BENCHMARKS).join(' | ')} [options]`)
  process.exit(1)
}
await (await load()).run(args)
