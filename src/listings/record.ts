import type { Static } from 'typebox'
import { agencyRef, agentUrl } from '../agents/record.ts'
import { formatAmount } from '../lib/money.ts'
import type { ListingRecord, MediaAnswer } from './schema.ts'
import type { ListingRow } from './store.ts'
import { versionUnder } from './version.ts'

export const listingUrl = (publicUrl: string, slug: string) => `${publicUrl}/propiedades/${slug}`

/** Uploads are stored as paths; linked images already have full URLs. */
const imageUrl = (publicUrl: string, url: string) => (url.startsWith('/') ? `${publicUrl}${url}` : url)

/**
 * The only place that decides what others may see. An allow-list: a new column is private until it is added here.
 * Commissions and the exact point of a hidden address are in no record, not even the owner's.
 */
export function listingRecord(
  row: ListingRow,
  viewer: string | null,
  publicUrl: string,
): Static<typeof ListingRecord> {
  const isOwn = row.agent_id === viewer
  const showsAddress = row.show_exact_address
  return {
    id: row.id,
    slug: row.slug,
    url: listingUrl(publicUrl, row.slug),
    title: row.title,
    description: row.description,
    title_en: row.title_en,
    description_en: row.description_en,
    property_type: row.property_type,
    status: row.status,
    operations: operationsOf(row),
    rent_period: row.rent_period,
    bedrooms: row.bedrooms,
    bathrooms: row.bathrooms,
    half_bathrooms: row.half_bathrooms,
    parking: row.parking,
    construction_m2: row.construction_m2,
    lot_m2: row.lot_m2,
    year_built: row.year_built,
    floors: row.floors,
    features: row.features,
    location: {
      address: showsAddress ? row.address : null,
      neighborhood: row.neighborhood,
      city: row.city,
      municipality: row.municipality,
      state: row.state,
      // A postal code can identify a street and, with the lot size, a single house.
      postal_code: isOwn || showsAddress ? row.postal_code : null,
      lat: row.public_lat,
      lng: row.public_lng,
      exact: showsAddress && row.public_lat !== null,
    },
    images: row.images.map(({ id, url, thumb }) => ({
      id,
      url: imageUrl(publicUrl, url),
      thumb: imageUrl(publicUrl, thumb),
    })),
    video_url: row.video_url,
    virtual_tour_url: row.virtual_tour_url,
    exclusive: row.exclusive,
    agent: {
      name: row.agent_name,
      slug: row.agent_slug,
      phone: row.agent_phone,
      url: agentUrl(publicUrl, row.agent_slug),
    },
    agency: agencyRef(row, publicUrl),
    source_id: row.external_id,
    ...(isOwn
      ? {
          internal_id: row.internal_id,
          idx_opt_out: row.idx_opt_out,
          show_exact_address: row.show_exact_address,
        }
      : {}),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    published_at: row.published_at?.toISOString() ?? null,
    version: versionUnder(publicUrl, row.version),
  }
}

function operationsOf(row: ListingRow): Static<typeof ListingRecord>['operations'] {
  const operations: Static<typeof ListingRecord>['operations'] = []
  if (row.sale_price !== null && row.sale_currency !== null) {
    operations.push({
      type: 'sale',
      amount: row.sale_price,
      currency: row.sale_currency,
      formatted_amount: formatAmount(row.sale_price, row.sale_currency),
    })
  }
  if (row.rent_price !== null && row.rent_currency !== null) {
    operations.push({
      type: 'rental',
      amount: row.rent_price,
      currency: row.rent_currency,
      formatted_amount: formatAmount(row.rent_price, row.rent_currency),
      ...(row.rent_period ? { period: row.rent_period } : {}),
    })
  }
  return operations
}

export const mediaAnswer = (images: ListingRow['images'], publicUrl: string): Static<typeof MediaAnswer> => ({
  media: images.map(({ id, url, thumb }, position) => ({
    id,
    url: imageUrl(publicUrl, url),
    thumb: imageUrl(publicUrl, thumb),
    position,
    cover: position === 0,
  })),
})
