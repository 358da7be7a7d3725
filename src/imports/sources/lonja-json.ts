import { READING } from '../reading/limits.ts'
import type { Adapter, Foreign } from './adapter.ts'
import { sourceProblem } from './fetch.ts'

/** Our JSON and NDJSON feeds: the records of the API. Any document with such records in `content`, or in a list, will do. */
export const lonjaJson: Adapter = async bytes => ({ columns: [], rows: records(bytes) })

async function* records(bytes: AsyncIterable<Buffer>): AsyncGenerator<Foreign> {
  for await (const text of objectsOf(bytes)) {
    let record: unknown
    try {
      record = JSON.parse(text)
    } catch {
      throw sourceProblem('source_unreadable')
    }
    yield foreignOf(record as LonjaRecord)
  }
}

const START = /^\s*(?:\{\s*"content"\s*:\s*\[|\[)?/

/** The texts of the objects, one at a time: a feed may be larger than memory. */
async function* objectsOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  let isStart = true
  let depth = 0
  let isText = false
  let at = 0
  let begin = 0
  for await (const chunk of bytes) {
    rest += decoder.decode(chunk, { stream: true })
    if (isStart) {
      rest = rest.replace(/^\uFEFF/, '').replace(START, '')
      isStart = false
    }
    for (; at < rest.length; at++) {
      const one = rest[at]
      if (isText) {
        if (one === '\\') at++
        else if (one === '"') isText = false
      } else if (one === '"') isText = true
      else if (one === '{' && depth++ === 0) begin = at
      else if (one === '}' && depth > 0 && --depth === 0) yield rest.slice(begin, at + 1)
    }
    // What is complete is not needed again.
    const from = depth > 0 ? begin : Math.min(at, rest.length)
    rest = rest.slice(from)
    at -= from
    begin = 0
    if (rest.length > READING.rowBytes) throw sourceProblem('source_unreadable')
  }
  if (depth > 0 || isText) throw sourceProblem('source_unreadable')
}

type LonjaRecord = Record<string, unknown> & {
  id?: unknown
  operations?: { type?: unknown; amount?: unknown; currency?: unknown }[]
  location?: Record<string, unknown>
  images?: { url?: unknown }[]
}

const SAME = [
  'title',
  'description',
  'title_en',
  'description_en',
  'property_type',
  'bedrooms',
  'bathrooms',
  'half_bathrooms',
  'parking',
  'construction_m2',
  'lot_m2',
  'year_built',
  'floors',
  'features',
  'video_url',
  'virtual_tour_url',
  'exclusive',
]
const PLACE = ['address', 'neighborhood', 'city', 'municipality', 'state', 'postal_code', 'lat', 'lng']

function foreignOf(record: LonjaRecord): Foreign {
  if (
    typeof record.id !== 'string' ||
    !Array.isArray(record.operations) ||
    typeof record.location !== 'object'
  ) {
    throw sourceProblem('source_unreadable')
  }
  const { operations, location, images } = record
  const priceOf = (type: string) => operations.find(operation => operation?.type === type)
  const [sale, rent] = [priceOf('sale'), priceOf('rental')]
  const given = (names: string[], from: Record<string, unknown>) =>
    Object.fromEntries(names.filter(name => name in from).map(name => [name, from[name]]))
  return {
    external_id: record.id,
    set: {
      ...given(SAME, record),
      ...given(PLACE, location ?? {}),
      show_exact_address: location?.exact === true,
      sale_price: sale?.amount ?? null,
      ...(sale ? { sale_currency: sale.currency } : {}),
      rent_price: rent?.amount ?? null,
      ...(rent ? { rent_currency: rent.currency, rent_period: record.rent_period } : {}),
      images: Array.isArray(images) ? images.map(image => image?.url) : [],
    },
  }
}
