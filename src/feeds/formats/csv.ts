import type { Format, Listing } from './format.ts'

type Cell = string | number | boolean | null | undefined

const priceOf = (listing: Listing, type: 'sale' | 'rental') =>
  listing.operations.find(operation => operation.type === type)

/** Column by column. Lists are separated by `|`, which no URL and no amenity contains. */
const COLUMNS: Record<string, (listing: Listing) => Cell> = {
  id: listing => listing.id,
  source_id: listing => listing.source_id,
  url: listing => listing.url,
  title: listing => listing.title,
  description: listing => listing.description,
  title_en: listing => listing.title_en,
  description_en: listing => listing.description_en,
  property_type: listing => listing.property_type,
  status: listing => listing.status,
  sale_price: listing => priceOf(listing, 'sale')?.amount,
  sale_currency: listing => priceOf(listing, 'sale')?.currency,
  rent_price: listing => priceOf(listing, 'rental')?.amount,
  rent_currency: listing => priceOf(listing, 'rental')?.currency,
  rent_period: listing => listing.rent_period,
  bedrooms: listing => listing.bedrooms,
  bathrooms: listing => listing.bathrooms,
  half_bathrooms: listing => listing.half_bathrooms,
  parking: listing => listing.parking,
  construction_m2: listing => listing.construction_m2,
  lot_m2: listing => listing.lot_m2,
  year_built: listing => listing.year_built,
  floors: listing => listing.floors,
  features: listing => listing.features.join('|'),
  address: listing => listing.location.address,
  neighborhood: listing => listing.location.neighborhood,
  city: listing => listing.location.city,
  municipality: listing => listing.location.municipality,
  state: listing => listing.location.state,
  postal_code: listing => listing.location.postal_code,
  lat: listing => listing.location.lat,
  lng: listing => listing.location.lng,
  exact: listing => listing.location.exact,
  images: listing => listing.images.map(image => image.url).join('|'),
  video_url: listing => listing.video_url,
  virtual_tour_url: listing => listing.virtual_tour_url,
  exclusive: listing => listing.exclusive,
  agent_name: listing => listing.agent.name,
  agent_phone: listing => listing.agent.phone,
  agent_url: listing => listing.agent.url,
  agency_name: listing => listing.agency?.name,
  created_at: listing => listing.created_at,
  updated_at: listing => listing.updated_at,
  published_at: listing => listing.published_at,
}

/** A spreadsheet would run a text that begins like a formula; an apostrophe makes it text. A phone is harmless. */
const isFormula = (text: string) => /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^\+[\d ]+$/.test(text)

function cell(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = isFormula(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const line = (cells: Cell[]) => `${cells.map(cell).join(',')}\r\n`

/** RFC 4180, with a header. */
export const csv: Format = {
  type: 'text/csv; charset=utf-8; header=present',
  extension: 'csv',
  start: () => line(Object.keys(COLUMNS)),
  item: listing => line(Object.values(COLUMNS).map(read => read(listing))),
  separator: '',
  end: '',
}
