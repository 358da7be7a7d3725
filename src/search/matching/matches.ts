import type { Currency } from '../../lib/money.ts'
import { foldText } from '../../lib/text.ts'
import type { Operation } from '../../lookups/catalog.ts'
import type { Filters, Reach } from '../criteria.ts'
import { rangeIn } from '../engine/converted.ts'
import { circleArea, rectangleArea } from '../engine/globe.ts'
import { uuidText } from '../engine/ids.ts'
import { insidePolygons } from '../engine/polygon.ts'
import type { Entry } from '../engine/rows.ts'
import type { Wanted } from '../engine/wanted.ts'
import { isCalled, type PlacePart } from '../places/place.ts'

/** A search that is kept: what it finds is defined by the engine, and `matches` agrees with it. */
export interface StoredSearch {
  filters: Filters
  wanted: Wanted
  /** Whose eyes it has: everyone's, or those of a verified agent on the market. Nobody's own drafts. */
  reach: Exclude<Reach, 'own'>
}

/** A listing, read once to be held against many searches. */
export interface Candidate extends Omit<Entry, 'id' | 'agent' | 'words'> {
  id: string
  agent: string | null
  lexemes: ReadonlySet<string>
}

export function candidateOf(entry: Entry): Candidate {
  return {
    ...entry,
    id: uuidText(entry.id),
    agent: entry.agent === null ? null : agentId(entry.agent),
    municipality: entry.municipality === null ? null : foldText(entry.municipality),
    lexemes: lexemesOf(entry.words),
  }
}

const agentId = (key: string) =>
  Buffer.from(key, 'latin1')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** Of a tsvector in PostgreSQL's binary format, as `Postings.add` reads it. */
function lexemesOf(vector: Buffer): Set<string> {
  const lexemes = new Set<string>()
  let at = 4
  for (let left = vector.readInt32BE(0); left > 0; left--) {
    const end = vector.indexOf(0, at)
    lexemes.add(vector.toString('utf8', at, end))
    at = end + 3 + vector.readUInt16BE(end + 1) * 2
  }
  return lexemes
}

/** Whether the search would find the listing. The cheapest conditions come first: most candidates fail early. */
export function matches({ filters, wanted, reach }: StoredSearch, listing: Candidate): boolean {
  return (
    listing.agent !== null &&
    (reach === 'market' ? listing.isOnMarket : listing.isPublic) &&
    isFound(filters, listing, listing.agent) &&
    hasWords(wanted, listing, listing.agent)
  )
}

const isFound = (filters: Filters, listing: Candidate, agent: string) =>
  isPriced(filters, listing) &&
  hasSize(filters, listing) &&
  isOfKind(filters, listing) &&
  isFromAgent(filters, agent) &&
  isRecent(filters, listing) &&
  isInPlace(filters, listing) &&
  isOnMap(filters, listing)

const within = (value: number | null, low: number | undefined, high: number | undefined) =>
  (low === undefined && high === undefined) ||
  (value !== null && value >= (low ?? 0) && value <= (high ?? Number.POSITIVE_INFINITY))

/** The same operation must match both the price range and the currency. */
function isPriced(
  { operation, minPrice, maxPrice, currency, priceIn }: Filters,
  listing: Candidate,
): boolean {
  if ((operation ?? minPrice ?? maxPrice ?? currency) === undefined) return true
  const isBetween = (price: number, its: Currency) => {
    const range: [number, number] = [minPrice ?? 0, maxPrice ?? Number.POSITIVE_INFINITY]
    return within(price, ...(priceIn ? rangeIn(its, priceIn, ...range) : range))
  }
  const fits = (one: Operation, price: number | null, priceCurrency: string | null) =>
    (operation === undefined || operation === one) &&
    price !== null &&
    (currency === undefined || currency === priceCurrency) &&
    isBetween(price, priceCurrency as Currency)
  return (
    fits('sale', listing.salePrice, listing.saleCurrency) ||
    fits('rental', listing.rentPrice, listing.rentCurrency)
  )
}

/** A minimum of 0 rooms also includes unknown values. */
const hasSize = (c: Filters, listing: Candidate) =>
  within(listing.bedrooms, c.minBedrooms || undefined, c.maxBedrooms) &&
  within(listing.bathrooms, c.minBathrooms || undefined, c.maxBathrooms) &&
  within(listing.parking, c.minParking || undefined, c.maxParking) &&
  within(listing.construction, c.minConstruction, c.maxConstruction) &&
  within(listing.lot, c.minLot, c.maxLot) &&
  within(listing.halfBathrooms, c.minHalfBathrooms || undefined, c.maxHalfBathrooms) &&
  within(listing.yearBuilt, c.minYearBuilt || undefined, c.maxYearBuilt) &&
  within(listing.floors, c.minFloors || undefined, c.maxFloors)

const isOfKind = (c: Filters, listing: Candidate) =>
  (!c.types || (c.types as string[]).includes(listing.type)) &&
  (!c.ids || c.ids.includes(listing.id)) &&
  (!c.rentPeriod || c.rentPeriod === listing.rentPeriod) &&
  within(listing.commission, c.minCommission, undefined) &&
  (c.marks ?? []).every(mark => (mark === 'exclusive' ? listing.isExclusive : listing.hasMedia)) &&
  (c.features ?? []).every(amenity => listing.amenities.includes(amenity)) &&
  !c.notFeatures?.some(amenity => listing.amenities.includes(amenity))

const isFromAgent = (c: Filters, agent: string) =>
  (!c.agents || c.agents.includes(agent)) && !c.notAgents?.includes(agent)

function isRecent({ updatedSince, fresh }: Filters, listing: Candidate): boolean {
  if (updatedSince && listing.updated < updatedSince.getTime()) return false
  if (!fresh) return true
  const since = fresh.since.getTime()
  return (
    (fresh.isNew && listing.newest >= since) ||
    (fresh.isLowered && listing.lowered !== null && listing.lowered >= since)
  )
}

const isInPlace = (c: Filters, listing: Candidate) =>
  (!c.state || c.state === listing.state) &&
  (!c.city || listing.city.includes(c.city)) &&
  (!c.cities || c.cities.includes(listing.city)) &&
  (!c.neighborhood || (listing.neighborhood?.includes(c.neighborhood) ?? false)) &&
  (c.place ?? []).every(part => isPart(part, listing))

const isPart = ({ states, names, isNeighborhood }: PlacePart, listing: Candidate) =>
  states.includes(listing.state) ||
  isCalled(listing.neighborhood ?? '', names) ||
  (!isNeighborhood && (isCalled(listing.city, names) || isCalled(listing.municipality ?? '', names)))

function isOnMap({ rectangle, circle, polygons }: Filters, { lat, lng }: Candidate): boolean {
  if (!rectangle && !circle && !polygons) return true
  if (lat === null || lng === null) return false
  return (
    (!rectangle || rectangleArea(rectangle).holds(lat, lng)) &&
    (!circle || circleArea(circle).holds(lat, lng)) &&
    (!polygons || insidePolygons(polygons)(lat, lng))
  )
}

const hasWords = ({ groups, titleStart }: Wanted, listing: Candidate, agent: string) =>
  groups.every(
    ({ lexemes, meaning }) =>
      lexemes.some(lexeme => listing.lexemes.has(lexeme)) || (meaning && isFound(meaning, listing, agent)),
  ) &&
  (titleStart === undefined || listing.title.startsWith(titleStart))
