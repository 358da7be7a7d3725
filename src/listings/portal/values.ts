import { readBody } from '../../lib/fields.ts'
import { type Issue, issue } from '../../lib/issue.ts'
import { pointIn } from '../../lib/map-link.ts'
import { groupAmount } from '../../lib/money.ts'
import { columnOf, type FieldName, LISTING_FIELDS, type ListingFields, writableFields } from '../fields.ts'

/**
 * Converts form text to the JSON the rules expect, without validating: text that is not a number stays text, so the
 * API's rule rejects it.
 */
const FLAGS = LISTING_FIELDS.filter(name => columnOf(name).form === 'flag')

/** `current` is what the form was drawn from, if it changes something. */
export function readListingForm(form: URLSearchParams, current?: Pick<ListingFields, 'features'>) {
  const sent = splitPoint(form)
  const json = Object.fromEntries(LISTING_FIELDS.map(name => [name, jsonOf(sent, name)]))
  const { value, issues } = readBody(writableFields, {
    ...json,
    features: inOrder(form.getAll('features'), current?.features ?? []),
  })
  const isLink = ({ field }: Issue) => (field === 'lat' || field === 'lng') && hasText(sent.get(field) ?? '')
  return { value, issues: issues.map(one => (isLink(one) ? issue(one.field, 'link_without_point') : one)) }
}

/** More than a number: coordinates, or a link. */
export const hasText = (text: string): boolean => /[a-z°]|\d[,;\s]+[-+]?\d/i.test(text)

/** The form's order of amenities is meaningless: existing ones keep their places. */
function inOrder(chosen: string[], before: string[]): string[] {
  return [
    ...before.filter(label => chosen.includes(label)),
    ...chosen.filter(label => !before.includes(label)),
  ]
}

function jsonOf(form: URLSearchParams, name: FieldName): unknown {
  const kind = columnOf(name).form
  if (kind === 'flag') return form.get(name) === 'on'
  const text = (form.get(name) ?? '').trim()
  // A select always has a value; without a price it is ignored.
  const price = /^(sale|rent)_(currency|period)$/.exec(name)?.[1]
  if (text === '' || (price && !form.get(`${price}_price`)?.trim())) return null
  return kind === 'integer' || kind === 'decimal' ? numberOf(text) : text
}

/** Plain or with comma separators, as written in Mexico. */
function numberOf(text: string): number | string {
  const isPlain = /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text)
  return isPlain ? Number(text.replaceAll(',', '')) : text
}

/** Coordinates or the link of a map service, pasted into either field, fill both. */
function splitPoint(form: URLSearchParams): URLSearchParams {
  for (const name of ['lat', 'lng']) {
    const point = pointIn(form.get(name) ?? '')
    if (!point) continue
    const both = new URLSearchParams(form)
    both.set('lat', String(point.lat))
    both.set('lng', String(point.lng))
    return both
  }
  return form
}

/** Form values of a listing. */
export function formValues(fields: ListingFields): Record<string, unknown> {
  const amount = (price: number | null) => (price === null ? null : groupAmount(price))
  return {
    ...fields,
    sale_price: amount(fields.sale_price),
    rent_price: amount(fields.rent_price),
    ...Object.fromEntries(FLAGS.map(name => [name, fields[name] ? 'on' : null])),
  }
}
