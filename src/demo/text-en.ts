import { AMENITIES } from '../lookups/amenities.ts'
import { type Facts, grouped, hasFeature, isHoliday } from './facts.ts'
import type { Subject } from './kinds.ts'
import { chance, pick, type Random, sample } from './random.ts'

const NOUNS: Readonly<Record<Subject, string>> = {
  casa: 'house',
  departamento: 'condo',
  loft: 'loft',
  penthouse: 'penthouse',
  terreno: 'lot',
  oficina: 'office',
  local: 'retail space',
  bodega: 'warehouse',
  nave: 'industrial building',
  rancho: 'ranch',
  quinta: 'country house',
  edificio: 'building',
  consultorio: 'medical office',
  hotel: 'boutique hotel',
  salón: 'event venue',
  escuela: 'school building',
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`

const joinEn = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

function operationEn(f: Facts): string {
  if (f.operation === 'sale') return 'for sale'
  if (f.operation === 'both') return 'for sale or rent'
  return isHoliday(f) ? 'for vacation rental' : 'for rent'
}

const PLACES: Readonly<Record<string, string>> = {
  Centro: 'Centro',
  'Centro Histórico': 'the Historic Center',
  'Zona Hotelera': 'the Hotel Zone',
  'Zona Romántica': 'the Romantic Zone',
  'Zona Dorada': 'the Golden Zone',
  'Zona Industrial': 'the industrial zone',
}

function whereEn(f: Facts): string {
  const city = f.place.city.state === 'Ciudad de México' ? 'Mexico City' : f.place.city.name
  return `in ${PLACES[f.place.neighborhood] ?? f.place.neighborhood}, ${city}`
}

function highlightEn(f: Facts): string | null {
  if (hasFeature(f, 'Frente a la playa')) return 'beachfront'
  if (hasFeature(f, 'Vista al mar')) return 'ocean-view'
  if (hasFeature(f, 'Amueblado')) return 'furnished'
  return null
}

export function titleEn(r: Random, f: Facts): string {
  const subject = NOUNS[f.subject]
  const highlight = highlightEn(f)
  const bedrooms =
    f.sizes.bedrooms && f.subject !== 'hotel' && f.subject !== 'loft' ? `${f.sizes.bedrooms}-bedroom ` : ''
  const isHome = f.type === 'house' || f.type === 'apartment'
  const described = `${isHome ? bedrooms : ''}${highlight && !(isHome && bedrooms) ? `${highlight} ` : ''}${subject}`
  return pick(r, [
    `${capital(described)} ${operationEn(f)} ${whereEn(f)}`,
    `${capital(highlight ? `${highlight} ${subject}` : subject)} ${operationEn(f)} ${whereEn(f)}`,
  ])
}

/** Shown as separate facts, or policies rather than features. */
const SILENT = new Set([
  'Amueblado',
  'Una sola planta',
  'Dos plantas',
  'Penthouse',
  'Mascotas permitidas',
  'No se aceptan mascotas',
  'Prohibido fumar',
  'Fraccionamiento privado',
  'Frente a la playa',
  'Facilidad para estacionarse',
  'Accesibilidad para adultos mayores',
  'Accesibilidad para personas con discapacidad',
])

const PHRASES: Readonly<Record<string, string>> = {
  Jacuzzi: 'a hot tub',
  Internet: 'fiber internet',
  Cine: 'a home theater',
  'Circuito cerrado': 'CCTV',
  'Cargador para auto eléctrico': 'EV chargers',
  'Aire acondicionado': 'air conditioning',
}

const ENGLISH = new Map(AMENITIES.map(a => [a.label, a.en]))

function phrase(label: string): string {
  const own = PHRASES[label]
  if (own) return own
  const en = ENGLISH.get(label) ?? label
  return en.charAt(0).toLowerCase() + en.slice(1)
}

const feet = (m2: number): string => grouped(Math.round((m2 * 10.7639) / 10) * 10)

function areaEn(f: Facts): string | null {
  const { construction_m2: built, lot_m2: lot } = f.sizes
  if (built !== null)
    return `It has ${grouped(built)} m² (${feet(built)} sq ft) of construction${lot === null ? '' : ` on a ${grouped(lot)} m² lot`}.`
  return lot === null ? null : `The lot measures ${grouped(lot)} m² (${feet(lot)} sq ft).`
}

function bathsEn(f: Facts): string | null {
  const { bathrooms, half_bathrooms } = f.sizes
  if (bathrooms === null) return null
  const all = bathrooms + (half_bathrooms ?? 0) / 2
  return `${all} ${all === 1 ? 'bathroom' : 'bathrooms'}`
}

export function descriptionEn(r: Random, f: Facts): string {
  const subject = NOUNS[f.subject]
  const { bedrooms, parking } = f.sizes
  const rooms = [
    bedrooms && f.subject !== 'hotel' ? count(bedrooms, 'bedroom') : null,
    f.type === 'land' ? null : bathsEn(f),
    parking && f.type !== 'ranch' ? count(parking, 'parking space') : null,
  ].filter(p => p !== null)
  const features = sample(
    r,
    f.features.filter(l => !SILENT.has(l)),
    6,
  ).map(phrase)
  const sentences = [
    `${capital(subject)} ${operationEn(f)} ${whereEn(f)}.`,
    rooms.length > 0 ? `The property offers ${joinEn(rooms)}.` : null,
    areaEn(f),
    features.length > 0 ? `Features include ${joinEn(features)}.` : null,
    hasFeature(f, 'Frente a la playa') ? 'Right on the beach.' : null,
    hasFeature(f, 'Fraccionamiento privado') ? 'Located in a gated community.' : null,
    hasFeature(f, 'Amueblado') ? 'Delivered furnished.' : null,
    hasFeature(f, 'Mascotas permitidas') ? 'Pets are welcome.' : null,
    f.prices.sale_currency === 'USD' && f.place.city.sea !== null && chance(r, 0.4)
      ? 'Foreign buyers can hold title through a bank trust (fideicomiso).'
      : null,
    pick(r, [
      'Contact us to schedule a visit.',
      'Ask for a showing today.',
      'Virtual showings available on request.',
    ]),
  ]
  return sentences.filter(s => s !== null).join(' ')
}
