import { hash, randomBytes } from 'node:crypto'
import { networkOf } from '../lib/address.ts'
import { type Field, oneOf, type Patch, text } from '../lib/fields.ts'
import type { Words } from '../lib/i18n.ts'
import { type SealedBox, sealedBox } from '../lib/sealed-box.ts'
import { firstCharacters } from '../lib/text.ts'

export const MAX_FEEDS = 20
/** Per feed in the window of the rate limit: four times what a reader that asks every minute needs. */
export const MAX_READS = 40
/** A longer name of a client says nothing more. */
const CLIENT_LENGTH = 200

export const FORMATS = ['json', 'ndjson', 'csv', 'rss', 'trovit', 'meta'] as const
export type FormatName = (typeof FORMATS)[number]

export type Source = 'own' | 'agency' | 'collection'

export const feedFields = {
  name: { ...text({ min: 1, max: 80 }), nullable: false } as Field<string>,
  /** `own`, `agency` or the id of a collection. */
  listings: { ...text({ min: 1, max: 64 }), nullable: false } as Field<string>,
  format: oneOf(FORMATS),
}
export type FeedPatch = Patch<typeof feedFields>

export const formatWords = (t: Words): Record<FormatName, { name: string; hint: string }> => ({
  json: {
    name: 'JSON',
    hint: t(
      'Los registros de la API, para tu sitio o tu sistema',
      'The API’s records, for your site or system',
    ),
  },
  ndjson: {
    name: 'NDJSON',
    hint: t(
      'Lo mismo, un registro por línea, para inventarios grandes',
      'The same, one record per line, for large inventories',
    ),
  },
  csv: {
    name: 'CSV',
    hint: t('Para hojas de cálculo y otros portales', 'For spreadsheets and other portals'),
  },
  rss: {
    name: 'RSS 2.0',
    hint: t('Para lectores de noticias', 'For news readers'),
  },
  trovit: {
    name: 'XML Trovit / Mitula',
    hint: t(
      'Para Trovit, Mitula, Proppit y los portales que leen su formato',
      'For Trovit, Mitula, Proppit and portals that read their format',
    ),
  },
  meta: {
    name: t('Catálogo de Meta', 'Meta catalog'),
    hint: t(
      'Para anuncios de Facebook e Instagram; solo con foto y ubicación',
      'For Facebook and Instagram ads; only with a photo and a location',
    ),
  },
})

// ---- addresses -------------------------------------------------------------------------------------------

/** 192 random bits: cannot be guessed. */
export const newToken = (): string => randomBytes(24).toString('base64url')

export const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

export const openFeedBox = (keyText: string): SealedBox => sealedBox(keyText, 'lonja feed addresses')

const FILE = /^([\w-]{32})\.([a-z]+)$/

/** The token and the extension of a file name. */
export function readFile(file: string): { token: string; extension: string } | undefined {
  const [, token, extension] = FILE.exec(file) ?? []
  return token && extension ? { token, extension } : undefined
}

// ---- readers ---------------------------------------------------------------------------------------------

export interface Reader {
  client: string | null
  network: string
}

/** Enough to recognize a reader: the name its program gives itself, and the network, not the address. */
export function readerOf(userAgent: string | undefined, address: string): Reader {
  const network = networkOf(address)
  const client = firstCharacters((userAgent ?? '').toWellFormed(), CLIENT_LENGTH)
  return {
    client: client === '' ? null : client,
    network: network.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24'),
  }
}
