import type { Column, Target } from '../columns.ts'
import { READING } from '../reading/limits.ts'
import { parseXml } from '../reading/xml.ts'
import type { Adapter } from './adapter.ts'
import { sourceProblem } from './fetch.ts'

/** What each element of an ad is. */
const ELEMENTS: Record<string, Target> = {
  id: 'external_id',
  title: 'title',
  content: 'description',
  property_type: 'property_type',
  address: 'address',
  city_area: 'neighborhood',
  city: 'city',
  region: 'state',
  postcode: 'postal_code',
  latitude: 'lat',
  longitude: 'lng',
  floor_area: 'construction_m2',
  plot_area: 'lot_m2',
  rooms: 'bedrooms',
  bathrooms: 'bathrooms',
  parking: 'parking',
  year: 'year_built',
  virtual_tour: 'virtual_tour_url',
  picture_url: 'images',
}
const MORE: Target[] = ['sale_price', 'sale_currency', 'rent_price', 'rent_currency', 'rent_period']
const TARGETS: Target[] = [...new Set([...Object.values(ELEMENTS), ...MORE])]
const COLUMNS: Column[] = TARGETS.map(target => ({ header: '', target }))

type Ad = Partial<Record<Target, string>>

/** The layout of Trovit, Mitula and the portals that write theirs: one ad for each operation of a listing. */
export const trovit: Adapter = async bytes => ({ columns: COLUMNS, rows: merged(ads(bytes)) })

async function* ads(bytes: AsyncIterable<Buffer>): AsyncGenerator<Ad> {
  let isFeed = false
  yield* parseXml<Ad>(bytes, emit => {
    let ad: Ad | undefined
    let text = ''
    let price: Record<string, string> = {}
    return {
      open(name, attributes) {
        isFeed ||= name === 'trovit'
        if (!isFeed) throw sourceProblem('source_unreadable')
        if (name === 'ad') ad = {}
        if (name === 'price') price = attributes
        text = ''
      },
      text(piece) {
        if (text.length <= READING.cellLength) text += piece
      },
      close(name) {
        if (ad && name === 'ad') emit(ad)
        else if (ad) put(ad, name, text.trim(), price)
        text = ''
      },
    }
  })
}

function put(ad: Ad, name: string, text: string, price: Record<string, string>): void {
  const target = ELEMENTS[name]
  if (target === 'images') ad.images = ad.images ? `${ad.images}\n${text}` : text
  else if (target) ad[target] = text
  // The type comes before the price.
  else if (name === 'type') ad.operation = /rent|rental/i.test(text) ? 'rent' : 'sale'
  else if (name === 'price') {
    const kind = ad.operation === 'rent' ? 'rent' : 'sale'
    ad[`${kind}_price`] = text
    if (price.currency) ad[`${kind}_currency`] = price.currency
    if (kind === 'rent' && price.period) ad.rent_period = price.period
  }
}

/** The ad of a rent follows that of the sale, and has its id with an ending. */
async function* merged(found: AsyncIterable<Ad>): AsyncGenerator<string[]> {
  let last: Ad | undefined
  const cells = (ad: Ad) => TARGETS.map(target => ad[target] ?? '')
  for await (const { external_id = '', ...ad } of found) {
    const id = external_id.replace(/-rental$/, '')
    if (last?.external_id === id) last = { ...last, ...ad, external_id: id }
    else {
      if (last) yield cells(last)
      last = { ...ad, external_id: id }
    }
  }
  if (last) yield cells(last)
}
