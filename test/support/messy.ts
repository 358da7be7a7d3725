import type { Sheet } from './spreadsheets.ts'

/** An inventory as agencies really keep it: 40 columns, half of which nobody needs. The same for the same count. */
export interface Messy {
  rows: unknown[][]
  /** Cells merged over several rows. */
  merges: string[]
  /** Rows that must be refused, by their number in the file. */
  refused: Map<number, string>
  listings: number
}

const HEADERS = [
  'No. de inventario',
  'Clave',
  'Nombre de la propiedad',
  'Tipo de inmueble',
  'Operación',
  'Precio',
  'Moneda',
  'Estado',
  'Ciudad',
  'Colonia',
  'Calle y número',
  'C.P.',
  'Recámaras',
  'Baños',
  'Medios baños',
  'Cajones de estacionamiento',
  'M2 construcción',
  'M2 terreno',
  'Latitud',
  'Longitud',
  'Amenidades',
  'Descripción',
  'Foto 1',
  'Foto 2',
  'Alberca',
  'Dueño',
  'Tel. dueño',
  'Correo dueño',
  'Asesor',
  'Fecha de captación',
  'Vence exclusiva',
  'Llaves',
  'Visitas',
  'Última visita',
  'Oferta',
  'Escrituras',
  'Predial',
  'Luz',
  'Notas internas',
  'Color',
]

const PLACES = [
  ['Jalisco', 'Guadalajara', 'Providencia', 20.69, -103.38],
  ['Jal.', 'Zapopan', 'Chapalita', 20.66, -103.4],
  ['CDMX', 'Coyoacán', 'Del Carmen', 19.35, -99.16],
  ['Edo. Méx.', 'Naucalpan', 'Satélite', 19.51, -99.24],
  ['YUCATAN', 'Mérida', 'Temozón Norte', 21.05, -89.6],
  ['Nuevo León', 'Monterrey', 'Contry', 25.64, -100.27],
] as const
const TYPES = [
  'Casa',
  'CASA SOLA',
  'Depto.',
  'departamento',
  'Terreno',
  'Local',
  'Oficina',
  'Bodega',
  'Penthouse',
  'Casa en condominio',
]
const SALE = ['1.8 MDP', '$4,500,000', "3'250,000 M.N.", '2.35 millones', '$ 5,100,000.00 MXN', '980 mil']
const RENT = ['$12,500 + mant.', '18,000 mensuales', '$9,500.00', '25 mil', '32,000 más IVA']
/** What no table explains, and the column it is in. */
const FAULTS: [header: string, value: string][] = [
  ['Precio', 'Consultar'],
  ['Precio', '1.8 M'],
  ['Precio', '4.5'],
  ['Operación', ''],
  ['Estado', 'Aztlán'],
  ['Tipo de inmueble', 'Castillo'],
  ['M2 terreno', '10x20'],
  ['Recámaras', '3+1'],
  ['Clave', ''],
  ['Latitud', '0'],
]

/** Only a workbook can merge cells. */
export function messySheet(count: number, { merged = false } = {}): Messy {
  const rows: unknown[][] = [['INVENTARIO GENERAL 2026'], [], HEADERS]
  const refused = new Map<number, string>()
  const merges: string[] = []
  const column = (header: string) => HEADERS.indexOf(header)
  let listings = 0
  for (let i = 0; i < count; i++) {
    const number = rows.length + 1
    const row = rowOf(i)
    const fault = i % 50 === 7 ? FAULTS[Math.floor(i / 50) % FAULTS.length] : undefined
    if (fault) {
      row[column(fault[0])] = fault[1]
      // Zero is a place in the sea only together with the other.
      if (fault[0] === 'Latitud') row[column('Longitud')] = '0'
      refused.set(number, fault[0] === 'Operación' ? 'Precio' : fault[0])
    } else if (i % 60 === 59) {
      // The same listing, copied from above.
      row[column('Clave')] = (rows.at(-1) as unknown[])[column('Clave')]
      refused.set(number, 'Clave')
    } else listings++
    // Ten rows of one state, merged.
    if (merged && i % 100 >= 20 && i % 100 < 30) {
      const state = column('Estado')
      if (i % 100 === 20) merges.push(`H${number}:H${number + 9}`)
      row[state] = i % 100 === 20 ? 'Jalisco' : ''
      row[column('Ciudad')] = 'Guadalajara'
      if (refused.get(number) === 'Estado') throw new Error('a fault in a merged cell')
    }
    rows.push(row)
  }
  return { rows, merges, refused, listings }
}

function rowOf(i: number): unknown[] {
  const [state, city, colonia, lat, lng] = PLACES[i % PLACES.length] as (typeof PLACES)[number]
  const isRent = i % 4 === 3
  const price = isRent ? RENT[i % RENT.length] : SALE[i % SALE.length]
  const hasPoint = i % 3 !== 0
  // Some write the state behind the city.
  const isMerged = i % 11 === 5
  return [
    i + 1,
    `INV-${String(i + 1).padStart(5, '0')}`,
    i % 9 === 4 ? '' : `${TYPES[i % TYPES.length]} en ${colonia} no. ${i + 1}`,
    TYPES[i % TYPES.length],
    isRent ? 'Renta' : i % 8 === 0 ? 'EN VENTA' : 'Venta',
    i % 5 === 2 && !isRent ? { formula: `${i}*1000+1000000`, value: i * 1000 + 1_000_000 } : price,
    i % 7 === 0 ? 'MXN' : '',
    isMerged ? '' : state,
    isMerged ? `${city}, ${state}` : city,
    colonia,
    `Calle ${i} #${(i * 7) % 300}`,
    i % 6 === 2 ? 4030 : '44630',
    i % 13 === 6 ? 'N/A' : `${(i % 5) + 1}${i % 2 ? ' rec' : ''}`,
    i % 3 === 0 ? '2.5' : 2,
    'N/A',
    i % 4,
    `${90 + (i % 200)} m2`,
    i % 10 === 0 ? '0' : `${100 + (i % 400)}.5 mts2`,
    hasPoint ? lat + (i % 100) / 10_000 : '',
    hasPoint ? lng - (i % 100) / 10_000 : '',
    i % 2 ? 'Jardín, Terraza; Piscina / Cocina de humo' : '',
    `Amplia, luminosa y bien ubicada. Número ${i}. ${'Acabados de lujo. '.repeat(i % 6)}`,
    i % 2 ? `https://fotos.example.com/${i}-1.jpg` : '',
    i % 4 === 1 ? `https://fotos.example.com/${i}-2.jpg` : '',
    i % 5 === 0 ? 'Sí' : 'No',
    'Juan Pérez',
    '33 1234 5678',
    'juan@example.com',
    'Marisol',
    '12/03/2026',
    'N/A',
    'caja 4',
    i % 30,
    'ayer',
    '',
    'sí',
    'al corriente',
    'CFE',
    'ojo: perro "bravo", tocar',
    'azul',
  ]
}

/** The rows from here on in Latin-1: two offices sent their part. */
export const mixed = (text: string): Buffer => {
  const half = text.indexOf('\r\n', text.length / 2) + 2
  return Buffer.concat([Buffer.from(text.slice(0, half)), Buffer.from(text.slice(half), 'latin1')])
}

/** As cells for a workbook. */
export const sheetOf = ({ rows }: Messy): Sheet => rows as never
