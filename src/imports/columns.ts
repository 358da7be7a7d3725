import type { Words } from '../lib/i18n.ts'
import { foldText } from '../lib/text.ts'
import { FIELDS } from '../listings/fields.ts'
import { canonicalAmenity } from '../lookups/amenities.ts'

type Label = { es: string; en: string }

/** What a column can hold besides a field of a listing. */
const MORE = {
  price: { es: 'Precio (según la operación)', en: 'Price (by operation)' },
  operation: { es: 'Operación: venta o renta', en: 'Operation: sale or rent' },
  currency: { es: 'Moneda', en: 'Currency' },
  status: { es: 'Estatus', en: 'Status' },
  coordinates: { es: 'Coordenadas (latitud, longitud)', en: 'Coordinates (latitude, longitude)' },
  amenity: { es: 'Amenidad: sí o no', en: 'Amenity: yes or no' },
} as const satisfies Record<string, Label>

export type Target = keyof typeof FIELDS | keyof typeof MORE

export const TARGETS = Object.keys({ ...FIELDS, ...MORE }) as Target[]
const LABELS: Record<Target, Label> = { ...FIELDS, ...MORE }
export const isTarget = (name: unknown): name is Target => TARGETS.includes(name as Target)
export const targetName = (target: Target, t: Words): string => t(LABELS[target].es, LABELS[target].en)

/** Several columns may fill these. */
const SHARED: ReadonlySet<Target> = new Set(['images', 'features', 'amenity', 'address'])
export const mayRepeat = (target: Target): boolean => SHARED.has(target)

/** What people call their columns, besides the names in the API and on the form. Folded, without punctuation. */
const NAMES: Partial<Record<Target, string>> = {
  external_id: `clave, clave interna, id, id propiedad, id inmueble, codigo, codigo propiedad, folio, referencia, ref, no, num, numero,
    sku, id externo, clave de la propiedad, clave propiedad, identificador, source id, property id, listing id, code, reference, mls, mls id, eb id`,
  title:
    'titulo, titulo del anuncio, encabezado, nombre, nombre de la propiedad, anuncio, headline, name, listing title',
  description:
    'descripcion, descripcion larga, detalles, detalle, texto, comentarios, observaciones, desc, details, remarks',
  title_en: 'titulo ingles, english title',
  description_en: 'descripcion ingles, english description',
  property_type:
    'tipo, tipo de inmueble, tipo inmueble, tipo propiedad, inmueble, categoria, giro, property type, type, kind',
  sale_price: `precio venta, precio de venta, venta, precio de lista venta, valor venta, costo venta, precio compra, price sale, sale price,
    asking price, list price, selling price`,
  sale_currency: 'moneda venta, moneda de venta, divisa venta',
  rent_price:
    'precio renta, precio de renta, renta, renta mensual, precio mensual, alquiler, valor renta, rent price, rent, monthly rent, rental price, lease price',
  rent_currency: 'moneda renta, moneda de renta, divisa renta',
  rent_period: 'periodo, periodo renta, periodicidad',
  price: 'precio, precio lista, precio de lista, importe, monto, valor, costo, price, amount',
  operation:
    'operacion, tipo de operacion, tipo operacion, venta renta, venta o renta, modalidad, transaccion, operation, transaction, transaction type, listing type',
  currency: 'moneda, divisa, tipo de moneda, currency',
  status:
    'estatus, status, estado del anuncio, estado de la propiedad, situacion, disponibilidad, estado publicacion',
  bedrooms:
    'recamaras, rec, recs, habitaciones, cuartos, dormitorios, numero de recamaras, no recamaras, num recamaras, bedrooms, beds, bed, br',
  bathrooms:
    'banos, bano, banos completos, numero de banos, no banos, num banos, wc, bathrooms, baths, full baths',
  half_bathrooms: 'medios banos, medio bano, 1 2 banos, 1 2 bano, half baths, half bathrooms',
  parking: `estacionamientos, estacionamiento, cajones, cajones de estacionamiento, cocheras, cochera, autos, lugares de estacionamiento, garage,
    garaje, parking, parking spaces, cars`,
  construction_m2: `construccion, m2 construccion, m2 de construccion, m2 construidos, metros construidos, metros de construccion, superficie construida,
    superficie construccion, superficie de construccion, area construida, area de construccion, mts construccion, mts de construccion, const, m2 const, sup construida, sup construccion,
    built area, construction, construction size, built m2, living area, interior m2`,
  lot_m2: `terreno, m2 terreno, m2 de terreno, metros terreno, metros de terreno, superficie terreno, superficie de terreno, superficie del terreno, area terreno,
    area de terreno, area del terreno, mts terreno, mts de terreno, sup terreno, lot, lot size, lot area, land area, lot m2, plot`,
  year_built: 'ano, ano construccion, ano de construccion, construida en, year, year built',
  floors: 'niveles, pisos, plantas, no niveles, numero de niveles, floors, levels, stories',
  features: 'amenidades, amenities, caracteristicas, servicios, extras, equipamiento, features',
  address:
    'calle, direccion, domicilio, calle y numero, calle y no, ubicacion exacta, street, address, street address',
  neighborhood:
    'colonia, col, fraccionamiento, fracc, barrio, zona, desarrollo, coto, neighborhood, neighbourhood, area, subdivision',
  city: 'ciudad, poblacion, localidad, ciudad estado, ciudad y estado, city, town, city state',
  municipality:
    'municipio, alcaldia, delegacion, del mun, delegacion municipio, alcaldia municipio, municipio alcaldia, municipality, county',
  state: 'estado, entidad, entidad federativa, edo, provincia, state, region',
  postal_code: 'cp, c p, codigo postal, zip, zip code, postal code, postcode',
  lat: 'latitud, lat, latitude, coordenada y',
  lng: 'longitud, lng, lon, long, longitude, coordenada x',
  coordinates:
    'coordenadas, gps, lat lng, lat lon, latitud longitud, latitud y longitud, ubicacion gps, coordinates',
  images:
    'fotos, foto, imagenes, imagen, url foto, url fotos, url imagen, url imagenes, link fotos, links fotos, galeria, photos, photo, pictures, picture, images, image, image url, foto principal',
  video_url: 'video, youtube, link video, url video, video url',
  virtual_tour_url: 'recorrido, recorrido virtual, tour, tour virtual, virtual tour, 360, matterport',
  exclusive: 'exclusiva, en exclusiva, exclusividad, exclusive',
  show_exact_address: 'mostrar direccion, mostrar ubicacion exacta, exact',
  shared_commission:
    'comision, comision compartida, comparte comision, comision que comparte, shared commission, commission',
  internal_id: 'clave de oficina, codigo interno, internal id',
}

/** Without what is in parentheses (units, notes) and without punctuation. */
const plain = (header: string) =>
  foldText(header.replace(/\([^)]*\)|\[[^\]]*\]/g, ' '))
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

const BY_NAME: ReadonlyMap<string, Target> = new Map([
  ...TARGETS.flatMap(target =>
    [target, LABELS[target].es, LABELS[target].en].map(name => [plain(name), target] as const),
  ),
  ...(Object.entries(NAMES) as [Target, string][]).flatMap(([target, names]) =>
    names.split(',').map(name => [plain(name), target] as const),
  ),
])

export interface Column {
  /** As written in the file. */
  header: string
  /** Null: not used. */
  target: Target | null
}

/** How a header is remembered. */
export const headerKey = (header: string): string => plain(header).slice(0, 100)

function recognize(header: string): Target | null {
  const name = plain(header)
  const known = BY_NAME.get(name)
  if (known) return known
  const [, numbered] = /^(.*?) ?\d+$/.exec(name) ?? []
  if (numbered && BY_NAME.get(numbered) === 'images') return 'images'
  return canonicalAmenity(header) ? 'amenity' : null
}

/** What the agent chose for a header the last time comes first; a field that only one column can fill goes to the first. */
export function recognizeColumns(
  headers: readonly string[],
  remembered: Record<string, string> = {},
): Column[] {
  const taken = new Set<Target>()
  return headers.map(header => {
    const chosen = Object.hasOwn(remembered, headerKey(header)) ? remembered[headerKey(header)] : undefined
    const target = chosen === undefined ? recognize(header) : isTarget(chosen) ? chosen : null
    if (target === null || (taken.has(target) && !mayRepeat(target))) return { header, target: null }
    taken.add(target)
    return { header, target }
  })
}

const LOOKED_AT = 20

/** Titles and empty lines may come before the header: it is the line with most names we know. */
export function findHeader(rows: readonly (readonly string[])[]): number {
  const known = rows.slice(0, LOOKED_AT).map(row => row.filter(cell => recognize(cell) !== null).length)
  const most = Math.max(0, ...known)
  return most > 0 ? known.indexOf(most) : rows.findIndex(row => row.some(cell => cell.trim() !== ''))
}

/** The columns of the template, in the order people expect. */
export const TEMPLATE: readonly { target: Target; example: string }[] = [
  { target: 'external_id', example: 'CASA-001' },
  { target: 'title', example: 'Casa con jardín en Providencia' },
  { target: 'property_type', example: 'Casa' },
  { target: 'sale_price', example: '4,500,000' },
  { target: 'rent_price', example: '' },
  { target: 'currency', example: 'MXN' },
  { target: 'state', example: 'Jalisco' },
  { target: 'city', example: 'Guadalajara' },
  { target: 'neighborhood', example: 'Providencia' },
  { target: 'address', example: 'Av. Providencia 2450' },
  { target: 'postal_code', example: '44630' },
  { target: 'coordinates', example: '20.6911, -103.3782' },
  { target: 'bedrooms', example: '3' },
  { target: 'bathrooms', example: '2' },
  { target: 'half_bathrooms', example: '1' },
  { target: 'parking', example: '2' },
  { target: 'construction_m2', example: '210' },
  { target: 'lot_m2', example: '250' },
  { target: 'year_built', example: '2015' },
  { target: 'features', example: 'Jardín, Terraza' },
  { target: 'description', example: 'Amplia, luminosa y a una cuadra del parque.' },
  {
    target: 'images',
    example: 'https://fotos.example.com/casa-001-1.jpg | https://fotos.example.com/casa-001-2.jpg',
  },
]
