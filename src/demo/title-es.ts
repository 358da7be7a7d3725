import { type Facts, hasFeature, isHoliday, isNew } from './facts.ts'
import { pick, type Random } from './random.ts'
import {
  agree,
  areaEs,
  capital,
  count,
  highlightEs,
  neighborhoodEs,
  noun,
  operationEs,
  whereEs,
} from './words-es.ts'

/** Null where a fact is missing. */
function homeTitles(f: Facts): (string | null)[] {
  const subject = noun(f)
  const where = whereEs(f)
  const bedrooms = f.sizes.bedrooms ? count(f.sizes.bedrooms, 'recámara') : null
  const highlight = highlightEs(f)
  const op = operationEs(f)
  const isHouse = f.subject === 'casa'
  const wealthy = f.place.wealth > 0.8
  return [
    `${capital(subject)} ${op} ${where}`,
    `${capital(subject)} ${op} ${where}`,
    bedrooms && f.subject !== 'loft' ? `${capital(subject)} de ${bedrooms} ${op} ${where}` : null,
    bedrooms && highlight ? `${capital(subject)} de ${bedrooms} ${highlight} ${where}` : null,
    highlight ? `${capital(subject)} ${highlight} ${op} ${where}` : null,
    isNew(f) && !isHoliday(f) ? `${capital(subject)} ${agree(f, 'nuevo')} ${op} ${where}` : null,
    hasFeature(f, 'Amueblado') && f.operation === 'rental'
      ? `${capital(subject)} ${agree(f, 'amueblado')} ${op} ${where}`
      : null,
    isHouse && hasFeature(f, 'Una sola planta') ? `Casa de una planta ${op} ${where}` : null,
    isHouse && hasFeature(f, 'Recámara en planta baja')
      ? `Casa con recámara en planta baja ${op} ${where}`
      : null,
    isHouse && wealthy ? `Residencia ${op} ${where}` : null,
    isHouse && hasFeature(f, 'Fraccionamiento privado') ? `Casa en privada ${op} ${where}` : null,
    wealthy && highlight ? `${capital(agree(f, 'espectacular'))} ${subject} ${highlight} ${where}` : null,
    (f.sizes.construction_m2 ?? 0) > 150 ? `${capital(agree(f, 'amplio'))} ${subject} ${op} ${where}` : null,
  ]
}

function landTitles(f: Facts): (string | null)[] {
  const where = whereEs(f)
  const op = operationEs(f)
  const lot = f.sizes.lot_m2 ?? 0
  const highlight = highlightEs(f)
  return [
    `Terreno ${op} ${where}`,
    `Terreno de ${areaEs(lot)} ${op} ${where}`,
    hasFeature(f, 'Fraccionamiento privado') ? `Lote residencial de ${areaEs(lot)} ${where}` : null,
    highlight ? `Terreno ${highlight} ${op} ${where}` : null,
    lot > 2000 ? `Terreno para desarrollo ${op} ${where}` : null,
  ]
}

const OTHER_NAMES = {
  consultorio: 'Consultorio médico',
  hotel: 'Hotel boutique',
  salón: 'Salón de eventos',
  escuela: 'Inmueble para escuela',
} as const

function workTitles(f: Facts): (string | null)[] {
  const where = whereEs(f)
  const op = operationEs(f)
  const built = f.sizes.construction_m2
  const area = built === null ? null : areaEs(built)
  switch (f.subject) {
    case 'oficina':
      return [
        `Oficina ${op} ${where}`,
        `Oficina de ${area} ${op} ${where}`,
        hasFeature(f, 'Amueblado') ? `Oficina amueblada ${op} ${where}` : null,
        (built ?? 0) > 300 ? `Piso de oficinas de ${area} ${op} ${where}` : null,
      ]
    case 'local':
      return [
        `Local comercial ${op} ${where}`,
        `Local comercial de ${area} ${op} ${where}`,
        `Local ${op} sobre avenida ${where}`,
        f.sizes.parking ? `Local con estacionamiento ${op} ${where}` : null,
      ]
    case 'bodega':
      return [
        `Bodega ${op} ${where}`,
        `Bodega de ${area} ${op} ${where}`,
        hasFeature(f, 'Muelle de carga') ? `Bodega con andén de carga ${op} ${where}` : null,
      ]
    case 'nave':
      return [
        `Nave industrial ${op} ${where}`,
        `Nave industrial de ${area} ${op} ${where}`,
        hasFeature(f, 'Muelle de carga') ? `Nave industrial con andenes ${op} ${where}` : null,
      ]
    case 'rancho':
    case 'quinta': {
      const lot = areaEs(f.sizes.lot_m2 ?? 0)
      return [
        `${capital(noun(f))} de ${lot} ${op} ${where}`,
        `${capital(noun(f))} ${op} ${where}`,
        hasFeature(f, 'Alberca') ? `${capital(noun(f))} con alberca ${op} ${where}` : null,
        f.sizes.construction_m2
          ? `${capital(noun(f))} con casa ${op} en ${neighborhoodEs(f)}, ${f.place.city.municipality}`
          : null,
      ]
    }
    case 'edificio':
      return [
        `Edificio ${op} ${where}`,
        `Edificio de ${count(f.sizes.floors ?? 2, 'nivel', 'niveles')} ${op} ${where}`,
        `Edificio de ${area} ${op} ${where}`,
      ]
    default: {
      const name = OTHER_NAMES[f.subject as keyof typeof OTHER_NAMES]
      return [`${name} ${op} ${where}`, `${name} de ${area} ${op} ${where}`]
    }
  }
}

export function titleEs(r: Random, f: Facts): string {
  const titles =
    f.type === 'house' || f.type === 'apartment'
      ? homeTitles(f)
      : f.type === 'land'
        ? landTitles(f)
        : workTitles(f)
  return pick(
    r,
    titles.filter(t => t !== null),
  )
}
