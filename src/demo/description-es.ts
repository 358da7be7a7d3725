import { type Facts, grouped, hasFeature, isHoliday } from './facts.ts'
import { chance, pick, type Random, sample } from './random.ts'
import {
  agree,
  areaEs,
  bathsEs,
  capital,
  count,
  joinEs,
  noun,
  operationEs,
  ownPhrases,
  sharedPhrases,
  spelled,
  whereEs,
} from './words-es.ts'

const isHome = (f: Facts): boolean => f.type === 'house' || f.type === 'apartment'

const an = (f: Facts): string => agree(f, 'uno').replace(/^uno$/, 'un')

function opening(r: Random, f: Facts): string {
  const subject = noun(f)
  const where = whereEs(f)
  const adjective = agree(
    f,
    pick(r, f.place.wealth > 0.7 ? ['amplio', 'elegante', 'magnífico'] : ['cómodo', 'bonito', 'agradable']),
  )
  if (!isHome(f))
    return pick(r, [
      `${capital(subject)} ${operationEs(f)} ${where}.`,
      `Se ofrece ${subject} ${operationEs(f)} ${where}.`,
      `Te presentamos ${an(f)} ${subject} ${operationEs(f)} ${where}.`,
    ])
  if (hasFeature(f, 'Frente a la playa'))
    return `${capital(subject)} ${operationEs(f)} frente a la playa, ${where}.`
  if (hasFeature(f, 'Fraccionamiento privado'))
    return pick(r, [
      `${capital(adjective)} ${subject} ${operationEs(f)} dentro de fraccionamiento privado ${where}.`,
      `${capital(subject)} ${operationEs(f)} en fraccionamiento privado con acceso restringido, ${where}.`,
    ])
  return pick(r, [
    `${capital(adjective)} ${subject} ${operationEs(f)} ${where}.`,
    `Te presentamos ${an(f)} ${adjective} ${subject} ${operationEs(f)} ${where}.`,
    `${capital(subject)} ${operationEs(f)} ${where}, ${pick(r, ['en una zona tranquila y bien comunicada', 'cerca de escuelas, comercios y vías principales', 'a unos minutos de servicios y transporte'])}.`,
  ])
}

function rooms(r: Random, f: Facts): string | null {
  if (!isHome(f) || f.sizes.bedrooms === null) return null
  const bedrooms = count(f.sizes.bedrooms, 'recámara')
  const parking = f.sizes.parking ? `${count(f.sizes.parking, 'lugar', 'lugares')} de estacionamiento` : null
  const baths = bathsEs(f)
  const parts = [bedrooms, baths, 'sala comedor', 'cocina'].filter(p => p !== null)
  if (f.subject === 'loft')
    return `Espacio abierto con ${joinEs(['área de descanso', baths ?? '1 baño', 'cocina', ...(parking ? [parking] : [])])}.`
  if (f.type === 'house' && f.sizes.floors === 2 && chance(r, 0.5))
    return `En planta baja tiene sala, comedor y cocina${f.sizes.half_bathrooms ? ', además de medio baño' : ''}; ${
      hasFeature(f, 'Recámara en planta baja')
        ? 'las recámaras se distribuyen en ambas plantas'
        : 'en planta alta están las recámaras'
    }. En total son ${joinEs([bedrooms, ...(baths ? [baths] : []), ...(parking ? [parking] : [])])}.`
  return `${pick(r, ['Tiene', 'Consta de', 'Se distribuye en'])} ${joinEs(parking ? [...parts, parking] : parts)}.`
}

function areas(f: Facts): string | null {
  const { construction_m2: built, lot_m2: lot, floors, year_built: year } = f.sizes
  const parts: string[] = []
  if (f.type === 'land') parts.push(`Superficie de ${areaEs(lot ?? 0)}`)
  else if (f.type === 'ranch')
    parts.push(
      `Superficie total de ${areaEs(lot ?? 0)}${built ? ` con ${areaEs(built)} de construcción` : ''}`,
    )
  else if (built !== null)
    parts.push(
      `${grouped(built)} m² de construcción${lot === null ? '' : ` en ${grouped(lot)} m² de terreno`}`,
    )
  if (f.type === 'building' && floors) parts.push(`${spelled(floors)} niveles`)
  if (year !== null)
    parts.push(year >= f.thisYear && isHome(f) ? 'a estrenar' : `${agree(f, 'construido')} en ${year}`)
  if (f.type === 'house' && hasFeature(f, 'Una sola planta')) parts.push('todo en una sola planta')
  return parts.length > 0 ? `${capital(parts.join(', '))}.` : null
}

const work: Readonly<Partial<Record<Facts['subject'], (f: Facts) => string[]>>> = {
  terreno: f => [
    (f.sizes.lot_m2 ?? 0) > 2000
      ? 'Ideal para desarrollo habitacional o proyecto comercial.'
      : 'Uso de suelo habitacional, listo para construir.',
    'Servicios de agua y luz a pie de lote.',
    'Topografía regular y acceso por calle pavimentada.',
  ],
  oficina: f => [
    `Espacio con buena iluminación natural y ${count(f.sizes.bathrooms ?? 1, 'baño')}.`,
    'Se puede adaptar a distintas distribuciones: privados, sala de juntas y área abierta.',
  ],
  local: f => [
    'Ubicación con buen flujo peatonal y vehicular.',
    `Tiene ${count(f.sizes.bathrooms ?? 1, 'baño')}${f.sizes.parking ? ` y ${count(f.sizes.parking, 'lugar', 'lugares')} de estacionamiento` : ''}.`,
    'Apto para tienda, consultorio, cafetería u oficina.',
  ],
  bodega: () => [
    'Acceso para camiones y techo de lámina con buena altura.',
    'Ideal para almacenaje o distribución.',
  ],
  nave: () => [
    'Acceso para tráiler y piso de concreto de alta resistencia.',
    'Conexión rápida con las carreteras principales.',
  ],
  rancho: f => [
    f.sizes.construction_m2
      ? `La casa tiene ${count(f.sizes.bedrooms ?? 1, 'recámara')} y ${bathsEs(f) ?? '1 baño'}.`
      : 'Terreno apto para siembra o ganado.',
    'Acceso por camino en buen estado todo el año.',
  ],
  quinta: f => [
    `La casa tiene ${count(f.sizes.bedrooms ?? 1, 'recámara')} y ${bathsEs(f) ?? '1 baño'}.`,
    'Perfecta para descanso de fin de semana o para reuniones familiares.',
  ],
  edificio: () => [
    'Excelente opción para inversión.',
    'Se puede destinar a departamentos, oficinas o uso mixto.',
  ],
  consultorio: () => [
    'Incluye sala de espera y recepción.',
    'Edificio con otros especialistas y farmacia cercana.',
  ],
  hotel: f => [
    `Cuenta con ${count(f.sizes.bedrooms ?? 8, 'habitación', 'habitaciones')}, recepción y comedor.`,
    'Se entrega en operación.',
  ],
  salón: f => [
    `Capacidad aproximada para ${Math.max(80, Math.round((f.sizes.construction_m2 ?? 300) / 2 / 10) * 10)} personas.`,
    'Incluye cocina y área de servicio.',
  ],
  escuela: f => [
    `Aulas amplias, patio y ${count(f.sizes.bathrooms ?? 4, 'baño')}.`,
    'Opción para colegio, guardería o centro de capacitación.',
  ],
}

function amenities(r: Random, f: Facts): string[] {
  const own = sample(r, ownPhrases(f), 6)
  const shared = sample(r, sharedPhrases(f), 6)
  const sentences: string[] = []
  if (own.length > 0)
    sentences.push(
      `${pick(r, isHome(f) ? ['Cuenta con', 'Además tiene'] : ['Además cuenta con', 'También ofrece'])} ${joinEs(own)}.`,
    )
  if (shared.length > 0) {
    const owner = hasFeature(f, 'Fraccionamiento privado')
      ? pick(r, ['El fraccionamiento cuenta con', 'Las amenidades incluyen'])
      : pick(r, ['El edificio cuenta con', 'El edificio ofrece'])
    sentences.push(`${owner} ${joinEs(shared)}.`)
  }
  return sentences
}

/** About the largest loan of the housing fund, which lends in pesos only. */
const isWithinInfonavit = (f: Facts): boolean =>
  f.prices.sale_currency === 'MXN' && (f.prices.sale_price ?? 0) <= 3_000_000

function rentTerms(r: Random, f: Facts): string {
  if (isHoliday(f))
    return `Precio por ${f.prices.rent_period === 'daily' ? 'noche' : 'semana'}; pregunta por disponibilidad en temporada alta.`
  if (f.prices.rent_period === 'yearly') return 'La renta se paga por año.'
  return pick(r, [
    'Requisitos: un mes de depósito y póliza jurídica.',
    'Se solicita aval o póliza jurídica y un mes de depósito.',
    f.type === 'apartment' ? 'Mantenimiento incluido en la renta.' : 'Contrato mínimo de un año.',
  ])
}

function conditions(r: Random, f: Facts): string[] {
  const out: string[] = []
  if (isHome(f) && hasFeature(f, 'Amueblado')) out.push(`Se entrega ${agree(f, 'amueblado')}.`)
  if (hasFeature(f, 'Mascotas permitidas')) out.push('Se aceptan mascotas.')
  if (hasFeature(f, 'No se aceptan mascotas')) out.push('No se aceptan mascotas.')
  if (hasFeature(f, 'Prohibido fumar')) out.push('No se permite fumar.')
  if (f.operation !== 'rental' && chance(r, 0.45)) {
    if (f.prices.sale_currency === 'USD' && f.place.city.sea !== null)
      out.push('Compra segura para extranjeros mediante fideicomiso.')
    else if (isHome(f))
      out.push(
        pick(r, [
          isWithinInfonavit(f) ? 'Se aceptan créditos bancarios e Infonavit.' : 'Se acepta crédito bancario.',
          'Se acepta crédito bancario o recurso propio.',
          'Escrituras al corriente y libre de gravamen.',
        ]),
      )
    else out.push('Escrituras al corriente y libre de gravamen.')
  }
  if (f.operation !== 'sale') out.push(rentTerms(r, f))
  return out
}

function closing(r: Random, f: Facts): string {
  return pick(r, [
    'Agenda tu cita.',
    'Llámanos o escríbenos para agendar una visita.',
    `Con gusto te ${agree(f, 'lo')} mostramos.`,
    `Una buena oportunidad ${whereEs(f)}.`,
    'Pide informes sin compromiso.',
    f.exclusive
      ? 'Propiedad en exclusiva; compartimos con colegas.'
      : 'Precio sujeto a cambio sin previo aviso.',
  ])
}

export function descriptionEs(r: Random, f: Facts): string {
  const trade = work[f.subject]?.(f) ?? []
  const first = [opening(r, f), rooms(r, f), areas(f)].filter(s => s !== null)
  const second = [...sample(r, trade, 2), ...amenities(r, f)]
  const third = [...conditions(r, f), closing(r, f)]
  return [first, second, third]
    .filter(paragraph => paragraph.length > 0)
    .map(paragraph => paragraph.join(' '))
    .join('\n\n')
}
