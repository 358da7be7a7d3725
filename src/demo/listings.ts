import { EMPTY_LISTING } from '../listings/fields.ts'
import { descriptionEs } from './description-es.ts'
import type { Facts } from './facts.ts'
import { drawFeatures } from './features.ts'
import { drawSizes, marketValue } from './figures.ts'
import { drawOperation, drawSubject, drawType } from './kinds.ts'
import { mostPictures } from './pictures/draw.ts'
import { picturePath } from './pictures/paths.ts'
import { drawAddress, drawCity, drawPlace, drawPostalCode, type Place, scatter } from './places.ts'
import { drawPrices, type RentHabit } from './prices.ts'
import { chance, int, pick, type Random, stream } from './random.ts'
import { planSlots, type Slot } from './slots.ts'
import { descriptionEn, titleEn } from './text-en.ts'
import { titleEs } from './title-es.ts'
import type { DemoAgent, DemoListing, ListingStatus, PropertyType } from './types.ts'

const DAY = 24 * 60

type Times = Pick<DemoListing, 'created_minutes_ago' | 'updated_minutes_ago' | 'published_minutes_ago'>

/** Many recent, few old: squaring moves them toward now. */
const recent = (r: Random, from: number, to: number): number => Math.round(from + (to - from) * r() ** 2)

/**
 * Created, then published, then updated. Published listings were updated within the last 45 days, because the
 * exchange hides those not reconfirmed for 60.
 */
function drawTimes(r: Random, status: ListingStatus, agentMinutes: number): Times {
  const oldest = Math.min(agentMinutes, 540 * DAY)
  const hidden = status === 'expired' ? 62 * DAY : status === 'sold' || status === 'rented' ? 15 * DAY : 20
  const created = recent(r, Math.min(hidden, oldest), oldest)
  const everPublished = status !== 'draft' || chance(r, 0.2)
  if (!everPublished)
    return {
      created_minutes_ago: created,
      updated_minutes_ago: Math.round(created * r()),
      published_minutes_ago: null,
    }
  // An expired listing was last confirmed at least 60 days before it was hidden.
  const earliest = status === 'expired' ? Math.min(created, 61 * DAY) : 0
  const published = Math.max(earliest, created - recent(r, 0, Math.min(created, 6 * DAY)))
  const limit =
    status === 'published'
      ? Math.min(published, 45 * DAY)
      : status === 'expired'
        ? published - 60 * DAY
        : published
  return {
    created_minutes_ago: created,
    updated_minutes_ago: recent(r, 0, Math.max(0, limit)),
    published_minutes_ago: published,
  }
}

function habitOf(r: Random, type: PropertyType, { city }: Place): RentHabit {
  if (type === 'ranch' || type === 'land') return 'field'
  if ((type === 'house' || type === 'apartment') && city.sea !== null && chance(r, 0.45)) return 'holiday'
  return 'home'
}

const commission = (r: Random): string | null =>
  chance(r, 0.75) ? pick(r, ['2', '2.5', '2.5', '3', '3', '2.5% + IVA', '50% de la comisión']) : null

function imagesOf(r: Random, index: number, type: PropertyType): string[] {
  return Array.from({ length: Math.min(int(r, 3, 8), mostPictures(type)) }, (_, i) =>
    picturePath(type, index + 1, i),
  )
}

function generateListing(
  r: Random,
  index: number,
  slot: Slot,
  agent: DemoAgent,
  thisYear: number,
): DemoListing {
  const city = drawCity(r, slot.state)
  const type = drawType(r, city)
  const place = drawPlace(r, city, type)
  const operation = drawOperation(r, type, slot.status)
  const subject = drawSubject(r, type, place.wealth)
  const currency = chance(r, city.usd * (0.65 + place.wealth)) ? 'USD' : 'MXN'
  const sizes = drawSizes(r, subject, place, currency === 'USD', thisYear)
  const value = marketValue(r, type, sizes, place, currency)
  const prices = drawPrices(r, operation, value, currency, habitOf(r, type, place))
  const features = drawFeatures(r, { type, subject, operation, sizes, place })
  const exclusive = chance(r, 0.12)
  const facts: Facts = { type, subject, operation, place, sizes, prices, features, exclusive, thisYear }
  const english = chance(r, currency === 'USD' ? 0.65 : 0.075)
  const exact = chance(r, 0.08)
  const point = chance(r, 0.9) || exact ? scatter(r, city, type) : null
  return {
    ...EMPTY_LISTING,
    agent: slot.agent,
    status: slot.status,
    title: titleEs(r, facts),
    description: descriptionEs(r, facts),
    title_en: english ? titleEn(r, facts) : null,
    description_en: english ? descriptionEn(r, facts) : null,
    property_type: type,
    ...prices,
    ...sizes,
    features,
    address: exact || chance(r, 0.7) ? drawAddress(r, place, type) : null,
    neighborhood: place.neighborhood,
    city: city.name,
    municipality: chance(r, 0.85) ? city.municipality : null,
    state: city.state,
    postal_code: chance(r, 0.8) ? drawPostalCode(r, city) : null,
    lat: point?.lat ?? null,
    lng: point?.lng ?? null,
    show_exact_address: exact,
    idx_opt_out: slot.idx_opt_out,
    video_url: chance(r, 0.1) ? `https://video.example.com/lonja/${index + 1}` : null,
    virtual_tour_url: chance(r, 0.07) ? `https://tours.example.com/lonja/${index + 1}` : null,
    exclusive,
    shared_commission: commission(r),
    internal_id: chance(r, 0.5) ? `INT-${int(r, 1000, 9999)}` : null,
    // Unique per agent, because it contains the position in the market.
    external_id:
      slot.imported || chance(r, 0.6)
        ? `${slot.imported ? 'MLS' : 'LON'}-${String(index + 1).padStart(5, '0')}`
        : null,
    featured: slot.status === 'published' && chance(r, 0.025),
    imported: slot.imported,
    images: imagesOf(r, index, type),
    ...drawTimes(r, slot.status, agent.created_days_ago * DAY),
  }
}

export function generateListings(
  seed: number,
  now: Date,
  agents: readonly DemoAgent[],
  total: number,
): DemoListing[] {
  const slots = planSlots(stream(seed, 'slots'), agents, total)
  return slots.map((slot, i) =>
    generateListing(
      stream(seed, `listing/${i}`),
      i,
      slot,
      agents[slot.agent] as DemoAgent,
      now.getUTCFullYear(),
    ),
  )
}
