import type { Wording } from '../../lib/issue.ts'
import { API_WORDS } from '../../lib/issue-words.ts'
import { MAX_AMOUNT } from '../../lib/money.ts'
import { LIMITS } from '../../lookups/catalog.ts'

/** Listing issues worded for the form, where messages need no field names. */
export const LISTING_WORDING: Wording = {
  price_required: {
    es: 'indica un precio de venta, de renta o ambos',
    en: 'enter a sale price, a rent, or both',
  },
  not_a_price: {
    es: 'escribe una cantidad como 1,250,000 o 1,250,000.50',
    en: 'enter an amount like 1,250,000 or 1,250,000.50',
  },
  out_of_range: {
    es: range =>
      range.max === MAX_AMOUNT
        ? 'debe ser mayor que cero y menor que un billón'
        : API_WORDS.out_of_range.es(range),
    en: range =>
      range.max === MAX_AMOUNT
        ? 'must be more than zero and less than a trillion'
        : API_WORDS.out_of_range.en(range),
  },
  currency_mismatch: {
    es: ({ written, chosen }) => `el texto dice ${written} y la moneda elegida es ${chosen}`,
    en: ({ written, chosen }) => `the text says ${written} and the chosen currency is ${chosen}`,
  },
  unknown_state: { es: 'elige un estado', en: 'choose a state' },
  required_by: { es: 'faltan las dos coordenadas', en: 'both are needed' },
  outside_mexico: { es: 'ese punto está fuera de México', en: 'that point is outside Mexico' },
  not_a_place: {
    es: 'el punto 0, 0 no es un lugar; deja ambos vacíos si no lo sabes',
    en: 'the point 0, 0 is not a place; leave both empty if unknown',
  },
  country_center: {
    es: 'es el centro del país y no una propiedad; deja ambos vacíos si no lo sabes',
    en: 'that is the center of the country, not a property; leave both empty if unknown',
  },
}

/** For the form that links photos. */
export const LINK_WORDING: Wording = {
  not_a_public_url: {
    es: 'no es una dirección pública que empiece con https://',
    en: 'is not a public URL that starts with https://',
  },
  too_many_images: {
    es: `Una propiedad puede tener ${LIMITS.images_per_listing} fotos como máximo.`,
    en: `A listing can have at most ${LIMITS.images_per_listing} photos.`,
  },
}
