import type pg from 'pg'
import { decoded } from './site.ts'

interface Row {
  id: string
  slug: string
  lat: number | null
  lng: number | null
  public_lat: number | null
  public_lng: number | null
  address: string | null
  postal_code: string | null
  shared_commission: string | null
  internal_id: string | null
  external_id: string | null
  exact: boolean
  shown: boolean
  agent: string
}

const LISTINGS = `
  select l.id, l.slug, l.lat, l.lng, l.public_lat, l.public_lng, l.address, l.postal_code, l.shared_commission,
         l.internal_id, l.external_id, l.show_exact_address as exact, is_public(l, a) as shown, a.id as agent
  from listings l join agents a on a.id = l.agent_id`

const PEOPLE = `
  select id::text, email, null as phone, null as name from agents
  union all select id::text, email, phone, name from leads`

const streetOf = (address: string) => address.split(',', 1)[0]?.trim() as string
const isThere = (value: string | null | undefined): value is string =>
  value !== null && value !== undefined && value !== ''

/** The private values of a listing, except for its postal code and commission. */
function secretsOf(row: Row): string[] {
  const hidden = row.exact && row.shown ? [] : [row.address && streetOf(row.address), ...pointOf(row)]
  return [row.id, row.internal_id, row.external_id, ...hidden].filter(isThere)
}

const pointOf = ({ lat, lng }: Row) => (lat === null ? [] : [String(lat), String(lng)])

export interface PrivateValues {
  size: number
  publicListings: number
  /** Public listings whose exact location is hidden. */
  hidden: { slug: string; secrets: string[] }[]
  foundIn(body: string, path: string): string[]
}

/** Everything in the database that no page may show, and a way to search for it. */
export async function readPrivateValues(pool: pg.Pool): Promise<PrivateValues> {
  const rows: Row[] = (await pool.query(LISTINGS)).rows
  const people = (await pool.query(PEOPLE)).rows as {
    id: string
    email: string | null
    phone: string | null
  }[]
  const everywhere = new Set<string>()
  for (const { id, email, phone } of people)
    for (const value of [id, email, phone]) if (isThere(value)) everywhere.add(value)
  for (const row of rows) {
    for (const secret of secretsOf(row)) everywhere.add(secret)
    everywhere.add(row.agent)
    if (!row.shown) everywhere.add(row.slug)
  }
  // A value that one listing shows is not secret, even if another hides it.
  const open = new Set<string>()
  for (const row of rows.filter(({ shown }) => shown)) {
    for (const value of [row.public_lat, row.public_lng, row.exact && row.address && streetOf(row.address)])
      open.add(String(value))
  }
  for (const value of open) everywhere.delete(value)
  const bySlug = new Map(rows.map(row => [row.slug, row]))
  // Thousands of pages are made of the same pieces.
  const harmless = new Set<string>()
  return {
    size: everywhere.size,
    publicListings: rows.filter(({ shown }) => shown).length,
    hidden: rows
      .filter(row => row.shown && !row.exact && row.lat !== null && row.address)
      .map(row => ({ slug: row.slug, secrets: secretsOf(row).filter(secret => !open.has(secret)) })),
    foundIn: (body, path) => {
      const text = decoded(body)
      const found = new Set<string>()
      // Word by word against all values, and as substrings against those of the page's listings.
      for (const piece of text.split(/[<>]/)) {
        if (harmless.has(piece)) continue
        const words = [...wordsOf(piece)].filter(word => everywhere.has(word))
        for (const word of words) found.add(word)
        // A copy: a part of a page would keep the whole page in memory.
        if (words.length === 0) harmless.add(` ${piece}`.slice(1))
      }
      for (const slug of slugsIn(body)) {
        const row = bySlug.get(slug)
        for (const secret of row ? secretsOf(row) : [])
          if (!open.has(secret) && holds(text, secret)) found.add(secret)
      }
      const own = bySlug.get(/^(?:\/en)?\/propiedades\/([^/?]+)$/.exec(path)?.[1] ?? '')
      if (
        own &&
        !own.exact &&
        isThere(own.postal_code) &&
        new RegExp(`(?<![\\w.-])${own.postal_code}(?![\\w.])`).test(text)
      )
        found.add(own.postal_code)
      for (const [words] of text.matchAll(
        /\w@\w\S*|shared_commission|% de la comisi.n|comisi.n compartida/gi,
      ))
        found.add(words)
      return [...found].map(value => `shows ${value}`)
    },
  }
}

/** A number must end there: others start with the same digits. */
function holds(text: string, secret: string): boolean {
  const isNumber = /^-?[\d.]+$/.test(secret)
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    if (!isNumber || !/\d/.test(text.charAt(at + secret.length))) return true
  }
  return false
}

/** Of what lies between two tags, or in one. */
function* wordsOf(piece: string): Generator<string> {
  for (const [word] of piece.matchAll(/-?\d{1,3}\.\d{4,}|[A-Za-z]+-\d{4,5}\b|[0-9a-f-]{36}|[a-z0-9-]{12,}/g))
    yield word
  for (const part of piece.split(/[",/]/)) yield part.trim()
}

const slugsIn = (body: string): Set<string> =>
  new Set([...body.matchAll(/\/propiedades\/([a-z0-9-]+)/g)].map(match => match[1] as string))
