import { nested, type Sql } from '../db/database.ts'
import {
  checkNumber,
  type Field,
  list,
  oneOf,
  optional,
  orBlank,
  type Reading,
  readBody,
  text,
} from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { MAX_AMOUNT } from '../lib/money.ts'
import { refuseIfAny } from '../lib/problem.ts'
import { LIMITS, type ListingStatus } from '../lookups/catalog.ts'
import { amenityField } from '../lookups/fields.ts'
import { type ListingFields, type ListingPatch, writableFields } from './fields.ts'
import { type FieldChanges, fieldChanges } from './history.ts'
import { planOf } from './plan.ts'
import { publishIssues, type Transition, transition } from './rules.ts'
import { changeStatus, type ListingRow, updateListing } from './service.ts'
import { unchangedSince } from './version.ts'

export const BULK_TEXTS = ['description', 'title', 'description_en', 'title_en'] as const
export const PRICE_UNITS = ['percent', 'amount'] as const
export const PRICE_KINDS = ['both', 'sale', 'rent'] as const
export const ROUNDINGS = ['1', '100', '1000'] as const
const MAX_ADDED_TEXT = 2_000

/** «-5», «+3.5» or «50,000». */
const signedNumber: Field<number> = {
  schema: { type: 'string' },
  read(value, fail) {
    const plain = String(value).trim().replace('−', '-')
    if (!/^[+-]?(\d+|\d{1,3}(,\d{3})+)(\.\d{1,2})?$/.test(plain)) return void fail('not_a_number')
    return checkNumber(Number(plain.replaceAll(',', '')), { min: -MAX_AMOUNT, max: MAX_AMOUNT }, fail)
  },
}

const amenities = () => list(amenityField, { max: LIMITS.features_per_listing })

const bulkFields = {
  price_by: orBlank(signedNumber),
  price_unit: oneOf(PRICE_UNITS),
  price_of: oneOf(PRICE_KINDS),
  price_round: oneOf(ROUNDINGS),
  add: amenities(),
  remove: amenities(),
  text_in: oneOf(BULK_TEXTS),
  phrase: optional(text({ max: 200 })),
  text: optional(text({ max: MAX_ADDED_TEXT })),
  text_do: oneOf(['append', 'replace'] as const),
}

type Values = { [Name in keyof typeof bulkFields]: unknown }

/** The same change for many listings. */
export interface BulkEdit {
  /** Percent, or an amount in the currency of each listing. */
  price?: { by: number; unit: (typeof PRICE_UNITS)[number]; of: (typeof PRICE_KINDS)[number]; round: number }
  add: string[]
  remove: string[]
  /** Appended to the text, unless there is a phrase to replace. */
  text?: { in: (typeof BULK_TEXTS)[number]; phrase?: string; text: string }
  status?: Transition
}

export function readBulkEdit(sent: Values, status: Transition | undefined): BulkEdit {
  const { value, issues } = readBody(bulkFields, sent)
  const { price_by: by, price_unit: unit, price_of: of, price_round: round, text_in: where } = value
  const { add, remove, phrase, text: words } = value
  const replaces = value.text_do === 'replace'
  if (replaces && words && !phrase) issues.push(issue('phrase', 'required'))
  if (unit === 'percent' && by != null && by <= -100)
    issues.push(issue('price_by', 'out_of_range', { min: -100, above: true, max: MAX_AMOUNT }))
  const edit: BulkEdit = {
    add: add ?? [],
    remove: remove ?? [],
    ...(by && unit && of && round && { price: { by, unit, of, round: Number(round) } }),
    ...(where && replaces && phrase && { text: { in: where, phrase, text: words ?? '' } }),
    ...(where && !replaces && words && { text: { in: where, text: words } }),
    ...(status && { status }),
  }
  const isEmpty = !edit.price && !edit.text && !status && edit.add.length + edit.remove.length === 0
  refuseIfAny(isEmpty && issues.length === 0 ? [issue('', 'nothing_to_change')] : issues)
  return edit
}

/** What the edit makes of one listing, or why it cannot. */
export interface Outcome {
  listing: ListingRow
  changes: FieldChanges
  /** Undefined if it stays. */
  status?: ListingStatus
  issues: readonly Issue[]
}

export function planBulkEdit(listing: ListingRow, edit: BulkEdit): Outcome {
  const { fields, changed, issues } = planOf(listing, patchFor(listing, edit), [])
  const next = nextStatus(listing, edit)
  return {
    listing,
    changes: fieldChanges(listing, changed),
    ...(next && { status: next }),
    issues: [...issues, ...statusIssues(listing, fields, edit)],
  }
}

/** One transaction, with its events, if the listing is still in that version; by the same service as a single edit. */
export function applyBulkEdit(db: Sql, listing: ListingRow, edit: BulkEdit, version: string): Promise<void> {
  const { id, agent_id: agentId } = listing
  return nested(db, async tx => {
    refuseIfAny([...planBulkEdit(listing, edit).issues])
    const change = { via: 'portal' as const, check: unchangedSince(version) }
    await updateListing(tx, agentId, id, { ...change, sent: patchFor(listing, edit) })
    if (edit.status && nextStatus(listing, edit))
      await changeStatus(tx, agentId, id, edit.status, { via: 'portal' })
  })
}

/** What a single edit would have sent; read by the same rules. */
function patchFor(listing: ListingFields, edit: BulkEdit): Reading<ListingPatch> {
  const own: Issue[] = []
  const json = {
    ...pricesFor(listing, edit.price, own),
    ...(edit.add.length + edit.remove.length > 0 && { features: featuresFor(listing.features, edit) }),
    ...textFor(listing, edit.text, own),
  }
  const { value, issues } = readBody(writableFields, json)
  return { value, issues: [...own, ...issues] }
}

function pricesFor(listing: ListingFields, price: BulkEdit['price'], issues: Issue[]) {
  if (!price) return {}
  const names = (['sale_price', 'rent_price'] as const).filter(
    name => price.of === 'both' || name === `${price.of}_price`,
  )
  const priced = names.filter(name => listing[name] !== null)
  if (priced.length === 0) issues.push(issue(names[0] ?? '', 'no_price_to_change'))
  return Object.fromEntries(priced.map(name => [name, changedPrice(listing[name] ?? 0, price)]))
}

function changedPrice(now: number, { by, unit, round }: NonNullable<BulkEdit['price']>): number {
  const exact = unit === 'percent' ? now * (1 + by / 100) : now + by
  return Math.round(exact / round) * round
}

const featuresFor = (now: string[], { add, remove }: BulkEdit): string[] => [
  ...now.filter(label => !remove.includes(label)),
  ...add.filter(label => !now.includes(label) && !remove.includes(label)),
]

function textFor(listing: ListingFields, change: BulkEdit['text'], issues: Issue[]) {
  if (!change) return {}
  const now = listing[change.in] ?? ''
  if (change.phrase === undefined) {
    const gap = now === '' ? '' : change.in.startsWith('title') ? ' ' : '\n\n'
    return { [change.in]: `${now}${gap}${change.text}` }
  }
  if (!now.includes(change.phrase)) {
    issues.push(issue(change.in, 'phrase_not_found'))
    return {}
  }
  const replaced = now.replaceAll(change.phrase, () => change.text)
  // A phrase taken out leaves the spaces on both of its sides.
  return { [change.in]: change.text === '' ? replaced.replace(/ {2,}/g, ' ') : replaced }
}

/** Undefined if it has that status already, or cannot. */
function nextStatus({ status }: ListingRow, edit: BulkEdit): ListingStatus | undefined {
  const next = edit.status && transition(status, edit.status)
  return next && next.to !== status ? next.to : undefined
}

function statusIssues({ status }: ListingRow, fields: ListingFields, { status: by }: BulkEdit): Issue[] {
  if (!by) return []
  if (!transition(status, by)) return [issue('', 'listing_suspended')]
  if (by === 'publish') return publishIssues(fields)
  if (by === 'sell' && fields.sale_price === null) return [issue('sale_price', 'no_price_to_change')]
  if (by === 'rent' && fields.rent_price === null) return [issue('rent_price', 'no_price_to_change')]
  return []
}
