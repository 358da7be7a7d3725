import type { None, Phrases } from './i18n.ts'

/**
 * Every issue the API can report with 422. The codes and the English texts are public: clients compare the codes, and
 * docs/api-guide.md lists them. Issues that only forms report are in form-words.ts.
 */
export interface ApiParams {
  required: None
  required_with: { given: readonly string[] }
  required_by: { other: string }
  requires: { other: string }
  needed_by: { other: string }
  not_with: { other: string }
  null_not_allowed: None
  empty: None
  repeated: None
  not_an_object: None
  not_a_list: None
  not_text: None
  not_a_number: None
  not_an_integer: None
  not_a_boolean: None
  not_a_time: None
  not_a_day: None
  no_rate: None
  not_an_email: None
  not_a_url: { max: number }
  not_a_public_url: { max: number }
  not_ids: None
  not_a_price: None
  not_a_percentage: None
  not_a_postal_code: None
  invalid_characters: None
  no_letters: None
  too_short: { min: number }
  too_long: { max: number }
  out_of_range: { min: number; max: number; above?: boolean }
  too_many_decimals: { max: number }
  too_many_items: { max: number; sent: number }
  too_many_images: { max: number; wanted: number }
  greater_than: { other: string }
  unknown_value: { allowed: readonly string[] }
  unknown_state: { listedBy?: string }
  unknown_amenity: { value: string }
  unknown_image: None
  id_mismatch: None
  not_a_key: None
  key_reused: None
  reserved: None
  price_required: { when: 'created' | 'to_publish' | 'published' }
  currency_mismatch: { written: string; other: string; chosen: string }
  outside_mexico: None
  not_a_place: None
  country_center: None
  not_a_box: None
  not_a_polygon: None
  too_many_points: { max: number; sent: number }
  foreign_cursor: None
  not_a_prefix: None
  unknown_field: { value: string; closest: string | undefined }
}

export const API_WORDS: Phrases<ApiParams> = {
  required: { en: 'is required', es: 'es obligatorio' },
  required_with: {
    en: ({ given }) => `is required with ${given.join(', ')}`,
    es: ({ given }) => `es obligatorio junto con ${given.join(', ')}`,
  },
  required_by: {
    en: ({ other }) => `is required when ${other} is given`,
    es: ({ other }) => `es obligatorio cuando se envía ${other}`,
  },
  requires: { en: ({ other }) => `needs a ${other}`, es: ({ other }) => `solo se usa junto con ${other}` },
  needed_by: {
    en: ({ other }) => `cannot be null while there is a ${other}`,
    es: ({ other }) => `no puede ser nulo mientras haya ${other}`,
  },
  not_with: {
    en: ({ other }) => `must not be given with ${other}`,
    es: ({ other }) => `no se puede combinar con ${other}`,
  },
  null_not_allowed: { en: 'cannot be null', es: 'no puede ser nulo' },
  empty: { en: 'must not be empty', es: 'no puede estar vacío' },
  repeated: { en: 'must be given only once', es: 'debe enviarse una sola vez' },
  not_an_object: { en: 'must be a JSON object', es: 'debe ser un objeto JSON' },
  not_a_list: { en: 'must be a list', es: 'debe ser una lista' },
  not_text: { en: 'must be text', es: 'debe ser texto' },
  not_a_number: { en: 'must be a number', es: 'debe ser un número' },
  not_an_integer: { en: 'must be a whole number', es: 'debe ser un número entero' },
  not_a_boolean: { en: 'must be true or false', es: 'debe ser true o false' },
  not_a_time: {
    en: 'must be an ISO 8601 time with a zone, such as 2026-01-31T18:00:00Z',
    es: 'debe ser una fecha y hora ISO 8601 con zona horaria, como 2026-01-31T18:00:00Z',
  },
  not_a_day: { en: 'must be a date such as 2026-01-31', es: 'debe ser una fecha como 2026-01-31' },
  no_rate: {
    en: 'needs an exchange rate, and none is stored for that day: the operator enters one in the portal or with "lonja rate set"',
    es: 'necesita un tipo de cambio y no hay uno guardado para ese día: el operador lo captura en el portal o con "lonja rate set"',
  },
  not_an_email: { en: 'must look like name@example.com', es: 'debe tener la forma nombre@ejemplo.com' },
  not_a_url: {
    en: ({ max }) => `must be an http or https URL of at most ${max} characters`,
    es: ({ max }) => `debe ser una URL http o https de ${max} caracteres como máximo`,
  },
  not_a_public_url: {
    en: ({ max }) => `must be a public http or https URL of at most ${max} characters`,
    es: ({ max }) => `debe ser una URL http o https pública de ${max} caracteres como máximo`,
  },
  not_ids: { en: 'must be UUIDs separated by commas', es: 'deben ser UUID separados por comas' },
  not_a_price: {
    en: 'must be a number or text like "1,250,000.50"',
    es: 'debe ser un número o un texto como "1,250,000.50"',
  },
  not_a_percentage: {
    en: 'must be a number between 0 and 100 or text',
    es: 'debe ser un número entre 0 y 100, o texto',
  },
  not_a_postal_code: { en: 'must be five digits', es: 'debe tener cinco dígitos' },
  invalid_characters: {
    en: 'contains characters that cannot be stored',
    es: 'tiene caracteres que no se pueden guardar',
  },
  no_letters: { en: 'must contain letters or digits', es: 'debe contener letras o números' },
  too_short: {
    en: ({ min }) => `must be at least ${min} characters`,
    es: ({ min }) => `debe tener al menos ${min} caracteres`,
  },
  too_long: {
    en: ({ max }) => `must be at most ${max} characters`,
    es: ({ max }) => `debe tener ${max} caracteres como máximo`,
  },
  out_of_range: {
    en: ({ min, max, above }) =>
      above ? `must be greater than ${min} and at most ${max}` : `must be between ${min} and ${max}`,
    es: ({ min, max, above }) =>
      above ? `debe ser mayor que ${min} y de ${max} como máximo` : `debe estar entre ${min} y ${max}`,
  },
  too_many_decimals: {
    en: ({ max }) => `must have at most ${max} decimals`,
    es: ({ max }) => `puede tener ${max} decimales como máximo`,
  },
  too_many_items: {
    en: ({ max, sent }) => `must have at most ${max} items, ${sent} were sent`,
    es: ({ max, sent }) => `admite ${max} elementos como máximo y se enviaron ${sent}`,
  },
  too_many_images: {
    en: ({ max, wanted }) => `must be at most ${max} on one listing, ${wanted} would be`,
    es: ({ max, wanted }) => `son ${max} como máximo por propiedad y serían ${wanted}`,
  },
  greater_than: {
    en: ({ other }) => `must not be greater than ${other}`,
    es: ({ other }) => `no puede ser mayor que ${other}`,
  },
  unknown_value: {
    en: ({ allowed }) => `must be one of: ${allowed.join(', ')}`,
    es: ({ allowed }) => `debe ser uno de: ${allowed.join(', ')}`,
  },
  unknown_state: {
    en: ({ listedBy }) => `must be a Mexican state${listedBy ? ` as listed by ${listedBy}` : ''}`,
    es: ({ listedBy }) => `debe ser un estado de México${listedBy ? ` de los que lista ${listedBy}` : ''}`,
  },
  unknown_amenity: {
    en: ({ value }) => `"${value}" is not an amenity listed by GET /meta`,
    es: ({ value }) => `"${value}" no es una amenidad de las que lista GET /meta`,
  },
  unknown_image: {
    en: 'is not the id of an image of this listing',
    es: 'no es el id de una foto de esta propiedad',
  },
  id_mismatch: {
    en: 'must match the id that identifies the listing, or be omitted',
    es: 'debe ser el mismo que identifica la propiedad, u omitirse',
  },
  not_a_key: {
    en: 'must be 1 to 255 visible ASCII characters',
    es: 'debe tener de 1 a 255 caracteres ASCII visibles',
  },
  key_reused: {
    en: 'was used for another request: use a new one for each request',
    es: 'ya se usó en otra solicitud: usa una nueva para cada solicitud',
  },
  reserved: {
    en: 'must not be a name the service itself uses',
    es: 'no puede ser un nombre que usa el propio servicio',
  },
  price_required: {
    en: ({ when }) =>
      `or rent_price is required${{ created: '', to_publish: ' to publish', published: ' while the listing is published' }[when]}`,
    es: ({ when }) =>
      `o rent_price es obligatorio${{ created: '', to_publish: ' para publicar', published: ' mientras la propiedad esté publicada' }[when]}`,
  },
  currency_mismatch: {
    en: ({ written, other, chosen }) => `is in ${written} but ${other} is ${chosen}`,
    es: ({ written, other, chosen }) => `está en ${written} pero ${other} es ${chosen}`,
  },
  outside_mexico: { en: 'and lng are outside Mexico', es: 'y lng están fuera de México' },
  not_a_place: {
    en: 'and lng 0, 0 is not a place; leave both out if unknown',
    es: 'y lng 0, 0 no es un lugar; omite ambos si no los conoces',
  },
  country_center: {
    en: 'and lng are the center of the country, not a property; leave both out if unknown',
    es: 'y lng son el centro del país y no una propiedad; omite ambos si no los conoces',
  },
  not_a_box: {
    en: 'must be west,south,east,north in degrees, such as -103.5,20.6,-103.2,20.8',
    es: 'debe ser oeste,sur,este,norte en grados, como -103.5,20.6,-103.2,20.8',
  },
  not_a_polygon: {
    en: 'must be a GeoJSON Polygon or MultiPolygon, or lat,lng;lat,lng;… with at least three points on the map',
    es: 'debe ser un Polygon o MultiPolygon de GeoJSON, o lat,lng;lat,lng;… con al menos tres puntos del mapa',
  },
  too_many_points: {
    en: ({ max, sent }) => `must have at most ${max} points, ${sent} were sent`,
    es: ({ max, sent }) => `admite ${max} puntos como máximo y se enviaron ${sent}`,
  },
  foreign_cursor: {
    en: 'must come from the Link header of the same search',
    es: 'debe venir del encabezado Link de la misma búsqueda',
  },
  not_a_prefix: { en: 'must be two hexadecimal digits', es: 'debe ser de dos dígitos hexadecimales' },
  unknown_field: {
    en: ({ value, closest }) => `"${value}" is not a field${closest ? `; did you mean ${closest}?` : ''}`,
    es: ({ value, closest }) => `"${value}" no es un campo${closest ? `; ¿quisiste decir ${closest}?` : ''}`,
  },
}

export const API_CODES = Object.keys(API_WORDS) as (keyof ApiParams)[]
