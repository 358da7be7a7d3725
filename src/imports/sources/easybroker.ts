import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalState } from '../../lookups/states.ts'
import { readType } from '../values.ts'
import type { Foreign } from './adapter.ts'
import { fetchFrom, type Reach, sourceProblem } from './fetch.ts'

export const EASYBROKER = {
  url: 'https://api.easybroker.com/v1',
  /** Below its limit of 20 a second, which others may share. */
  perSecond: 15,
  pageSize: 50,
}
export type EasyBroker = typeof EASYBROKER

const BOUNDS = { deadlineMs: 20_000, maxBytes: 5 * 2 ** 20 }
const TRIES = 6
const LONGEST_WAIT_MS = 30_000

interface Connection {
  reach: Reach
  key: string
  service: EasyBroker
}

/** One page of the published properties with all their details, and whether another follows. */
export async function readEasyBrokerPage(
  connection: Connection,
  page: number,
): Promise<{ rows: Foreign[]; hasMore: boolean }> {
  const { pageSize } = connection.service
  const query = `page=${page}&limit=${pageSize}&search%5Bstatuses%5D%5B%5D=published`
  const listed = (await ask(connection, `/properties?${query}`)) as Listed | undefined
  if (!listed || !Array.isArray(listed.content)) throw sourceProblem('source_unreadable')
  const rows: Foreign[] = []
  for (const { public_id: id } of listed.content) {
    const property = (await ask(connection, `/properties/${encodeURIComponent(String(id))}`)) as
      | Property
      | undefined
    // Removed since it was listed.
    if (property) rows.push(foreignOf(property))
  }
  return { rows, hasMore: Boolean(listed.pagination?.next_page) }
}

interface Listed {
  pagination?: { next_page?: string | null }
  content: { public_id?: unknown }[]
}

/** Waits as told when there were too many requests, and tries again when the server has a fault. Undefined: not found. */
async function ask({ reach, key, service }: Connection, path: string): Promise<unknown> {
  for (let tries = 1; ; tries++) {
    const started = Date.now()
    const headers = { 'x-authorization': key, accept: 'application/json' }
    const answer = await fetchFrom(reach, service.url + path, { ...BOUNDS, headers })
    try {
      const { code } = answer
      if (code === 200) return await jsonOf(answer.bytes)
      if (code === 404) return undefined
      if (code === 401 || code === 403) throw sourceProblem('source_key_refused')
      if ((code !== 429 && code < 500) || tries === TRIES) throw sourceProblem('source_answered', { code })
    } finally {
      answer.close()
      await sleep(Math.max(0, 1_000 / service.perSecond - (Date.now() - started)))
    }
    await sleep(Math.min(answer.retryAfterMs ?? 250 * 2 ** tries, LONGEST_WAIT_MS))
  }
}

async function jsonOf(bytes: AsyncIterable<Buffer>): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw sourceProblem('source_unreadable')
  }
}

interface Property {
  public_id: string
  title?: string
  description?: string
  property_type?: string
  bedrooms?: number | null
  bathrooms?: number | null
  half_bathrooms?: number | null
  parking_spaces?: number | null
  construction_size?: number | null
  lot_size?: number | null
  floors?: number | null
  /** The year it was built. */
  age?: number | string | null
  internal_id?: string | null
  exclusive?: boolean | null
  virtual_tour?: string | null
  videos?: unknown[]
  operations?: { type?: string; amount?: number; currency?: string; unit?: string; period?: string }[]
  location?: {
    name?: string
    street?: string | null
    postal_code?: string | null
    latitude?: number | null
    longitude?: number | null
    show_exact_location?: boolean
  }
  property_images?: { url?: string }[]
  features?: { name?: string }[]
}

export function foreignOf(property: Property): Foreign {
  const { location = {}, operations = [] } = property
  return {
    external_id: String(property.public_id),
    set: {
      title: property.title,
      description: property.description ?? null,
      property_type: readType(property.property_type ?? '') ?? 'other',
      ...priceOf(operations, 'sale'),
      ...priceOf(operations, 'rent'),
      bedrooms: property.bedrooms ?? null,
      bathrooms: property.bathrooms ?? null,
      half_bathrooms: property.half_bathrooms ?? null,
      parking: property.parking_spaces ?? null,
      construction_m2: property.construction_size || null,
      lot_m2: property.lot_size || null,
      floors: property.floors ?? null,
      year_built: Number(property.age) >= 1500 ? Number(property.age) : null,
      internal_id: property.internal_id ?? null,
      exclusive: property.exclusive ?? false,
      virtual_tour_url: property.virtual_tour ?? null,
      video_url: property.videos?.find(video => typeof video === 'string') ?? null,
      ...placeOf(location.name ?? ''),
      address: location.street ?? null,
      postal_code: location.postal_code ?? null,
      lat: location.latitude ?? null,
      lng: location.longitude ?? null,
      show_exact_address: location.show_exact_location ?? false,
      images: (property.property_images ?? []).flatMap(({ url }) => url ?? []),
      features: (property.features ?? []).flatMap(({ name }) => name ?? []),
    },
  }
}

/** A price per square meter is none of the whole, and one for holidays none of a month. */
function priceOf(operations: NonNullable<Property['operations']>, kind: 'sale' | 'rent') {
  const types = kind === 'sale' ? ['sale'] : ['rental', 'rent']
  const found = operations.find(
    ({ type = '', unit }) =>
      types.includes(type) && (unit === undefined || unit === null || unit === 'total'),
  )
  if (!found?.amount) return { [`${kind}_price`]: null }
  const period = kind === 'rent' && found.period ? { rent_period: found.period } : {}
  return {
    [`${kind}_price`]: found.amount,
    [`${kind}_currency`]: found.currency?.toUpperCase() ?? 'MXN',
    ...period,
  }
}

/** «Polanco, Miguel Hidalgo, Ciudad de México»: from the smallest to the state. */
function placeOf(name: string) {
  const parts = name
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '' && !/^m[eé]xico$/i.test(part))
  const state = canonicalState(parts.at(-1) ?? '')
  const [city, neighborhood] = (state ? parts.slice(0, -1) : parts).reverse()
  return { state: state ?? parts.at(-1) ?? '', city: city ?? state ?? '', neighborhood: neighborhood ?? null }
}
