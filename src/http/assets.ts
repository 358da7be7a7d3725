import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../lib/problem.ts'

const OWN = new URL('../../public/', import.meta.url)
const packageFile = (name: string) => new URL(import.meta.resolve(name))

/** Every file a page may load, by the name pages use. All are served locally: pages work without internet. */
const FILES = {
  'styles.css': new URL('styles.css', OWN),
  'icon.svg': new URL('icon.svg', OWN),
  'portal.js': new URL('portal.js', OWN),
  'leads.js': new URL('leads.js', OWN),
  'listings.js': new URL('listings.js', OWN),
  'listing-pin.js': new URL('listing-pin.js', OWN),
  'listing-photos.js': new URL('listing-photos.js', OWN),
  'site.js': new URL('site.js', OWN),
  'saved.js': new URL('saved.js', OWN),
  'suggest.js': new URL('suggest.js', OWN),
  'filters.js': new URL('filters.js', OWN),
  'base-map.js': new URL('base-map.js', OWN),
  'map.js': new URL('map.js', OWN),
  'map-tools.js': new URL('map-tools.js', OWN),
  'mortgage.js': new URL('mortgage.js', OWN),
  'widget.js': new URL('widget.js', OWN),
  'widget-frame.js': new URL('widget-frame.js', OWN),
  'serif.woff2': new URL('serif.woff2', OWN),
  'viewer.js': new URL('viewer.js', OWN),
  'street.svg': new URL('street.svg', OWN),
  'mexico.json': new URL('mexico.json', OWN),
  'htmx.js': packageFile('htmx.org/dist/htmx.min.js'),
  'leaflet.js': packageFile('leaflet/dist/leaflet.js'),
  'leaflet.css': packageFile('leaflet/dist/leaflet.css'),
  // Its package exports modules only; this file beside them is one script with all it needs.
  'protomaps-leaflet.js': new URL('../protomaps-leaflet.js', packageFile('protomaps-leaflet')),
}
export type AssetName = keyof typeof FILES

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const loaded = new Map(
  Object.entries(FILES).map(([name, file]) => {
    const bytes = readFileSync(file)
    const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    return [name, { bytes, version }]
  }),
)

export const FOREVER = 'public, max-age=31536000, immutable'

/** The URL of a file. It changes with the content, so browsers may cache it for a year. */
export const asset = (name: AssetName): string => `/assets/${loaded.get(name)?.version}/${name}`

/** A file's bytes and version, for the few that are also served under a fixed name. */
export const assetFile = (name: AssetName): { bytes: Buffer; version: string } => {
  const found = loaded.get(name)
  if (!found) throw new Error(`no file ${name}`)
  return found
}

/** A fixed address, because the stylesheet names it. Another typeface needs another name. */
export const TYPEFACE = '/fonts/source-serif-4-600.woff2'

export function registerAssets(app: FastifyInstance): void {
  app.get(TYPEFACE, { schema: { hide: true } }, (_request, reply) =>
    reply.type('font/woff2').header('cache-control', FOREVER).send(assetFile('serif.woff2').bytes),
  )
  app.get<{ Params: { version: string; name: string } }>(
    '/assets/:version/:name',
    { config: { compression: 'once' }, schema: { hide: true } },
    (request, reply) => {
      const { version, name } = request.params
      const found = loaded.get(name)
      if (found?.version !== version) throw new Problem('not_found')
      return reply
        .type(TYPES[extname(name)] ?? 'application/octet-stream')
        .header('cache-control', FOREVER)
        .send(found.bytes)
    },
  )
}
