import type { Sizes } from './figures.ts'
import type { Operation, Subject } from './kinds.ts'
import { isByTheBeach, isWarm, type Place } from './places.ts'
import { chance, type Random } from './random.ts'
import type { PropertyType } from './types.ts'

/** Label, probability in a poor place, probability in a rich one. */
type Odds = readonly (readonly [string, number, number])[]

const HOUSE: Odds = [
  ['Cocina integral', 0.55, 0.85],
  ['Cocina equipada', 0.08, 0.3],
  ['Jardín', 0.25, 0.75],
  ['Patio', 0.5, 0.25],
  ['Terraza', 0.1, 0.55],
  ['Roof garden', 0.04, 0.22],
  ['Asador', 0.05, 0.25],
  ['Alberca', 0.03, 0.38],
  ['Clósets', 0.35, 0.35],
  ['Vestidor', 0.04, 0.6],
  ['Estudio', 0.05, 0.35],
  ['Cuarto de servicio', 0.02, 0.5],
  ['Cuarto de lavado', 0.3, 0.55],
  ['Bodega', 0.08, 0.28],
  ['Cisterna', 0.35, 0.5],
  ['Hidroneumático', 0.05, 0.3],
  ['Calentador solar', 0.1, 0.2],
  ['Panel solar', 0.03, 0.14],
  ['Gas natural', 0.12, 0.15],
  ['Gas estacionario', 0.3, 0.35],
  ['Garaje', 0.2, 0.3],
  ['Estacionamiento techado', 0.12, 0.4],
  ['Fraccionamiento privado', 0.15, 0.6],
  ['Alarma', 0.03, 0.15],
  ['Facilidad para estacionarse', 0.12, 0.05],
  ['Jacuzzi', 0, 0.1],
  ['Cine', 0, 0.05],
  ['Accesibilidad para adultos mayores', 0.03, 0.03],
]

/** Shared amenities, only in a gated community. */
const COMMUNITY: Odds = [
  ['Seguridad 24 horas', 0.5, 0.85],
  ['Acceso controlado', 0.7, 0.75],
  ['Áreas verdes', 0.5, 0.6],
  ['Área de juegos infantiles', 0.4, 0.45],
  ['Casa club', 0.08, 0.4],
  ['Gimnasio', 0.05, 0.35],
  ['Cancha de pádel', 0.02, 0.22],
  ['Cancha de tenis', 0.01, 0.12],
  ['Ciclopista', 0.02, 0.08],
  ['Campo de golf', 0, 0.05],
  ['Estacionamiento de visitas', 0.25, 0.4],
]

const APARTMENT: Odds = [
  ['Cocina integral', 0.55, 0.75],
  ['Cocina equipada', 0.08, 0.35],
  ['Balcón', 0.15, 0.5],
  ['Terraza', 0.04, 0.3],
  ['Clósets', 0.4, 0.4],
  ['Vestidor', 0.03, 0.45],
  ['Cuarto de lavado', 0.25, 0.5],
  ['Cuarto de servicio', 0, 0.25],
  ['Bodega', 0.08, 0.4],
  ['Elevador', 0.12, 0.85],
  ['Seguridad 24 horas', 0.15, 0.75],
  ['Acceso controlado', 0.25, 0.35],
  ['Circuito cerrado', 0.12, 0.35],
  ['Portero', 0.08, 0.2],
  ['Gimnasio', 0.02, 0.55],
  ['Alberca', 0.02, 0.35],
  ['Roof garden', 0.08, 0.45],
  ['Salón de usos múltiples', 0.05, 0.4],
  ['Área para mascotas', 0.01, 0.15],
  ['Ludoteca', 0, 0.15],
  ['Áreas verdes', 0.15, 0.2],
  ['Áreas comunes', 0.15, 0.25],
  ['Estacionamiento de visitas', 0.08, 0.3],
  ['Cargador para auto eléctrico', 0, 0.1],
  ['Gas natural', 0.2, 0.25],
  ['Internet', 0.08, 0.1],
  ['Vista panorámica', 0.01, 0.18],
  ['Accesibilidad para personas con discapacidad', 0.02, 0.08],
]

const LAND: Odds = [
  ['Fraccionamiento privado', 0.12, 0.5],
  ['Vista panorámica', 0.03, 0.12],
]

const OFFICE: Odds = [
  ['Aire acondicionado', 0.3, 0.75],
  ['Elevador', 0.25, 0.8],
  ['Seguridad 24 horas', 0.25, 0.7],
  ['Circuito cerrado', 0.2, 0.4],
  ['Acceso controlado', 0.2, 0.5],
  ['Estacionamiento de visitas', 0.15, 0.4],
  ['Internet', 0.3, 0.4],
  ['Planta eléctrica', 0.03, 0.3],
  ['Amueblado', 0.08, 0.15],
  ['Accesibilidad para personas con discapacidad', 0.08, 0.3],
  ['Cargador para auto eléctrico', 0, 0.1],
]

const SHOP: Odds = [
  ['Facilidad para estacionarse', 0.3, 0.4],
  ['Aire acondicionado', 0.15, 0.4],
  ['Bodega', 0.2, 0.3],
  ['Circuito cerrado', 0.1, 0.3],
  ['Alarma', 0.1, 0.2],
  ['Seguridad 24 horas', 0.05, 0.3],
  ['Accesibilidad para personas con discapacidad', 0.1, 0.25],
  ['Cisterna', 0.1, 0.15],
]

const WAREHOUSE: Odds = [
  ['Muelle de carga', 0.25, 0.75],
  ['Oficina', 0.4, 0.7],
  ['Seguridad 24 horas', 0.25, 0.6],
  ['Acceso controlado', 0.25, 0.5],
  ['Circuito cerrado', 0.12, 0.35],
  ['Cisterna', 0.3, 0.4],
  ['Planta eléctrica', 0.03, 0.2],
]

const RANCH: Odds = [
  ['Áreas verdes', 0.4, 0.4],
  ['Asador', 0.2, 0.4],
  ['Terraza', 0.2, 0.5],
  ['Fogatero', 0.08, 0.25],
  ['Cisterna', 0.4, 0.4],
  ['Riego por aspersión', 0.12, 0.2],
  ['Panel solar', 0.1, 0.2],
  ['Bodega', 0.35, 0.35],
  ['Vista panorámica', 0.1, 0.2],
]

const BUILDING: Odds = [
  ['Cisterna', 0.5, 0.6],
  ['Elevador', 0.1, 0.6],
  ['Circuito cerrado', 0.1, 0.35],
  ['Roof garden', 0.08, 0.3],
  ['Seguridad 24 horas', 0.05, 0.25],
  ['Hidroneumático', 0.1, 0.3],
  ['Planta eléctrica', 0.02, 0.15],
]

const OTHER: Odds = [
  ['Aire acondicionado', 0.3, 0.6],
  ['Circuito cerrado', 0.15, 0.3],
  ['Facilidad para estacionarse', 0.3, 0.3],
  ['Cisterna', 0.2, 0.3],
  ['Accesibilidad para personas con discapacidad', 0.25, 0.4],
  ['Internet', 0.2, 0.2],
]

const ODDS: Readonly<Record<PropertyType, Odds>> = {
  house: HOUSE,
  apartment: APARTMENT,
  land: LAND,
  office: OFFICE,
  commercial: SHOP,
  warehouse: WAREHOUSE,
  ranch: RANCH,
  building: BUILDING,
  other: OTHER,
}

/** The first of each pair excludes the second. */
const EXCLUSIVE: readonly (readonly [string, string])[] = [
  ['Gas natural', 'Gas estacionario'],
  ['Cocina equipada', 'Cocina integral'],
  ['Estacionamiento techado', 'Garaje'],
  ['Vestidor', 'Clósets'],
  ['Portero', 'Acceso controlado'],
  ['Mascotas permitidas', 'No se aceptan mascotas'],
]

type Built = {
  type: PropertyType
  subject: Subject
  operation: Operation
  sizes: Sizes
  place: Place
}

function extras({ type, subject, operation, sizes, place }: Built): Odds {
  const isHome = type === 'house' || type === 'apartment'
  const { city, wealth } = place
  const odds: (readonly [string, number, number])[] = []
  if (isHome && isWarm(city)) odds.push(['Aire acondicionado', 0.4, 0.9])
  if (isHome && !isWarm(city)) odds.push(['Calefacción', 0.01, 0.12])
  if (type === 'house' && !isWarm(city)) odds.push(['Chimenea', 0.01, 0.25])
  if (isHome && operation !== 'sale')
    odds.push(
      ['Amueblado', 0.15, 0.4],
      ['Mascotas permitidas', 0.3, 0.35],
      ['No se aceptan mascotas', 0.15, 0.1],
    )
  if (isHome && operation === 'rental') odds.push(['Prohibido fumar', 0.06, 0.06])
  if (isByTheBeach(place) && (isHome || type === 'land') && wealth > 0.4)
    odds.push(['Vista al mar', 0, 0.7], ['Acceso a la playa', 0, 0.5], ['Frente a la playa', 0, 0.3])
  if (type === 'house' && sizes.floors === 1) odds.push(['Una sola planta', 0.6, 0.6])
  if (type === 'house' && sizes.floors === 2)
    odds.push(['Dos plantas', 0.35, 0.35], ['Recámara en planta baja', 0.12, 0.22])
  if (subject === 'penthouse') odds.push(['Penthouse', 1, 1], ['Terraza', 0.8, 0.8])
  if (subject === 'quinta') odds.push(['Alberca', 0.7, 0.9], ['Jardín', 0.9, 0.9])
  if (subject === 'hotel') odds.push(['Alberca', 0.5, 0.7], ['Terraza', 0.5, 0.5], ['Amueblado', 0.7, 0.7])
  if (subject === 'salón') odds.push(['Jardín', 0.7, 0.7], ['Planta eléctrica', 0.3, 0.3])
  return odds
}

/** Whether the feature agrees with the rest of the listing. */
function fits(label: string, { type, sizes, subject }: Built): boolean {
  if (label === 'Garaje' || label === 'Estacionamiento techado') return (sizes.parking ?? 0) > 0
  if (label === 'Alberca' && type === 'house') return (sizes.lot_m2 ?? 0) >= 150
  if (label === 'Cuarto de servicio') return (sizes.construction_m2 ?? 0) >= 110
  if (label === 'Vestidor') return subject !== 'loft' && (sizes.construction_m2 ?? 0) >= 70
  if (label === 'Roof garden' && type === 'building') return (sizes.floors ?? 0) >= 3
  if (type === 'ranch' && sizes.construction_m2 === null)
    return ['Cisterna', 'Riego por aspersión', 'Vista panorámica', 'Áreas verdes'].includes(label)
  return true
}

const has = (r: Random, odds: Odds, wealth: number): string[] =>
  odds.flatMap(([label, poor, rich]) => (chance(r, poor + (rich - poor) * wealth) ? [label] : []))

export function drawFeatures(r: Random, built: Built): string[] {
  const { type, place } = built
  const drawn = new Set(has(r, [...extras(built), ...ODDS[type]], place.wealth))
  if (drawn.has('Fraccionamiento privado') && (type === 'house' || type === 'land'))
    for (const label of has(r, COMMUNITY, place.wealth)) drawn.add(label)
  for (const [kept, dropped] of EXCLUSIVE) if (drawn.has(kept)) drawn.delete(dropped)
  return [...drawn].filter(label => fits(label, built))
}
