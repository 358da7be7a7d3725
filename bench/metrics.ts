/** What measuring costs a request: `/health`, sent to the whole application with and without an observer, in turn. */
import pino from 'pino'
import { buildApp } from '../src/app.ts'
import { openDatabase, openPool } from '../src/db/database.ts'
import { Observer } from '../src/observer.ts'

const ROUNDS = 15
const REQUESTS = 3_000

export async function run(): Promise<void> {
  const db = openDatabase(openPool('postgres://nobody@127.0.0.1:1/nothing', 1))
  const observer = new Observer('0')
  const open = (observe?: Observer['app']) =>
    buildApp({
      db,
      logger: pino({ level: 'silent' }),
      publicUrl: 'https://lonja.example',
      rateLimit: 1_000_000_000,
      trustProxy: [],
      loop: { delayMs: 0 },
      observe,
    })
  const bare = await open()
  const observed = await open(observer.app.bind(observer))
  const round = async (app: typeof bare): Promise<number> => {
    const began = performance.now()
    for (let i = 0; i < REQUESTS; i++) await app.inject('/health')
    return ((performance.now() - began) * 1000) / REQUESTS
  }
  const times: { bare: number; observed: number }[] = []
  for (let i = 0; i < ROUNDS; i++) times.push({ bare: await round(bare), observed: await round(observed) })
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number
  const us = (value: number) => `${value.toFixed(1)} µs`
  // The first rounds compile.
  const warm = times.slice(5)
  console.log(`a request without an observer  ${us(median(warm.map(one => one.bare)))}`)
  console.log(`with one                       ${us(median(warm.map(one => one.observed)))}`)
  console.log(`the difference                 ${us(median(warm.map(one => one.observed - one.bare)))}`)
  const began = performance.now()
  const { length } = await observer.registry.metrics()
  console.log(`an answer of /metrics          ${(performance.now() - began).toFixed(1)} ms, ${length} bytes`)
  await Promise.all([bare.close(), observed.close(), db.destroy()])
}
