import { foldText } from '../lib/text.ts'
import { int, pick, type Random } from './random.ts'

const FIRST_NAMES = [
  'Mariana',
  'José Luis',
  'Sofía',
  'Carlos',
  'Gabriela',
  'Juan Pablo',
  'Daniela',
  'Miguel Ángel',
  'Ana Lucía',
  'Ricardo',
  'Valeria',
  'Alejandro',
  'Fernanda',
  'Luis Enrique',
  'Paola',
  'Héctor',
  'Claudia',
  'Jorge',
  'Verónica',
  'Eduardo',
  'Regina',
  'Raúl',
  'Ximena',
  'Francisco Javier',
  'Adriana',
  'Óscar',
  'Lorena',
  'Rodrigo',
  'Patricia',
  'Iván',
  'Guadalupe',
  'Arturo',
  'Karla',
  'Manuel',
  'Itzel',
  'Sergio',
]

const SURNAMES = [
  'Hernández',
  'García',
  'Martínez',
  'López',
  'González',
  'Ramírez',
  'Torres',
  'Flores',
  'Rivera',
  'Gómez',
  'Morales',
  'Cruz',
  'Ortiz',
  'Gutiérrez',
  'Chávez',
  'Ramos',
  'Mendoza',
  'Aguilar',
  'Castillo',
  'Vargas',
  'Guerrero',
  'Rojas',
  'Medina',
  'Salazar',
  'Navarro',
  'Delgado',
  'Peña',
  'Ibarra',
  'Cervantes',
  'Pech',
  'Canul',
  'Villarreal',
  'Garza',
  'Treviño',
  'Zamora',
  'Lozano',
  'Espinosa',
  'Barrera',
  'Quintero',
  'Solís',
]

const FOREIGN_NAMES = [
  'Emily Carter',
  'Michael Thompson',
  'Sarah Mitchell',
  'David Reynolds',
  'Laura Bennett',
  'Kevin O’Brien',
  'Jessica Palmer',
  'Robert Hughes',
]

export const drawName = (r: Random): string =>
  `${pick(r, FIRST_NAMES)} ${pick(r, SURNAMES)} ${pick(r, SURNAMES)}`

export const drawForeignName = (r: Random): string => pick(r, FOREIGN_NAMES)

/** example.com is reserved (RFC 2606): a notice sent by mistake reaches no one. */
export function emailOf(name: string, suffix: string | number): string {
  const [first = '', ...rest] = foldText(name)
    .replace(/[^a-z ]/g, '')
    .split(' ')
  return `${first}.${rest.at(-2) ?? rest.at(-1) ?? ''}${suffix}@example.com`
}

const AREA_CODES: Readonly<Record<string, string>> = {
  Aguascalientes: '449',
  'Baja California': '664',
  'Baja California Sur': '624',
  Chihuahua: '614',
  'Ciudad de México': '55',
  Coahuila: '844',
  'Estado de México': '55',
  Guanajuato: '477',
  Jalisco: '33',
  Michoacán: '443',
  Morelos: '777',
  Nayarit: '322',
  'Nuevo León': '81',
  Puebla: '222',
  Querétaro: '442',
  'Quintana Roo': '998',
  'San Luis Potosí': '444',
  Sinaloa: '667',
  Sonora: '662',
  Veracruz: '229',
  Yucatán: '999',
}

/** A real area code, then a zero: no subscriber number starts with one, so no phone rings. */
export function drawPhone(r: Random, state: string): string {
  const area = AREA_CODES[state] ?? '55'
  return `+52${area}${String(int(r, 0, 99_999)).padStart(10 - area.length, '0')}`
}
