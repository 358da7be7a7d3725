import {
  checkNumber,
  type Field,
  list,
  number,
  numberSchema,
  optional,
  type Range,
  text,
} from '../lib/fields.ts'
import { MAX_AMOUNT, type Price, parsePrice } from '../lib/money.ts'
import { isWebUrl, MAX_URL, publicUrlField } from '../lib/urls.ts'
import { LIMITS } from '../lookups/catalog.ts'
import { amenityField } from '../lookups/fields.ts'

/** Input types specific to listings. `fields.ts` assigns them to fields. */

const AMOUNT: Range = { min: 0, above: true, max: MAX_AMOUNT, decimals: 2 }

export const price: Field<Price> = {
  schema: {
    anyOf: [numberSchema(AMOUNT), { type: 'string', example: '1,250,000.50' }],
    description:
      'A number, or text with comma groups and a decimal point such as "$1,250,000.50 MXN", also as people write it: "1\'250,000 M.N.", "85,000 dlls". A currency in the text must not contradict the currency field.',
    example: 1250000,
  },
  read(value, fail) {
    if (typeof value === 'number') {
      const amount = checkNumber(value, AMOUNT, fail)
      return amount === undefined ? undefined : { amount }
    }
    const parsed = typeof value === 'string' ? parsePrice(value) : undefined
    if (!parsed) return void fail('not_a_price')
    return checkNumber(parsed.amount, AMOUNT, fail) === undefined ? undefined : parsed
  },
}

export const features: Field<string[]> = (() => {
  const base = list(amenityField, { max: LIMITS.features_per_listing })
  return {
    schema: {
      ...base.schema,
      description: 'Amenity labels in Spanish as listed by GET /meta; common synonyms are accepted.',
      example: ['Alberca', 'Jardín'],
    },
    read(value, fail) {
      const labels = base.read(value, fail)
      return labels && [...new Set(labels)]
    },
  }
})()

/** In the shape of a record, so a whole record can be sent back. */
const imageOrUrl: Field<string> = {
  schema: {
    anyOf: [
      publicUrlField.schema,
      { type: 'object', properties: { url: publicUrlField.schema }, required: ['url'] },
    ],
  },
  read(value, fail) {
    const isImage = typeof value === 'object' && value !== null && 'url' in value
    return publicUrlField.read(isImage ? value.url : value, fail)
  },
}

export const webUrl: Field<string | null> = {
  schema: { type: 'string', format: 'uri', maxLength: MAX_URL },
  read(value, fail) {
    if (value === '') return null
    if (typeof value === 'string' && isWebUrl(value.trim())) return value.trim()
    return void fail('not_a_url', { max: MAX_URL })
  },
}

export const commission: Field<string | null> = {
  schema: {
    anyOf: [
      { type: 'number', minimum: 0, maximum: 100 },
      { type: 'string', maxLength: 100 },
    ],
    description: 'Percent or text. Shown to verified agents in the portal; no API response contains it.',
  },
  read(value, fail) {
    if (typeof value === 'number') {
      const percent = checkNumber(value, { min: 0, max: 100 }, fail)
      return percent === undefined ? undefined : String(percent)
    }
    if (typeof value !== 'string') return void fail('not_a_percentage')
    return text({ max: 100 }).read(value, fail)
  },
}

/** The bound moves with the calendar, so the description words it. */
export const yearBuilt: Field<number> = {
  schema: { type: 'integer', minimum: 1500, description: 'Up to ten years from now.' },
  read(value, fail) {
    const max = new Date().getUTCFullYear() + 10
    return number({ min: 1500, max, decimals: 0 }).read(value, fail)
  },
}

const images = list(imageOrUrl, { max: LIMITS.images_per_call })
export const replacingImages = {
  ...images,
  schema: { ...images.schema, description: 'Replaces the listing’s URL images.' },
}

export const count = () => optional(number({ min: 0, max: 999, decimals: 0 }))
export const area = () => optional(number({ min: 0, above: true, max: 100_000_000, decimals: 2 }))
export const shortText = () => optional(text({ max: 200 }))
export const required = (field: Field<string | null>) => ({ ...field, nullable: false }) as Field<string>
