import { signPath } from './pictures/paths.ts'
import type { DemoAgency } from './types.ts'

type Region = 'noroeste' | 'noreste' | 'occidente' | 'bajío' | 'centro' | 'sureste'

export const REGION_OF: Readonly<Record<string, Region>> = {
  'Baja California': 'noroeste',
  'Baja California Sur': 'noroeste',
  Sonora: 'noroeste',
  Sinaloa: 'noroeste',
  Chihuahua: 'noroeste',
  Durango: 'noroeste',
  Coahuila: 'noreste',
  'Nuevo León': 'noreste',
  Tamaulipas: 'noreste',
  Jalisco: 'occidente',
  Nayarit: 'occidente',
  Colima: 'occidente',
  Michoacán: 'occidente',
  Zacatecas: 'occidente',
  Guanajuato: 'bajío',
  Querétaro: 'bajío',
  'San Luis Potosí': 'bajío',
  Aguascalientes: 'bajío',
  'Ciudad de México': 'centro',
  'Estado de México': 'centro',
  Morelos: 'centro',
  Hidalgo: 'centro',
  Puebla: 'centro',
  Tlaxcala: 'centro',
  Guerrero: 'centro',
  Oaxaca: 'centro',
  Veracruz: 'sureste',
  Tabasco: 'sureste',
  Chiapas: 'sureste',
  Campeche: 'sureste',
  Yucatán: 'sureste',
  'Quintana Roo': 'sureste',
}

type Row = { name: string; region: Region | null; active: boolean; logo: boolean }

/** An agency without a region works everywhere. The inactive one has an agent whose listings stay visible. */
const ROWS: readonly Row[] = [
  { name: 'Plaza Mayor Bienes Raíces', region: 'centro', active: true, logo: true },
  { name: 'Casa Abierta Inmobiliaria', region: null, active: true, logo: true },
  { name: 'Raíz Tapatía Propiedades', region: 'occidente', active: true, logo: true },
  { name: 'Cerro y Valle Inmuebles', region: 'noreste', active: true, logo: true },
  { name: 'Caribe Llave en Mano', region: 'sureste', active: true, logo: true },
  { name: 'Henequén Bienes Raíces', region: 'sureste', active: true, logo: false },
  { name: 'Acueducto Propiedades', region: 'bajío', active: true, logo: true },
  { name: 'Talavera Casas y Terrenos', region: 'centro', active: true, logo: false },
  { name: 'Pacífico Norte Realty', region: 'noroeste', active: true, logo: true },
  { name: 'Bahía Dorada Realty', region: 'occidente', active: true, logo: true },
  { name: 'Grupo Inmobiliario Tres Patios', region: null, active: true, logo: false },
  { name: 'Inmobiliaria La Antigua', region: 'centro', active: false, logo: false },
]

export const generateAgencies = (): DemoAgency[] =>
  ROWS.map((row, i) => ({
    name: row.name,
    logo_url: row.logo ? signPath(i + 1) : null,
    active: row.active,
  }))

/** Indexes of the active agencies that an agent in this state can belong to. */
export const agenciesFor = (state: string): number[] =>
  ROWS.flatMap((row, i) =>
    row.active && (row.region === null || row.region === REGION_OF[state]) ? [i] : [],
  )

export const INACTIVE_AGENCY = ROWS.findIndex(row => !row.active)
