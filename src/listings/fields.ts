import type { Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'
import {
  boolean,
  describe,
  type Field,
  filled,
  number,
  oneOf,
  optional,
  type Patch,
  refined,
  text,
} from '../lib/fields.ts'
import { CURRENCIES, type Price } from '../lib/money.ts'
import { LIMITS, propertyTypes, rentPeriods } from '../lookups/catalog.ts'
import { stateField } from '../lookups/fields.ts'
import {
  area,
  commission,
  count,
  features,
  price,
  replacingImages,
  required,
  shortText,
  webUrl,
  yearBuilt,
} from './inputs.ts'

type Row = Selectable<Database['listings']>

interface Words {
  es: string
  en: string
}

/** A field an agent can set; its name is also its column and its API key. */
interface Column<T> extends Words {
  /** How the API describes and reads it. An input price may name its currency; the column holds the amount. */
  field: Field<T | Price | null>
  /** Default when missing or null. */
  empty: T
  /** Its control on the portal form. */
  form: 'line' | 'lines' | 'url' | 'integer' | 'decimal' | 'flag' | 'choice' | 'many'
  /** The form panel that renders it automatically; fields without one are rendered by hand. */
  panel?: Panel
  hint?: Words
}

export type Panel = 'rooms' | 'english' | 'media' | 'terms'

type More = Pick<Column<unknown>, 'panel' | 'hint'>

/** Defaults to null. */
const column = <F extends Field<unknown>>(
  form: Column<unknown>['form'],
  field: F,
  names: Words,
  more: More = {},
) => ({ empty: null, form, field, ...names, ...more })

/** Defaults to false. */
const flagColumn = (description: string, names: Words, more: More = {}) => ({
  ...column('flag', optional(describe(boolean(), description)), names, more),
  empty: false,
})

const named = (es: string, en: string): Words => ({ es, en })
const hint = (es: string, en: string) => ({ hint: { es, en } })
const ROOMS = { panel: 'rooms' } as const
const ENGLISH = { panel: 'english' } as const
const MEDIA = { panel: 'media' } as const
const TERMS = { panel: 'terms' } as const

const longText = () => optional(text({ max: LIMITS.description_max }))
const code = () => text({ max: 100 })
const currency = () => optional(describe(oneOf(CURRENCIES), 'Default: MXN.'))
const postalCode = refined(text({ max: 200 }), one => /^\d{5}$/.test(one), ['not_a_postal_code'], {
  pattern: '^\\d{5}$',
  maxLength: 5,
})

/**
 * Every field of a listing, defined once: validation, API schema, storage, form, history and labels derive from it.
 * Only `record.ts` decides what others see. In the order of the API description.
 */
export const FIELDS = {
  title: {
    ...column(
      'line',
      describe(
        required(text({ min: LIMITS.title_min, max: LIMITS.title_max })),
        'At least 5 characters.',
        'Casa con jardín en Coyoacán',
      ),
      named('Título', 'Title'),
      hint('Como «Casa con jardín en Providencia».', 'Like “House with garden in Providencia”.'),
    ),
    empty: '',
  },
  description: column(
    'lines',
    longText(),
    named('Descripción', 'Description'),
    hint(
      'Qué la hace especial, cómo es la zona, qué incluye. Sin teléfonos: los tuyos salen junto al anuncio.',
      'What makes it special, the area, what is included. No phones: yours appear beside the listing.',
    ),
  ),
  title_en: column('line', shortText(), named('Título en inglés', 'Title in English'), ENGLISH),
  description_en: column(
    'lines',
    longText(),
    named('Descripción en inglés', 'Description in English'),
    ENGLISH,
  ),
  property_type: {
    ...column(
      'choice',
      describe(oneOf(propertyTypes), 'Default: `other`.', 'house'),
      named('Tipo de propiedad', 'Property type'),
    ),
    empty: 'other' as const,
  },
  // People write amounts in several ways, so text is accepted too.
  sale_price: column('line', optional(price), named('Precio de venta', 'Sale price')),
  sale_currency: column('choice', currency(), named('Moneda de la venta', 'Sale currency')),
  rent_price: column(
    'line',
    optional({ ...price, schema: { ...price.schema, example: 28000 } }),
    named('Precio de renta', 'Rent'),
  ),
  rent_currency: column('choice', currency(), named('Moneda de la renta', 'Rent currency')),
  rent_period: column(
    'choice',
    optional(describe(oneOf(rentPeriods), 'Default: `monthly`.')),
    named('Periodo de la renta', 'Rent period'),
  ),
  bedrooms: column('integer', count(), named('Recámaras', 'Bedrooms'), ROOMS),
  bathrooms: column(
    'decimal',
    optional(number({ min: 0, max: 999, decimals: 2 })),
    named('Baños', 'Bathrooms'),
    ROOMS,
  ),
  half_bathrooms: column('integer', count(), named('Medios baños', 'Half bathrooms'), ROOMS),
  parking: column('integer', count(), named('Estacionamientos', 'Parking spaces'), ROOMS),
  construction_m2: column('decimal', area(), named('Construcción (m²)', 'Built area (m²)'), ROOMS),
  lot_m2: column('decimal', area(), named('Terreno (m²)', 'Lot area (m²)'), ROOMS),
  year_built: column('integer', optional(yearBuilt), named('Año de construcción', 'Year built'), ROOMS),
  floors: column('integer', count(), named('Niveles', 'Floors'), ROOMS),
  features: { ...column('many', optional(features), named('Amenidades', 'Amenities')), empty: [] },
  address: column('line', shortText(), named('Calle y número', 'Street and number')),
  neighborhood: column('line', shortText(), named('Colonia', 'Neighborhood')),
  city: {
    ...column(
      'line',
      describe(required(text({ min: 1, max: 200 })), 'Required on create.', 'Coyoacán'),
      named('Ciudad', 'City'),
    ),
    empty: '',
  },
  municipality: column('line', shortText(), named('Municipio o alcaldía', 'Municipality')),
  state: {
    ...column(
      'choice',
      describe(stateField, 'A Mexican state; abbreviations such as CDMX are accepted.', 'Jalisco'),
      named('Estado', 'State'),
    ),
    empty: '',
  },
  postal_code: column('line', optional(postalCode), named('Código postal', 'Postal code')),
  lat: column(
    'decimal',
    optional(
      describe(
        number({ min: -90, max: 90 }),
        'Stored exactly; displayed approximately unless show_exact_address is true.',
      ),
    ),
    named('Latitud', 'Latitude'),
    hint(
      'Puedes pegar aquí las coordenadas («20.6911, -103.3782») o el enlace largo de Google Maps, Waze, Apple Maps u OpenStreetMap.',
      'You can paste the coordinates (“20.6911, -103.3782”) or the full link of Google Maps, Waze, Apple Maps or OpenStreetMap.',
    ),
  ),
  lng: column('decimal', optional(number({ min: -180, max: 180 })), named('Longitud', 'Longitude')),
  show_exact_address: flagColumn(
    'Show the exact point and the address to everyone.',
    named('Mostrar la dirección y el punto exactos', 'Show the exact address and point'),
    hint(
      'Si no, los demás ven una zona de unos 330 metros.',
      'Otherwise others see an area of about 330 meters.',
    ),
  ),
  idx_opt_out: flagColumn(
    'The owner does not authorize display on other agents’ sites: hidden from other keys.',
    named('El dueño no autoriza que otros la anuncien', 'The owner does not want others to show it'),
    {
      ...TERMS,
      ...hint(
        'No sale en sitios, colecciones ni fichas de otros; solo los agentes verificados la ven, dentro del mercado.',
        'It is on no other site, collection or sheet; only verified agents see it, inside the market.',
      ),
    },
  ),
  video_url: column('url', optional(webUrl), named('Video', 'Video'), MEDIA),
  virtual_tour_url: column('url', optional(webUrl), named('Recorrido virtual', 'Virtual tour'), MEDIA),
  exclusive: flagColumn('Exclusive listing.', named('Exclusiva', 'Exclusive'), TERMS),
  shared_commission: column('line', optional(commission), named('Comisión compartida', 'Shared commission'), {
    ...TERMS,
    ...hint(
      'Porcentaje del precio o texto. La ven los agentes verificados en el mercado; nunca es pública.',
      'Percent of the price, or text. Verified agents see it on the market; it is never public.',
    ),
  }),
  internal_id: column('line', optional(code()), named('Clave interna', 'Internal code'), TERMS),
  // Not a column: images have their own table.
  images: { field: optional(replacingImages), ...named('Fotos', 'Photos') },
  external_id: column(
    'line',
    optional(describe(code(), 'Your own identifier: unique among your listings, returned as source_id.')),
    named('Identificador externo', 'External identifier'),
    { ...TERMS, ...hint('El de tu propio sistema, único.', 'That of your own system, unique.') },
  ),
} satisfies { [Name in keyof Row]?: Column<Row[Name]> } & {
  images: Words & { field: Field<string[] | null> }
}

type Table = typeof FIELDS
/** How an agent's own system names a listing in a path or a batch: never empty. */
export const externalIdField = filled({ max: 100 })

export type FieldName = Exclude<keyof Table, 'images'>
export const LISTING_FIELDS = Object.keys(FIELDS).filter((name): name is FieldName => name !== 'images')

export const columnOf = (name: FieldName): Column<unknown> => FIELDS[name]

/** Fields an agent controls; all others are derived or set by the system. */
export type ListingFields = Pick<Row, FieldName>

export const EMPTY_LISTING = Object.fromEntries(
  LISTING_FIELDS.map(name => [name, columnOf(name).empty]),
) as ListingFields

/** Keys accepted on create and update; all others are ignored. */
export const writableFields = Object.fromEntries(
  Object.entries(FIELDS).map(([name, { field }]) => [name, field]),
) as { [Name in keyof Table]: Table[Name]['field'] }

/** Input: a missing key leaves the field unchanged, null clears it, undefined was already rejected. */
export type ListingPatch = Patch<typeof writableFields>
