import type { FastifyInstance } from 'fastify'

/** The patterns of everything that can be asked for with GET, as `/portal/listings/:id`. */
export function getRoutes(app: FastifyInstance): string[] {
  const parents: string[] = []
  const routes: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false, method: 'GET' }).split('\n')) {
    const [, indent, part, method] = /^(.*?[└├]── )(\S+)( \(GET\))?/.exec(line) ?? []
    if (indent === undefined || part === undefined) continue
    const depth = indent.length / 4
    parents.length = depth - 1
    parents.push(part)
    if (method) routes.push(parents.join(''))
  }
  return routes
}

/** Finds the pattern a path is served by; the one with fewest names in it, as routers do. */
export function routeFinder(routes: readonly string[]): (path: string) => string | undefined {
  const patterns = routes
    .map(route => ({ route, names: route.split(':').length, test: patternOf(route) }))
    .sort((a, b) => a.names - b.names)
  return path => patterns.find(({ test }) => test.test(path.split(/[?#]/, 1)[0] as string))?.route
}

const patternOf = (route: string) =>
  new RegExp(`^${route.replace(/[.]/g, '\\.').replace(/:[^/]+/g, '[^/]+')}/?$`)
