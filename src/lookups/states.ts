import { foldText } from '../lib/text.ts'

type State = {
  /** The common name: what we store and show. */
  name: string
  official: string
  /** ISO 3166-2. */
  code: string
  /** First the official abbreviation, then other spellings seen in listings. */
  aliases: readonly string[]
  /** Mean of the state's populated places (GeoNames, CC BY 4.0). */
  center: { lat: number; lng: number }
}

export const STATES: readonly State[] = [
  {
    name: 'Aguascalientes',
    official: 'Aguascalientes',
    code: 'MX-AGU',
    aliases: ['Ags.'],
    center: { lat: 22.016, lng: -102.307 },
  },
  {
    name: 'Baja California',
    official: 'Baja California',
    code: 'MX-BCN',
    aliases: ['B.C.', 'BC', 'Baja California Norte'],
    center: { lat: 32.018, lng: -115.963 },
  },
  {
    name: 'Baja California Sur',
    official: 'Baja California Sur',
    code: 'MX-BCS',
    aliases: ['B.C.S.', 'BCS'],
    center: { lat: 25.003, lng: -111.384 },
  },
  {
    name: 'Campeche',
    official: 'Campeche',
    code: 'MX-CAM',
    aliases: ['Camp.'],
    center: { lat: 19.341, lng: -90.52 },
  },
  {
    name: 'Coahuila',
    official: 'Coahuila de Zaragoza',
    code: 'MX-COA',
    aliases: ['Coah.'],
    center: { lat: 26.443, lng: -102.336 },
  },
  {
    name: 'Colima',
    official: 'Colima',
    code: 'MX-COL',
    aliases: ['Col.'],
    center: { lat: 19.154, lng: -103.911 },
  },
  {
    name: 'Chiapas',
    official: 'Chiapas',
    code: 'MX-CHP',
    aliases: ['Chis.'],
    center: { lat: 16.404, lng: -92.565 },
  },
  {
    name: 'Chihuahua',
    official: 'Chihuahua',
    code: 'MX-CHH',
    aliases: ['Chih.'],
    center: { lat: 28.623, lng: -106.67 },
  },
  {
    name: 'Ciudad de México',
    official: 'Ciudad de México',
    code: 'MX-CMX',
    aliases: [
      'CDMX',
      'Distrito Federal',
      'D.F.',
      'DF',
      'Mexico City',
      'Cd. de México',
      'México D.F.',
      'MX-DIF',
    ],
    center: { lat: 19.31, lng: -99.116 },
  },
  {
    name: 'Durango',
    official: 'Durango',
    code: 'MX-DUR',
    aliases: ['Dgo.'],
    center: { lat: 24.958, lng: -104.238 },
  },
  {
    name: 'Guanajuato',
    official: 'Guanajuato',
    code: 'MX-GUA',
    aliases: ['Gto.'],
    center: { lat: 20.716, lng: -101.135 },
  },
  {
    name: 'Guerrero',
    official: 'Guerrero',
    code: 'MX-GRO',
    aliases: ['Gro.'],
    center: { lat: 17.489, lng: -99.493 },
  },
  {
    name: 'Hidalgo',
    official: 'Hidalgo',
    code: 'MX-HID',
    aliases: ['Hgo.'],
    center: { lat: 20.315, lng: -98.867 },
  },
  {
    name: 'Jalisco',
    official: 'Jalisco',
    code: 'MX-JAL',
    aliases: ['Jal.'],
    center: { lat: 20.528, lng: -103.341 },
  },
  {
    name: 'Estado de México',
    official: 'México',
    code: 'MX-MEX',
    aliases: [
      'Edomex',
      'Edo. de México',
      'Edo. Mex.',
      'Edo. Méx.',
      'State of Mexico',
      'Mexico State',
      'Méx.',
    ],
    center: { lat: 19.451, lng: -99.503 },
  },
  {
    name: 'Michoacán',
    official: 'Michoacán de Ocampo',
    code: 'MX-MIC',
    aliases: ['Mich.'],
    center: { lat: 19.641, lng: -101.592 },
  },
  {
    name: 'Morelos',
    official: 'Morelos',
    code: 'MX-MOR',
    aliases: ['Mor.'],
    center: { lat: 18.792, lng: -99.071 },
  },
  {
    name: 'Nayarit',
    official: 'Nayarit',
    code: 'MX-NAY',
    aliases: ['Nay.'],
    center: { lat: 21.532, lng: -105.059 },
  },
  {
    name: 'Nuevo León',
    official: 'Nuevo León',
    code: 'MX-NLE',
    aliases: ['N.L.', 'NL'],
    center: { lat: 25.636, lng: -100.119 },
  },
  {
    name: 'Oaxaca',
    official: 'Oaxaca',
    code: 'MX-OAX',
    aliases: ['Oax.'],
    center: { lat: 17.02, lng: -96.672 },
  },
  {
    name: 'Puebla',
    official: 'Puebla',
    code: 'MX-PUE',
    aliases: ['Pue.'],
    center: { lat: 19.237, lng: -97.857 },
  },
  {
    name: 'Querétaro',
    official: 'Querétaro',
    code: 'MX-QUE',
    aliases: ['Qro.', 'Querétaro de Arteaga', 'Querétaro Arteaga'],
    center: { lat: 20.614, lng: -100.148 },
  },
  {
    name: 'Quintana Roo',
    official: 'Quintana Roo',
    code: 'MX-ROO',
    aliases: ['Q. Roo', 'Q.R.', 'QROO'],
    center: { lat: 19.633, lng: -88.137 },
  },
  {
    name: 'San Luis Potosí',
    official: 'San Luis Potosí',
    code: 'MX-SLP',
    aliases: ['S.L.P.', 'SLP'],
    center: { lat: 22.083, lng: -100.083 },
  },
  {
    name: 'Sinaloa',
    official: 'Sinaloa',
    code: 'MX-SIN',
    aliases: ['Sin.'],
    center: { lat: 25.0, lng: -107.896 },
  },
  {
    name: 'Sonora',
    official: 'Sonora',
    code: 'MX-SON',
    aliases: ['Son.'],
    center: { lat: 28.776, lng: -110.341 },
  },
  {
    name: 'Tabasco',
    official: 'Tabasco',
    code: 'MX-TAB',
    aliases: ['Tab.'],
    center: { lat: 18.038, lng: -92.943 },
  },
  {
    name: 'Tamaulipas',
    official: 'Tamaulipas',
    code: 'MX-TAM',
    aliases: ['Tamps.'],
    center: { lat: 24.128, lng: -98.572 },
  },
  {
    name: 'Tlaxcala',
    official: 'Tlaxcala',
    code: 'MX-TLA',
    aliases: ['Tlax.'],
    center: { lat: 19.361, lng: -98.185 },
  },
  {
    name: 'Veracruz',
    official: 'Veracruz de Ignacio de la Llave',
    code: 'MX-VER',
    aliases: ['Ver.', 'Veracruz-Llave'],
    center: { lat: 19.333, lng: -96.619 },
  },
  {
    name: 'Yucatán',
    official: 'Yucatán',
    code: 'MX-YUC',
    aliases: ['Yuc.'],
    center: { lat: 20.809, lng: -89.135 },
  },
  {
    name: 'Zacatecas',
    official: 'Zacatecas',
    code: 'MX-ZAC',
    aliases: ['Zac.'],
    center: { lat: 22.858, lng: -102.613 },
  },
]

const stateKey = (text: string): string => foldText(text).replace(/[.\s]/g, '')

const byKey = new Map<string, string>(
  STATES.flatMap(state =>
    [state.name, state.official, state.code, ...state.aliases].map((spelling): [string, string] => [
      stateKey(spelling),
      state.name,
    ]),
  ),
)

/** The stored name of a state for any of its spellings. `México` alone is the Estado de México, never the city. */
export function canonicalState(text: string): string | undefined {
  return byKey.get(stateKey(text))
}
