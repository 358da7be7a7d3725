import { type Facts, grouped, hasFeature, isHoliday } from './facts.ts'
import type { Subject } from './kinds.ts'

/** Spanish grammar: gender of nouns, agreement of numbers, articles of places. */

type Noun = { noun: string; feminine: boolean }

const NOUNS: Readonly<Record<Subject, Noun>> = {
  casa: { noun: 'casa', feminine: true },
  departamento: { noun: 'departamento', feminine: false },
  loft: { noun: 'loft', feminine: false },
  penthouse: { noun: 'penthouse', feminine: false },
  terreno: { noun: 'terreno', feminine: false },
  oficina: { noun: 'oficina', feminine: true },
  local: { noun: 'local comercial', feminine: false },
  bodega: { noun: 'bodega', feminine: true },
  nave: { noun: 'nave industrial', feminine: true },
  rancho: { noun: 'rancho', feminine: false },
  quinta: { noun: 'quinta', feminine: true },
  edificio: { noun: 'edificio', feminine: false },
  consultorio: { noun: 'consultorio', feminine: false },
  hotel: { noun: 'hotel', feminine: false },
  salón: { noun: 'salón de eventos', feminine: false },
  escuela: { noun: 'escuela', feminine: true },
}

export const noun = (f: Facts): string => NOUNS[f.subject].noun

/** The adjective in the noun's gender: `amplio` becomes `amplia` with `casa`. */
export const agree = (f: Facts, masculine: string): string =>
  NOUNS[f.subject].feminine ? masculine.replace(/o$/, 'a') : masculine

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** `y` becomes `e` before an i sound. */
export function joinEs(items: readonly string[]): string {
  const last = items.at(-1)
  if (last === undefined) return ''
  if (items.length === 1) return last
  return `${items.slice(0, -1).join(', ')} ${/^(i|hi(?!e))/i.test(last) ? 'e' : 'y'} ${last}`
}

const SMALL = ['cero', 'un', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve']

/** `dos baños y medio`, `1 baño completo`, for either way to count half bathrooms. */
export function bathsEs(f: Facts): string | null {
  const { bathrooms, half_bathrooms } = f.sizes
  if (bathrooms === null) return null
  const full = Math.floor(bathrooms)
  if (bathrooms % 1 !== 0) return `${count(full, 'baño')} y medio`
  if (half_bathrooms === 1) return `${count(full, 'baño completo', 'baños completos')} y medio baño`
  return count(full, 'baño')
}

export const spelled = (n: number): string => SMALL[n] ?? String(n)

export function areaEs(m2: number): string {
  if (m2 < 10_000) return `${grouped(m2)} m²`
  const hectares = Math.round(m2 / 1000) / 10
  return count(hectares, 'hectárea')
}

export function operationEs(f: Facts): string {
  if (f.operation === 'sale') return 'en venta'
  if (f.operation === 'both') return 'en venta o renta'
  return isHoliday(f) ? 'en renta vacacional' : 'en renta'
}

const ARTICLES: readonly (readonly [RegExp, string])[] = [
  [/^Centro( Histórico)?$/, 'el '],
  [/^(Parque Industrial|Ejido|Club de Golf)/, 'el '],
  [/^(Zona|Supermanzana|Región|Reserva)/, 'la '],
]

const article = (neighborhood: string): string =>
  ARTICLES.find(([pattern]) => pattern.test(neighborhood))?.[1] ?? ''

/** The neighborhood with its article, if any: `la Zona Hotelera`, `el Centro`, `Juriquilla`. */
export const neighborhoodEs = (f: Facts): string => `${article(f.place.neighborhood)}${f.place.neighborhood}`

/** In the capital, people say the city, not the alcaldía. */
const cityEs = (f: Facts): string => (f.place.city.state === 'Ciudad de México' ? 'CDMX' : f.place.city.name)

/** `en Juriquilla, Querétaro`, `en el Centro de Mérida`. */
export function whereEs(f: Facts): string {
  const { neighborhood } = f.place
  if (neighborhood === cityEs(f)) return `en ${neighborhood}`
  const joint = /^(Centro$|Centro Histórico$|Zona|Parque Industrial|Ciudad Industrial)/.test(neighborhood)
    ? ' de '
    : ', '
  return `en ${neighborhoodEs(f)}${joint === ' de ' && cityEs(f) === 'CDMX' ? ' de la ' : joint}${cityEs(f)}`
}

/** Features as part of a sentence; the others are worded elsewhere or left out. */
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
])

const PHRASES: Readonly<Record<string, string>> = {
  'Seguridad 24 horas': 'seguridad las 24 horas',
  Internet: 'internet de fibra óptica',
  'Panel solar': 'paneles solares',
  Cine: 'sala de cine',
  'Circuito cerrado': 'circuito cerrado de vigilancia',
  Oficina: 'área de oficina',
  'Muelle de carga': 'andén de carga',
  'Accesibilidad para personas con discapacidad': 'accesos para personas con discapacidad',
  'Accesibilidad para adultos mayores': 'adaptaciones para adultos mayores',
  'Recámara en planta baja': 'una recámara en planta baja',
  'Facilidad para estacionarse': 'facilidad para estacionarse en la calle',
  Bodega: 'bodega',
  Asador: 'área de asador',
  Alarma: 'sistema de alarma',
  'Riego por aspersión': 'sistema de riego por aspersión',
}

const SHARED = new Set([
  'Seguridad 24 horas',
  'Acceso controlado',
  'Circuito cerrado',
  'Portero',
  'Gimnasio',
  'Salón de usos múltiples',
  'Área para mascotas',
  'Ludoteca',
  'Áreas verdes',
  'Áreas comunes',
  'Estacionamiento de visitas',
  'Cargador para auto eléctrico',
  'Elevador',
  'Área de juegos infantiles',
  'Casa club',
  'Cancha de pádel',
  'Cancha de tenis',
  'Ciclopista',
  'Campo de golf',
])

const phrase = (label: string): string => PHRASES[label] ?? label.charAt(0).toLowerCase() + label.slice(1)

/** In an apartment building, the pool and the roof garden are shared. */
const isShared = (f: Facts, label: string): boolean =>
  SHARED.has(label) || (f.type === 'apartment' && (label === 'Alberca' || label === 'Roof garden'))

/** Whether there are shared amenities: a building, an office block or a gated community. */
const hasGrounds = (f: Facts): boolean =>
  f.type === 'apartment' || f.type === 'office' || hasFeature(f, 'Fraccionamiento privado')

const spoken = (f: Facts, shared: boolean): string[] =>
  f.features.filter(l => !SILENT.has(l) && (hasGrounds(f) && isShared(f, l)) === shared).map(phrase)

export const ownPhrases = (f: Facts): string[] => spoken(f, false)
export const sharedPhrases = (f: Facts): string[] => spoken(f, true)

/** A feature for the title, with its preposition. */
export function highlightEs(f: Facts): string | null {
  if (hasFeature(f, 'Frente a la playa')) return 'frente a la playa'
  if (hasFeature(f, 'Vista al mar')) return 'con vista al mar'
  if (hasFeature(f, 'Alberca')) return 'con alberca'
  if (hasFeature(f, 'Roof garden')) return 'con roof garden'
  if (hasFeature(f, 'Vista panorámica')) return 'con vista panorámica'
  if (hasFeature(f, 'Terraza')) return 'con terraza'
  if (hasFeature(f, 'Jardín') && f.type === 'house') return 'con jardín'
  if (hasFeature(f, 'Balcón')) return 'con balcón'
  return null
}
