import Type from 'typebox'
import { AgencyRef } from '../agents/schema.ts'
import { describe, type Field, list } from '../lib/fields.ts'
import { CURRENCIES } from '../lib/money.ts'
import {
  Enum,
  Nullable,
  NullableInteger,
  NullableNumber,
  NullableText,
  Shared,
  Timestamp,
  Url,
  Uuid,
  Version,
} from '../lib/schemas.ts'
import { fieldsParameter } from '../lib/selection.ts'
import { publicUrlField } from '../lib/urls.ts'
import { LIMITS, listingStatuses, operations, propertyTypes, rentPeriods } from '../lookups/catalog.ts'

/** Body to add images; those of create and update are in `fields.ts`. */
export const imagesFields = { urls: list(publicUrlField, { min: 1, max: LIMITS.images_per_call }) }

const imageId: Field<string> = {
  schema: { type: 'string', format: 'uuid' },
  read: (value, fail) => (typeof value === 'string' ? value.toLowerCase() : void fail('not_text')),
}
export const orderFields = {
  order: describe(list(imageId, { max: LIMITS.images_per_listing }), 'The ids of images, the cover first.'),
}

export const ETAG = {
  ETag: { type: 'string', description: 'Its `version` in quotes, for If-Match and If-None-Match.' },
}

// ---- responses -------------------------------------------------------------------------------------------

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
  state: Shared<string>('State'),
  postal_code: Nullable(Type.String({ description: 'Null for others unless the location is exact.' })),
  lat: Nullable(Type.Number({ description: 'Approximate unless `exact`.' })),
  lng: NullableNumber,
  exact: Type.Boolean(),
})

/** Example listing for the API reference, as others see it. */
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
  operations: [
    { type: 'sale', amount: 8_950_000, currency: 'MXN', formatted_amount: '$8,950,000 MXN' },
    { type: 'rental', amount: 38_000, currency: 'MXN', formatted_amount: '$38,000 MXN', period: 'monthly' },
  ],
  rent_period: 'monthly',
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
  images: [
    {
      id: 'c2a1f7de-0b0e-4f43-9a54-7d1a1d6f2b90',
      url: 'https://images.lonja.example/1.jpg',
      thumb: 'https://images.lonja.example/1.jpg',
    },
  ],
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

/** Example body of a create. */
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
    features: Type.Array(Shared<string>('Amenity')),
    location: Location,
    images: Type.Array(Type.Object({ id: Uuid, url: Type.String(), thumb: Type.String() })),
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
  { example: EXAMPLE },
)

export const StatusAnswer = Type.Object({
  ok: Type.Boolean(),
  status: Enum(listingStatuses, { example: 'published' }),
})

export const MediaAnswer = Type.Object({
  media: Type.Array(
    Type.Object({
      id: Uuid,
      url: Type.String({ example: 'https://images.lonja.example/1.jpg' }),
      thumb: Type.String({ example: 'https://images.lonja.example/1.jpg' }),
      position: Type.Integer({ example: 0 }),
      cover: Type.Boolean(),
    }),
    { description: 'All images of the listing, in order.' },
  ),
})

/** `fields` on every read of listings. */
export const listingFieldsParameter = fieldsParameter(ListingRecord)
listingFieldsParameter.schema.example = 'title,operations,location.city'
