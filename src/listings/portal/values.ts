import { readBody } from '../../lib/fields.ts'
import type { Lang } from '../../lib/i18n.ts'
import type { ListingFields } from '../rules.ts'
import { writableFields } from '../schema.ts'

/**
 * Forms speak text, the rules speak JSON. Here the one becomes the other, and nothing is judged: what is no number
 * stays text, so that the same rule as for the API says so.
 */
type FormField = Exclude<keyof typeof writableFields, 'images'>

const NUMBERS = new Set<FormField>([
  'bedrooms',
  'bathrooms',
  'half_bathrooms',
  'parking',
  'construction_m2',
  'lot_m2',
  'year_built',
  'floors',
  'lat',
  'lng',
])
const FLAGS = ['show_exact_address', 'idx_opt_out', 'exclusive'] as const
const isFlag = (name: FormField): name is (typeof FLAGS)[number] =>
  (FLAGS as readonly string[]).includes(name)

const FORM_FIELDS = (Object.keys(writableFields) as (keyof typeof writableFields)[]).filter(
  (name): name is FormField => name !== 'images',
)

/** `current` is what the form was drawn from, if it changes something. */
export function readListingForm(form: URLSearchParams, current?: Pick<ListingFields, 'features'>) {
  const sent = splitPoint(form)
  const json = Object.fromEntries(FORM_FIELDS.map(name => [name, jsonOf(sent, name)]))
  return readBody(writableFields, {
    ...json,
    features: inOrder(form.getAll('features'), current?.features ?? []),
  })
}

/** A page lists amenities in its own order, which says nothing: those that were there keep their places. */
function inOrder(chosen: string[], before: string[]): string[] {
  return [
    ...before.filter(label => chosen.includes(label)),
    ...chosen.filter(label => !before.includes(label)),
  ]
}

function jsonOf(form: URLSearchParams, name: FormField): unknown {
  if (isFlag(name)) return form.get(name) === 'on'
  const text = (form.get(name) ?? '').trim()
  // A select always says something; without a price it means nothing.
  const price = /^(sale|rent)_(currency|period)$/.exec(name)?.[1]
  if (text === '' || (price && !form.get(`${price}_price`)?.trim())) return null
  return NUMBERS.has(name) ? numberOf(text) : text
}

/** Plain or with comma groups, as numbers are written in Mexico. */
function numberOf(text: string): number | string {
  const isPlain = /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text)
  return isPlain ? Number(text.replaceAll(',', '')) : text
}

/** Map services copy «20.6911, -103.3782» as one text; pasted into either field it fills both. */
function splitPoint(form: URLSearchParams): URLSearchParams {
  for (const name of ['lat', 'lng']) {
    const [, lat, lng] = /^\s*\(?(-?\d+\.\d+),\s*(-?\d+\.\d+)\)?\s*$/.exec(form.get(name) ?? '') ?? []
    if (!lat || !lng) continue
    const both = new URLSearchParams(form)
    both.set('lat', lat)
    both.set('lng', lng)
    return both
  }
  return form
}

/** What the form shows of a listing. */
export function formValues(fields: ListingFields): Record<string, unknown> {
  const amount = (price: number | null) => price?.toLocaleString('en-US', { maximumFractionDigits: 2 })
  return {
    ...fields,
    sale_price: amount(fields.sale_price),
    rent_price: amount(fields.rent_price),
    ...Object.fromEntries(FLAGS.map(name => [name, fields[name] ? 'on' : null])),
  }
}

// The rules of listings in the words of people; what is not here is in the shell's table.
const MESSAGES: readonly [RegExp, string, string][] = [
  [
    /^(sale_price) or rent_price is required( to publish| while the listing is published)?$/,
    'indica un precio de venta, de renta o ambos',
    'give a sale price, a rent, or both',
  ],
  [/^(lat) and lng are outside Mexico$/, 'ese punto está fuera de México', 'that point is outside Mexico'],
  [
    /^(lat) and lng 0, 0 is not a place.*$/,
    'el punto 0, 0 no es un lugar; deja ambos vacíos si no lo sabes',
    'the point 0, 0 is not a place; leave both empty if unknown',
  ],
  [
    /^(lat) and lng are the centre of the country.*$/,
    'es el centro del país y no una propiedad; deja ambos vacíos si no lo sabes',
    'that is the centre of the country, not a property; leave both empty if unknown',
  ],
  [/^(lat|lng) is required when (?:lat|lng) is given$/, 'faltan las dos coordenadas', 'both are needed'],
  [
    /^(sale_price|rent_price) must be a number or text like .*$/,
    'escribe una cantidad como 1,250,000 o 1,250,000.50',
    'write an amount like 1,250,000 or 1,250,000.50',
  ],
  [
    /^(sale_price|rent_price) must be greater than 0 and at most .*$/,
    'debe ser mayor que cero y menor que un billón',
    'must be more than zero and less than a trillion',
  ],
  [
    /^(sale_price|rent_price) is in (MXN|USD) but \w+ is (MXN|USD)$/,
    'el texto dice $2 y la moneda elegida es $3',
    'the text says $2 and the chosen currency is $3',
  ],
  [/^(state) (must be|cannot be).*$/, 'elige un estado', 'choose a state'],
  [/^(title|city) cannot be null$/, 'es obligatorio', 'is required'],
  [/^(postal_code) must be five digits$/, 'debe tener cinco dígitos', 'must be five digits'],
  [
    /^(video_url|virtual_tour_url) must be an http.*$/,
    'debe ser una dirección que empiece con https://',
    'must be an address that begins with https://',
  ],
  [
    /^(external_id) is taken$/,
    'ya lo tiene otra de tus propiedades',
    'another of your listings has it already',
  ],
]

export function inWords(errors: readonly string[], lang: Lang): string[] {
  return errors.map(error => {
    const [pattern, es, en] = MESSAGES.find(([known]) => known.test(error)) ?? []
    return pattern ? error.replace(pattern, `$1 ${lang === 'es' ? es : en}`) : error
  })
}
