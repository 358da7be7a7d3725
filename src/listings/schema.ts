import Type from 'typebox'
import { AgencyRef } from '../agents/schema.ts'
import {
  boolean,
  checkNumber,
  describe,
  type Field,
  list,
  number,
  numberSchema,
  oneOf,
  optional,
  type Range,
  refined,
  text,
} from '../lib/fields.ts'
import { CURRENCIES, MAX_AMOUNT, type Price, parsePrice } from '../lib/money.ts'
import {
  Enum,
  Nullable,
  NullableInteger,
  NullableNumber,
  NullableText,
  Timestamp,
  Url,
  Uuid,
  Version,
} from '../lib/schemas.ts'
import { isWebUrl, MAX_URL, publicUrlField } from '../lib/urls.ts'
import { LIMITS, listingStatuses, operations, propertyTypes, rentPeriods } from '../lookups/catalogue.ts'
import { amenityField, stateField } from '../lookups/fields.ts'

// ---- what a client may send ------------------------------------------------------------------------------

const AMOUNT: Range = { min: 0, above: true, max: MAX_AMOUNT, decimals: 2 }

const price: Field<Price> = {
  schema: {
    anyOf: [numberSchema(AMOUNT), { type: 'string', example: '1,250,000.50' }],
    description: 'A number, or text with comma groups and a decimal point such as "$1,250,000.50 MXN".',
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

const features: Field<string[]> = (() => {
  const base = list(amenityField, { max: LIMITS.features_per_listing })
  return {
    schema: {
      ...base.schema,
      description: 'Amenity labels in Spanish as listed by GET /meta.',
      example: ['Alberca', 'Jardín'],
    },
    read(value, fail) {
      const labels = base.read(value, fail)
      return labels && [...new Set(labels)]
    },
  }
})()

/** As a record shows it, so that a whole record can be sent back. */
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

const webUrl: Field<string | null> = {
  schema: { type: 'string', format: 'uri', maxLength: MAX_URL },
  read(value, fail) {
    if (value === '') return null
    if (typeof value === 'string' && isWebUrl(value.trim())) return value.trim()
    return void fail('not_a_url', { max: MAX_URL })
  },
}

const commission: Field<string | null> = {
  schema: {
    anyOf: [
      { type: 'number', minimum: 0, maximum: 100 },
      { type: 'string', maxLength: 100 },
    ],
    description: 'Percent or text. Seen by verified agents inside the service; no API answer ever holds it.',
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

const count = () => optional(number({ min: 0, max: 999, decimals: 0 }))
const area = () => optional(number({ min: 0, above: true, max: 100_000_000, decimals: 2 }))
const shortText = () => optional(text({ max: 200 }))
const required = (field: Field<string | null>) => ({ ...field, nullable: false }) as Field<string>
const flag = (description: string) => optional(describe(boolean(), description))

/** The bound moves with the calendar, so the description tells it in words. */
const yearBuilt: Field<number> = {
  schema: { type: 'integer', minimum: 1500, description: 'Up to ten years from now.' },
  read(value, fail) {
    const max = new Date().getUTCFullYear() + 10
    return number({ min: 1500, max, decimals: 0 }).read(value, fail)
  },
}

const images = list(imageOrUrl, { max: LIMITS.images_per_call })

/** What a create or an update may hold; every other key of a body is ignored. */
export const writableFields = {
  title: describe(
    required(text({ min: LIMITS.title_min, max: LIMITS.title_max })),
    'At least 5 characters.',
    'Casa con jardín en Coyoacán',
  ),
  description: optional(text({ max: LIMITS.description_max })),
  title_en: shortText(),
  description_en: optional(text({ max: LIMITS.description_max })),
  property_type: describe(oneOf(propertyTypes), 'Stored as `other` when not given.', 'house'),
  sale_price: optional(price),
  sale_currency: optional(describe(oneOf(CURRENCIES), 'MXN when not given.')),
  rent_price: optional({ ...price, schema: { ...price.schema, example: 28000 } }),
  rent_currency: optional(describe(oneOf(CURRENCIES), 'MXN when not given.')),
  rent_period: optional(describe(oneOf(rentPeriods), '`monthly` when not given.')),
  bedrooms: count(),
  bathrooms: optional(number({ min: 0, max: 999, decimals: 2 })),
  half_bathrooms: count(),
  parking: count(),
  construction_m2: area(),
  lot_m2: area(),
  year_built: optional(yearBuilt),
  floors: count(),
  features: optional(features),
  address: shortText(),
  neighborhood: shortText(),
  city: describe(required(text({ min: 1, max: 200 })), 'Required on create.', 'Coyoacán'),
  municipality: shortText(),
  state: describe(stateField, 'A Mexican state; abbreviations such as CDMX are understood.', 'Jalisco'),
  postal_code: optional(
    refined(text({ max: 200 }), code => /^\d{5}$/.test(code), ['not_a_postal_code'], {
      pattern: '^\\d{5}$',
      maxLength: 5,
    }),
  ),
  lat: optional(
    describe(number({ min: -90, max: 90 }), 'Stored exactly; shown approximately unless show_exact_address.'),
  ),
  lng: optional(number({ min: -180, max: 180 })),
  show_exact_address: flag('Show the exact point and the address to everybody.'),
  idx_opt_out: flag('The owner does not authorize display on other agents’ sites: hidden from other keys.'),
  video_url: optional(webUrl),
  virtual_tour_url: optional(webUrl),
  exclusive: flag('Exclusive listing.'),
  shared_commission: optional(commission),
  internal_id: optional(text({ max: 100 })),
  images: optional({
    ...images,
    schema: { ...images.schema, description: 'Replaces the listing’s URL images.' },
  }),
  external_id: optional(
    describe(text({ max: 100 }), 'Your own identifier: unique among your listings, returned as source_id.'),
  ),
}

export const imagesFields = { urls: list(publicUrlField, { min: 1, max: LIMITS.images_per_call }) }

// ---- what a client receives ------------------------------------------------------------------------------

const OperationRecord = Type.Object({
  type: Enum(operations),
  amount: Type.Number(),
  currency: Enum(CURRENCIES),
  formatted_amount: Type.String({ examples: ['$1,250,000 MXN'] }),
  period: Type.Optional(Enum(rentPeriods, { description: 'Rentals only.' })),
})

const Location = Type.Object({
  address: Nullable(Type.String({ description: 'Null unless the agent shows the exact address.' })),
  neighborhood: NullableText,
  city: Type.String(),
  municipality: NullableText,
  state: Type.String(),
  postal_code: Nullable(Type.String({ description: 'Null to others unless the location is exact.' })),
  lat: Nullable(Type.Number({ description: 'Approximate unless `exact`.' })),
  lng: NullableNumber,
  exact: Type.Boolean(),
})

/** One listing, for the reference: as others see it. */
const EXAMPLE = {
  id: '5f0c8a52-6f0e-4c1e-9d0a-3b1f6c2d7e11',
  slug: 'casa-con-jardin-en-coyoacan-k3x9ab',
  url: 'https://lonja.example/propiedades/casa-con-jardin-en-coyoacan-k3x9ab',
  title: 'Casa con jardín en Coyoacán',
  description: 'Casa de dos plantas con jardín y terraza, a dos calles de la plaza.',
  title_en: null,
  description_en: null,
  property_type: 'house',
  status: 'published',
  operations: [{ type: 'sale', amount: 8_950_000, currency: 'MXN', formatted_amount: '$8,950,000 MXN' }],
  rent_period: null,
  bedrooms: 3,
  bathrooms: 2.5,
  half_bathrooms: null,
  parking: 2,
  construction_m2: 240,
  lot_m2: 310.5,
  year_built: 1998,
  floors: 2,
  features: ['Jardín', 'Terraza'],
  location: {
    address: null,
    neighborhood: 'Del Carmen',
    city: 'Coyoacán',
    municipality: null,
    state: 'Ciudad de México',
    postal_code: null,
    lat: 19.351204,
    lng: -99.160871,
    exact: false,
  },
  images: [{ url: 'https://images.lonja.example/1.jpg', thumb: 'https://images.lonja.example/1.jpg' }],
  video_url: null,
  virtual_tour_url: null,
  exclusive: true,
  agent: {
    name: 'Ana Torres',
    slug: 'ana-torres',
    phone: '+525555000000',
    url: 'https://lonja.example/agentes/ana-torres',
  },
  agency: null,
  source_id: 'CRM-1042',
  created_at: '2026-01-12T17:20:31.004Z',
  updated_at: '2026-02-03T09:14:02.771Z',
  published_at: '2026-01-12T17:25:10.310Z',
  version: '9c1e04b7d25fa830',
}

/** What a first create may look like. */
export const CREATE_EXAMPLE = {
  title: 'Casa con jardín en Coyoacán',
  description: 'Casa de dos plantas con jardín y terraza, a dos calles de la plaza.',
  property_type: 'house',
  sale_price: '8,950,000',
  bedrooms: 3,
  bathrooms: 2.5,
  parking: 2,
  construction_m2: 240,
  lot_m2: 310.5,
  features: ['Jardín', 'Terraza'],
  neighborhood: 'Del Carmen',
  city: 'Coyoacán',
  state: 'Ciudad de México',
  lat: 19.35,
  lng: -99.16,
  images: ['https://images.lonja.example/1.jpg'],
  external_id: 'CRM-1042',
}

export const ListingRecord = Type.Object(
  {
    id: Uuid,
    slug: Type.String(),
    url: Url,
    title: Type.String(),
    description: NullableText,
    title_en: NullableText,
    description_en: NullableText,
    property_type: Enum(propertyTypes),
    status: Enum(listingStatuses),
    operations: Type.Array(OperationRecord),
    rent_period: Nullable(Enum(rentPeriods)),
    bedrooms: NullableInteger,
    bathrooms: NullableNumber,
    half_bathrooms: NullableInteger,
    parking: NullableInteger,
    construction_m2: NullableNumber,
    lot_m2: NullableNumber,
    year_built: NullableInteger,
    floors: NullableInteger,
    features: Type.Array(Type.String()),
    location: Location,
    images: Type.Array(Type.Object({ url: Type.String(), thumb: Type.String() })),
    video_url: NullableText,
    virtual_tour_url: NullableText,
    exclusive: Type.Boolean(),
    agent: Type.Object({ name: Type.String(), slug: Type.String(), phone: NullableText, url: Url }),
    agency: Nullable(AgencyRef),
    source_id: NullableText,
    internal_id: Type.Optional(Nullable(Type.String({ description: 'On your own listings only.' }))),
    idx_opt_out: Type.Optional(Type.Boolean({ description: 'On your own listings only.' })),
    show_exact_address: Type.Optional(Type.Boolean({ description: 'On your own listings only.' })),
    created_at: Timestamp,
    updated_at: Timestamp,
    published_at: Nullable(Timestamp),
    version: Version,
  },
  { examples: [EXAMPLE] },
)

export const StatusAnswer = Type.Object({ ok: Type.Boolean(), status: Enum(listingStatuses) })

export const MediaAnswer = Type.Object({
  media: Type.Array(
    Type.Object({
      id: Uuid,
      url: Type.String(),
      thumb: Type.String(),
      position: Type.Integer(),
      cover: Type.Boolean(),
    }),
    { description: 'All images of the listing, in order.' },
  ),
})
