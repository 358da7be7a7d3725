import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import { openDatabase, openPool } from '../../src/db/database.ts'

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

export interface Route {
  method: (typeof METHODS)[number]
  path: string
}

/** Every route as the server lists it, such as `GET /portal/listings/:id`, so that new ones are covered. */
export function routesOf(app: FastifyInstance): Route[] {
  const stack: string[] = []
  const routes: Route[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
    if (part === '') continue
    const depth = indent.length / 4
    stack.length = depth
    stack[depth] = part
    const path = stack.join('').replace(/^\/+/, '/')
    const taken = methods.split(', ')
    for (const method of METHODS) if (taken.includes(method)) routes.push({ method, path })
  }
  return routes
}

/** The same without a running exchange, for tests generated per route; the pool never connects. */
export async function routesWithoutDatabase(): Promise<Route[]> {
  const pool = openPool('postgres://nobody@127.0.0.1:1/none', 1)
  const app = await buildApp({
    db: openDatabase(pool),
    logger: pino({ level: 'silent' }),
    publicUrl: 'https://lonja.example',
    rateLimit: 600,
    trustProxy: [],
  })
  await app.ready()
  const routes = routesOf(app)
  await app.close()
  await pool.end()
  return routes
}

/** Finds the route that serves a path; the one with the fewest parameters wins, as in the router. */
export function routeFinder(routes: readonly string[]): (path: string) => string | undefined {
  const patterns = routes
    .map(route => ({ route, names: route.split(':').length, test: patternOf(route) }))
    .sort((a, b) => a.names - b.names)
  return path => patterns.find(({ test }) => test.test(path.split(/[?#]/, 1)[0] as string))?.route
}

const patternOf = (route: string) =>
  new RegExp(`^${route.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}/?$`)
