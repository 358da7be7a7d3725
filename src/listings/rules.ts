import { wasRefused } from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { foldText, wordsOf } from '../lib/text.ts'
import { type ListingStatus, PROPERTY_TYPES } from '../lookups/catalog.ts'
import { EMPTY_LISTING, LISTING_FIELDS, type ListingFields, type ListingPatch } from './fields.ts'
import { type Point, pointIssues, publicPoint, roundPoint } from './location.ts'

/** The listing with the patch applied, or every issue with it. */
export function applyPatch(
  current: ListingFields | undefined,
  patch: ListingPatch,
  status: ListingStatus,
): { fields: ListingFields; issues: Issue[] } {
  const issues: Issue[] = []
  const fields = { ...(current ?? EMPTY_LISTING) }
  const plain = fields as Record<string, unknown>
  const empty = EMPTY_LISTING as unknown as Record<string, unknown>
  for (const name of LISTING_FIELDS) {
    const sent = patch[name]
    if (sent !== undefined && !isPriceField(name)) plain[name] = sent ?? empty[name]
  }
  Object.assign(fields, priceOf('sale', current, patch, issues), priceOf('rent', current, patch, issues))
  issues.push(
    ...missingIssues(fields, patch, current === undefined, status),
    ...coordinateIssues(fields, patch),
  )
  return { fields, issues }
}

const isPriceField = (name: string) => /^(sale|rent)_(price|currency|period)$/.test(name)

/** A price, its currency and, for rents, its period are set and cleared together. */
function priceOf(
  kind: 'sale' | 'rent',
  current: ListingFields | undefined,
  patch: ListingPatch,
  issues: Issue[],
): Partial<ListingFields> {
  const sent = patch[`${kind}_price`]
  const sentCurrency = patch[`${kind}_currency`]
  const amount = sent === undefined ? (current?.[`${kind}_price`] ?? null) : (sent?.amount ?? null)
  if (amount === null) {
    if (wasRefused(patch, `${kind}_price`)) return {}
    if (sentCurrency) issues.push(issue(`${kind}_currency`, 'requires', { other: `${kind}_price` }))
    if (kind === 'rent' && patch.rent_period)
      issues.push(issue('rent_period', 'requires', { other: 'rent_price' }))
    return {
      [`${kind}_price`]: null,
      [`${kind}_currency`]: null,
      ...(kind === 'rent' ? { rent_period: null } : {}),
    }
  }
  if (sent?.currency && sentCurrency && sent.currency !== sentCurrency) {
    const currencies = { written: sent.currency, other: `${kind}_currency`, chosen: sentCurrency }
    issues.push(issue(`${kind}_price`, 'currency_mismatch', currencies))
  }
  if (current?.[`${kind}_price`] && sentCurrency === null) {
    issues.push(issue(`${kind}_currency`, 'needed_by', { other: `${kind}_price` }))
  }
  const currency = sentCurrency ?? sent?.currency ?? current?.[`${kind}_currency`] ?? 'MXN'
  if (kind === 'sale') return { sale_price: amount, sale_currency: currency }
  const kept = patch.rent_period === undefined ? current?.rent_period : patch.rent_period
  return { rent_price: amount, rent_currency: currency, rent_period: kept ?? 'monthly' }
}

const REQUIRED_ON_CREATE = ['title', 'city', 'state'] as const

function missingIssues(
  fields: ListingFields,
  patch: ListingPatch,
  isNew: boolean,
  status: ListingStatus,
): Issue[] {
  const missing = isNew ? REQUIRED_ON_CREATE.filter(name => !(name in patch)) : []
  const issues = missing.map(name => issue(name, 'required'))
  const hasPrice = fields.sale_price !== null || fields.rent_price !== null
  if (hasPrice || wasRefused(patch, 'sale_price') || wasRefused(patch, 'rent_price')) return issues
  if (isNew) issues.push(issue('sale_price', 'price_required', { when: 'created' }))
  else if (status === 'published') issues.push(issue('sale_price', 'price_required', { when: 'published' }))
  return issues
}

function coordinateIssues({ lat, lng }: ListingFields, patch: ListingPatch): Issue[] {
  if (patch.lat === undefined && patch.lng === undefined) return []
  if (wasRefused(patch, 'lat') || wasRefused(patch, 'lng')) return []
  if (lat === null && lng === null) return []
  if (lat === null) return [issue('lat', 'required_by', { other: 'lng' })]
  if (lng === null) return [issue('lng', 'required_by', { other: 'lat' })]
  return pointIssues({ lat, lng })
}

/** Why a listing cannot be shown to the public yet. */
export function publishIssues(fields: Pick<ListingFields, 'sale_price' | 'rent_price'>): Issue[] {
  return fields.sale_price === null && fields.rent_price === null
    ? [issue('sale_price', 'price_required', { when: 'to_publish' })]
    : []
}

export type Transition = 'publish' | 'unpublish' | 'withdraw' | 'sell' | 'rent' | 'suspend'

const TRANSITIONS = {
  publish: { to: 'published', event: 'listing.published' },
  unpublish: { to: 'draft', event: 'listing.unpublished' },
  withdraw: { to: 'withdrawn', event: 'listing.unpublished' },
  sell: { to: 'sold', event: 'listing.unpublished' },
  rent: { to: 'rented', event: 'listing.unpublished' },
  suspend: { to: 'suspended', event: 'listing.unpublished' },
} as const

/** Target status of a transition. Allowed from every status, the same one included, except suspended. */
export function transition(from: ListingStatus, by: Transition) {
  const isRefused = from === 'suspended' && by !== 'suspend'
  return isRefused ? undefined : { ...TRANSITIONS[by], notifies: alwaysNotifies(by) || from === 'published' }
}

/** API transitions always emit an event; marking sold or rented only when the listing was public. */
const alwaysNotifies = (by: Transition) => by === 'publish' || by === 'unpublish' || by === 'withdraw'

/** A listing's public location. */
export function visiblePoint(key: string, id: string, fields: ListingFields): Point | undefined {
  if (fields.lat === null || fields.lng === null) return undefined
  const exact = { lat: fields.lat, lng: fields.lng }
  return fields.show_exact_address ? roundPoint(exact) : publicPoint(key, id, exact)
}

export interface SearchText {
  title: string
  place: string
  features: string
  body: string
}

/** Common names for two states whose official names share a word. */
const NICKNAMES = new Map([
  ['Ciudad de México', 'CDMX'],
  ['Estado de México', 'Edomex'],
])

/**
 * Everything text search can match, by weight. An allow-list: a hit on an address, a postal code or an internal note
 * would reveal what the record hides.
 */
export function searchText(
  fields: ListingFields,
  agent: { name: string; agency: string | null },
): SearchText {
  const address = fields.show_exact_address ? fields.address : null
  const nickname = NICKNAMES.get(fields.state) ?? null
  const join = (...parts: (string | null)[]) =>
    wordsOf(parts.filter(part => part !== null).join(' ')).join(' ')
  return {
    title: join(fields.title),
    place: join(fields.neighborhood, fields.city, fields.municipality, fields.state, nickname, address),
    features: join(PROPERTY_TYPES[fields.property_type].es, ...fields.features),
    body: join(fields.description, agent.name, agent.agency),
  }
}

export const folds = (fields: ListingFields) => ({
  title_fold: foldText(fields.title),
  city_fold: foldText(fields.city),
  neighborhood_fold: fields.neighborhood === null ? null : foldText(fields.neighborhood),
})
