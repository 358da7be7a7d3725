import { percentOfPrice } from '../../lib/commission.ts'
import type { Uuid } from './ids.ts'

/** 64 bits as two words, high word first. */
export type Word64 = readonly [number, number]

/** From this transaction on, a viewer no longer sees a listing, unless it became visible again. */
export interface Removal {
  id: Uuid
  xid: number
  version: Word64
  /** As `Entry.agent`; null means everyone but the owner. */
  viewer: string | null
  /** The listing no longer exists. */
  isErased: boolean
}

/** A listing as the index stores it. */
export interface Entry {
  id: Uuid
  /** The transaction of the last change: entries of an id with equal values are identical. */
  xid: number
  /** Changes whenever the record changes. */
  version: Word64
  /** The sixteen bytes of the agent's id as a string; null if the listing can no longer be found. */
  agent: string | null
  isPublic: boolean
  isOnMarket: boolean
  featured: boolean
  type: string
  state: string
  /** Folded, and as written. */
  city: string
  cityName: string
  municipality: string | null
  neighborhood: string | null
  neighborhoodName: string | null
  title: string
  salePrice: number | null
  saleCurrency: string | null
  rentPrice: number | null
  rentCurrency: string | null
  bedrooms: number | null
  bathrooms: number | null
  parking: number | null
  construction: number | null
  lot: number | null
  halfBathrooms: number | null
  yearBuilt: number | null
  floors: number | null
  amenities: string[]
  lat: number | null
  lng: number | null
  /** In milliseconds. */
  updated: number
  newest: number
  /** When the price was last lowered. */
  lowered: number | null
  /** Percent of the price. */
  commission: number | null
  isExclusive: boolean
  hasMedia: boolean
  /** Null if it is not for rent. */
  rentPeriod: string | null
  /** PostgreSQL's tsvector in its binary form. */
  words: Buffer
}

const SEPARATOR = '\x1f' // chr(31) below

/** What an entry is made of, in the order `readEntry` expects, and its types; `l` is the listing, `a` its agent. */
const VALUES: [expression: string, type: string][] = [
  ['case when l.imported then null else l.agent_id end', 'uuid'],
  ['is_public(l, a)', 'boolean'],
  ['is_on_market(l, a)', 'boolean'],
  ['l.featured', 'boolean'],
  ['l.property_type', 'text'],
  ['l.state', 'text'],
  ['l.city_fold', 'text'],
  ['l.city', 'text'],
  ['l.municipality', 'text'],
  ['l.neighborhood_fold', 'text'],
  ['l.neighborhood', 'text'],
  ['l.title_fold', 'text'],
  ['l.sale_price::float8', 'float8'],
  ['l.sale_currency', 'text'],
  ['l.rent_price::float8', 'float8'],
  ['l.rent_currency', 'text'],
  ['l.bedrooms', 'int'],
  ['l.bathrooms::float8', 'float8'],
  ['l.parking', 'int'],
  ['l.construction_m2::float8', 'float8'],
  ['l.lot_m2::float8', 'float8'],
  ['l.half_bathrooms', 'int'],
  ['l.year_built', 'int'],
  ['l.floors', 'int'],
  ['array_to_string(l.features, chr(31))', 'text'],
  ['l.public_lat', 'float8'],
  ['l.public_lng', 'float8'],
  ['l.updated_at', 'timestamptz'],
  ['coalesce(l.published_at, l.created_at)', 'timestamptz'],
  ['l.price_lowered_at', 'timestamptz'],
  ['l.shared_commission', 'text'],
  ['l.exclusive', 'boolean'],
  ['coalesce(l.video_url, l.virtual_tour_url) is not null', 'boolean'],
  ['l.rent_period', 'text'],
  ['l.search', 'tsvector'],
]
export const COLUMNS = VALUES.map(([expression]) => expression).join(', ')
/** The same of what is no listing. */
export const NO_COLUMNS = VALUES.map(([, type]) => `null::${type}`).join(', ')

export const agentKey = (uuid: string): string =>
  Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('latin1')

/** Reads the values of one row of PostgreSQL's binary COPY format, left to right. */
class RowReader {
  readonly #bytes: Buffer
  #at: number

  /** `at` is the offset after the row's field count. */
  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  /** Where the value starts, or -1 for null; advances past it. */
  #next(): number {
    const length = this.#bytes.readInt32BE(this.#at)
    const start = this.#at + 4
    this.#at = length < 0 ? start : start + length
    return length < 0 ? -1 : start
  }

  text(): string | null {
    const start = this.#next()
    return start < 0 ? null : this.#bytes.toString('utf8', start, this.#at)
  }

  bytes(): Buffer | null {
    const start = this.#next()
    return start < 0 ? null : this.#bytes.subarray(start, this.#at)
  }

  word64(): Word64 {
    const start = this.#next()
    return start < 0 ? [0, 0] : [this.#bytes.readInt32BE(start), this.#bytes.readInt32BE(start + 4)]
  }

  boolean(): boolean {
    const start = this.#next()
    return start >= 0 && this.#bytes[start] === 1
  }

  integer(): number | null {
    const start = this.#next()
    return start < 0 ? null : this.#bytes.readInt32BE(start)
  }

  double(): number | null {
    const start = this.#next()
    return start < 0 ? null : this.#bytes.readDoubleBE(start)
  }

  /** 64 bits; exact up to 2^53, which neither transaction ids nor microseconds reach. */
  long(): number | null {
    const start = this.#next()
    return start < 0 ? null : this.#bytes.readInt32BE(start) * 2 ** 32 + this.#bytes.readUInt32BE(start + 4)
  }

  uuid(): Uuid | null {
    const start = this.#next()
    const bytes = this.#bytes
    return start < 0
      ? null
      : [
          bytes.readUInt32BE(start),
          bytes.readUInt32BE(start + 4),
          bytes.readUInt32BE(start + 8),
          bytes.readUInt32BE(start + 12),
        ]
  }

  /** PostgreSQL counts microseconds from the year 2000. */
  timeOrNull(): number | null {
    const microseconds = this.long()
    return microseconds === null ? null : microseconds / 1000 + Date.UTC(2000, 0)
  }

  time(): number {
    return this.timeOrNull() ?? Date.UTC(2000, 0)
  }
}

const NO_WORDS = Buffer.alloc(4)

export function readEntry(
  row: RowReader,
  { id, xid, version }: Pick<Entry, 'id' | 'xid' | 'version'>,
): Entry {
  return {
    id,
    xid,
    version,
    agent: row.bytes()?.toString('latin1') ?? null,
    isPublic: row.boolean(),
    isOnMarket: row.boolean(),
    featured: row.boolean(),
    type: row.text() ?? '',
    state: row.text() ?? '',
    city: row.text() ?? '',
    cityName: row.text() ?? '',
    municipality: row.text(),
    neighborhood: row.text(),
    neighborhoodName: row.text(),
    title: row.text() ?? '',
    salePrice: row.double(),
    saleCurrency: row.text(),
    rentPrice: row.double(),
    rentCurrency: row.text(),
    bedrooms: row.integer(),
    bathrooms: row.double(),
    parking: row.integer(),
    construction: row.double(),
    lot: row.double(),
    halfBathrooms: row.integer(),
    yearBuilt: row.integer(),
    floors: row.integer(),
    amenities: row.text()?.split(SEPARATOR).filter(Boolean) ?? [],
    lat: row.double(),
    lng: row.double(),
    updated: row.time(),
    newest: row.time(),
    lowered: row.timeOrNull(),
    commission: percentOfPrice(row.text()),
    isExclusive: row.boolean(),
    hasMedia: row.boolean(),
    rentPeriod: row.text(),
    words: row.bytes() ?? NO_WORDS,
  }
}

const HEADER_LENGTH = 19

/** The rows of a binary COPY that arrives in chunks. */
export async function* copiedRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<RowReader[]> {
  let bytes: Buffer = Buffer.alloc(0)
  let at = HEADER_LENGTH
  for await (const piece of pieces) {
    bytes = bytes.length === 0 ? piece : Buffer.concat([bytes, piece])
    const rows: RowReader[] = []
    for (let end = rowEnd(bytes, at); end > 0; end = rowEnd(bytes, at)) {
      rows.push(new RowReader(bytes, at + 2))
      at = end
    }
    yield rows
    const read = Math.min(at, bytes.length)
    bytes = bytes.subarray(read)
    at -= read
  }
}

/** Where the row at that offset ends; 0 if it is incomplete or the end marker. */
function rowEnd(bytes: Buffer, start: number): number {
  let at = start + 2
  if (at > bytes.length) return 0
  for (let fields = bytes.readInt16BE(start); fields > 0; fields--) {
    if (at + 4 > bytes.length) return 0
    const length = bytes.readInt32BE(at)
    at += 4 + Math.max(0, length)
  }
  return at > bytes.length || at === start + 2 ? 0 : at
}
