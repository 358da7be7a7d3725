import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { routesOf } from '../../test/support/routes.ts'
import type { Visit } from './measure.ts'
import type { Things } from './things.ts'

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T
const API = '/api/v1'
const WORDS = ['casa', 'alberca', 'jardín', 'terraza', 'departamento', 'chimenea', 'playa']
const TYPES = ['house', 'apartment', 'land', 'office']
const STATES = ['Jalisco', 'Nuevo León', 'Yucatán', 'Puebla', 'Quintana Roo', 'Querétaro']
const some = (n: number) => `min_price=${100_000 + n * 7919}`

/** Every operation of the description by its id, each round another question. */
export function apiVisits(app: FastifyInstance, things: Things): Visit[] {
  const { authorization } = things
  const asked = { ...readsOf(things), ...writesOf(app, things) }
  const operations = Object.values(app.swagger().paths ?? {}).flatMap(path =>
    Object.values(path as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
  )
  const names = Object.keys(asked).map(name => name.split(':', 1)[0])
  const missing = operations.filter(id => id && !names.includes(id))
  if (missing.length > 0)
    throw new Error(`give these operations a request in bench/routes: ${missing.join(', ')}`)
  return Object.entries(asked).map(([name, { request, ...rest }]) => ({
    name,
    ...rest,
    request: round => ({ headers: { authorization }, ...request(round) }),
  }))
}

type Asked = Omit<Visit, 'name'>
const get = (urlOf: (n: number) => string): Asked => ({ request: n => ({ url: API + urlOf(n) }) })

const readsOf = ({ own, others }: Things): Record<string, Asked> => ({
  getMe: get(() => '/me'),
  listAgents: get(() => '/agents'),
  listAgencies: get(() => '/agencies'),
  getMeta: get(() => '/meta'),
  listLocations: get(() => '/locations'),
  searchListings: get(n => `/properties?${some(n)}`),
  'searchListings: any page': get(n => `/properties?${some(n)}&page=${1 + n * 31}`),
  'searchListings: 100 of words': get(n => `/properties?q=${at(WORDS, n)}&${some(n)}&limit=100`),
  'searchListings: ask': get(n => `/properties?ask=${at(WORDS, n)}+en+venta+en+merida+${n}+recamaras`),
  'searchListings: facets': get(n => `/properties?${some(n)}&facets=${FACETS}`),
  'searchListings: polygon': get(n => `/properties?${some(n)}&polygon=${ring(n)}`),
  'searchListings: by distance': get(n => `/properties?${some(n)}&lat=20.67&lng=-103.35&sort=distance`),
  'searchListings: price_in': get(n => `/properties?${some(n)}&operation=sale&price_in=MXN&sort=price_asc`),
  clusterListings: get(n => `/properties/clusters?${some(n)}&bbox=-118,14,-86,33&zoom=${4 + (n % 8)}`),
  marketStatistics: get(n => `/market?${some(n)}&state=${encodeURIComponent(at(STATES, n))}`),
  'marketStatistics: by city and type': get(n => `/market?${some(n)}&by=city,type`),
  similarListings: get(n => `/properties/${at(others, n).id}/similar`),
  suggest: get(n => `/suggest?q=${at(['gua', 'mer', 'ro', 'alb', 'dep'], n)}`),
  getListing: get(n => `/properties/${at(others, n).id}`),
  'getListing: the same': get(() => `/properties/${others[0].id}`),
  'getListing: by slug': get(n => `/properties/${at(others, n).slug}`),
  getMyListing: get(n => `/my/properties/${at(own, n).external_id}`),
  listMyListings: get(() => '/my/properties'),
  listChanges: get(() => '/changes?limit=1000'),
  getDigest: get(() => '/digest'),
  listEvents: get(() => '/events'),
  listLeads: get(() => '/leads'),
  getDescription: get(() => '/openapi.json'),
})

const FACETS = 'type,state,city,neighborhood,bedrooms,features,price'
const ring = (n: number) =>
  Array.from({ length: 12 }, (_, i) => {
    const angle = (i / 12) * 2 * Math.PI
    const reach = 0.1 + (n % 10) / 100
    return `${(20.67 + Math.sin(angle) * reach).toFixed(4)},${(-103.35 + Math.cos(angle) * reach).toFixed(4)}`
  }).join(';')

/** On listings of the agent's own, which are left published. */
function writesOf(app: FastifyInstance, { own, lead, authorization }: Things): Record<string, Asked> {
  const one = (n: number) => at(own, n)
  const run = `bench-${Date.now()}`
  const body = (n: number) => ({
    title: `Casa en venta ${n}`,
    city: 'Mérida',
    state: 'Yucatán',
    sale_price: 1_000_000 + n,
    sale_currency: 'MXN',
  })
  const send = (method: string, urlOf: (n: number) => string, bodyOf?: (n: number) => object): Asked => ({
    request: n => ({ method, url: API + urlOf(n), ...(bodyOf && { body: bodyOf(n) }) }),
  })
  const publishAgain = (write: Asked): Asked => {
    let id = ''
    return {
      request(n) {
        id = one(n).id
        return write.request(n)
      },
      after: () =>
        app.inject({ method: 'POST', url: `${API}/properties/${id}/publish`, headers: { authorization } }),
    }
  }
  const picture = (n: number) => ({ urls: [`https://images.example.mx/${run}/${n}.jpg`] })
  return {
    createListing: send('POST', () => '/properties', body),
    updateListing: send(
      'PUT',
      n => `/properties/${one(n).id}`,
      n => ({ sale_price: 2_000_000 + n }),
    ),
    putMyListing: send(
      'PUT',
      n => `/my/properties/${one(n).external_id}`,
      n => ({ sale_price: 3_000_000 + n }),
    ),
    'putMyListings: 10': send(
      'POST',
      () => '/my/properties/batch',
      n => ({
        items: Array.from({ length: 10 }, (_, i) => ({
          external_id: one(n * 10 + i).external_id,
          sale_price: 4_000_000 + n,
        })),
      }),
    ),
    publishListing: send('POST', n => `/properties/${one(n).id}/publish`),
    publishMyListing: send('POST', n => `/my/properties/${one(n).external_id}/publish`),
    unpublishListing: publishAgain(send('POST', n => `/properties/${one(n).id}/unpublish`)),
    unpublishMyListing: publishAgain(send('POST', n => `/my/properties/${one(n).external_id}/unpublish`)),
    withdrawListing: publishAgain(send('DELETE', n => `/properties/${one(n).id}`)),
    withdrawMyListing: publishAgain(send('DELETE', n => `/my/properties/${one(n).external_id}`)),
    addImages: send('POST', n => `/properties/${one(n).id}/images`, picture),
    orderImages: send(
      'PUT',
      n => `/properties/${one(n).id}/images`,
      n => ({
        order: n % 2 > 0 ? one(n).images : one(n).images.toReversed(),
      }),
    ),
    // Of an image that is gone: there is nothing to put back afterwards.
    removeImage: {
      ...send('DELETE', n => `/properties/${one(n).id}/images/${randomUUID()}`),
      status: 404,
    },
    createLead: send(
      'POST',
      () => '/leads',
      n => ({ name: `Eva ${n}`, email: `${run}-${n}@example.mx` }),
    ),
    updateLead: send(
      'PATCH',
      () => `/leads/${lead}`,
      n => ({ stage: at(['contacted', 'new'], n) }),
    ),
  }
}

/** What has to be opened from a mail or needs an upload, files, and pages that come from a form. */
const LEFT_OUT =
  /^\/(en|api|assets|media|fonts|docs|demo|widget\.js|health|ready|identificacion|baja|avisos\/:token)|gracias|confirm$|reset$|identification|picture$|document$|:entry|deliveries|sources$|import\/:id|webhooks\/:id|licences\/:id|disputes\/:id|agreement\.pdf|needs\/:id\/offer|sign-|check-mail$|forgotten$/

/** Every page and screen the server has a route for; each round another of its kind where there are several. */
export function pageVisits(app: FastifyInstance, things: Things): Visit[] {
  const { cookie, agent, own, others, collection, widget, feed, need, lead, cooperation } = things
  const parameters: Record<string, (n: number) => string> = {
    '/agentes/:slug': n => `/agentes/${at(others, n).agent}`,
    '/inmobiliarias/:slug': n => `/inmobiliarias/inmobiliaria-${1 + (n % 200)}`,
    '/propiedades/:slug': n => `/propiedades/${at(others, n).slug}`,
    '/mx/:state/:city': () => '/mx/jalisco/guadalajara',
    '/mx/:state': n => `/mx/${at(['jalisco', 'yucatan', 'puebla', 'nuevo-leon'], n)}`,
    '/sitemaps/:file': n => `/sitemaps/${at(['lugares', 'agentes', at(things.sitemaps, n * 97)], n)}.xml`,
    '/c/:token/propiedades/:slug': () => `/c/${collection.token}/propiedades/${own[0].slug}`,
    '/c/:token': () => `/c/${collection.token}`,
    '/widget/:id': () => `/widget/${widget}`,
    '/calendario/:file': () => `/calendario/${agent.calendar_key}.ics`,
    '/feeds/:file': () => feed.path,
    '/portal/listings/:id': n => `/portal/listings/${at(own, n).id}`,
    '/portal/market/:id': n => `/portal/market/${at(others, n).id}`,
    '/portal/leads/:id': () => `/portal/leads/${lead}`,
    // A contact is named by one of its leads.
    '/portal/contacts/:id': () => `/portal/contacts/${lead}`,
    '/portal/collections/:id': () => `/portal/collections/${collection.id}`,
    '/portal/widgets/:id': () => `/portal/widgets/${widget}`,
    '/portal/feeds/:id': () => `/portal/feeds/${feed.id}`,
    '/portal/needs/:id': () => `/portal/needs/${need}`,
    '/portal/cooperations/:id': () => `/portal/cooperations/${cooperation}`,
    '/portal/operator/agents/:id': () => `/portal/operator/agents/${agent.id}`,
  }
  const query: Record<string, (n: number) => string> = {
    '/comparar': n => `?ids=${at(others, n).slug},${at(others, n + 1).slug}`,
    '/favoritos': n => `?ids=${at(others, n).slug},${at(others, n + 1).slug}`,
    '/sugerencias.json': n => `?q=${at(['gua', 'mer', 'ro', 'alb'], n)}`,
    '/mapa.json': n => `?operation=sale&${some(n)}`,
    '/mapa.svg': n => `?${some(n)}`,
    '/portal/market': n => `?${some(n)}`,
    '/portal/market/map.json': n => `?${some(n)}`,
    '/portal/market/map.svg': n => `?${some(n)}`,
  }
  const pathOf = (route: string): ((n: number) => string) => {
    const start = Object.keys(parameters).find(known => route === known || route.startsWith(`${known}/`))
    if (start) return n => parameters[start]?.(n) + route.slice(start.length)
    if (route.includes(':')) throw new Error(`give ${route} an address in bench/routes`)
    return () => route
  }
  const routes = routesOf(app).filter(({ method, path }) => method === 'GET' && !LEFT_OUT.test(path))
  const visits = routes.map(({ path }): [string, (n: number) => string] => {
    const base = pathOf(path)
    return [path, n => base(n) + (query[path]?.(n) ?? '')]
  })
  return [...visits, ...Object.entries(RESULTS)].map(([name, urlOf]) => ({
    name,
    request: n => ({
      url: urlOf(n),
      headers: { accept: 'text/html', ...(name.startsWith('/portal') && { cookie }) },
    }),
  }))
}

const RESULTS: Record<string, (n: number) => string> = {
  '/propiedades, filtered': n => `/propiedades?operation=sale&type=${at(TYPES, n)}&${some(n)}`,
  '/propiedades, words': n => `/propiedades?q=casa+jardin&page=${1 + n}`,
  '/propiedades, typed': n => `/propiedades?ask=casa+en+venta+merida+${1 + (n % 5)}+recamaras`,
  '/propiedades, a map area': n =>
    `/propiedades?sw_lat=${18 + (n % 5)}&sw_lng=-104&ne_lat=${20 + (n % 5)}&ne_lng=-99`,
  '/mapa.json, a view': n => `/mapa.json?view=${-104 + n / 100},18,-99,22`,
  '/portal/listings, cards': () => '/portal/listings?view=cards',
  '/portal/leads, table': () => '/portal/leads?view=table',
}
