import type { Lang } from './i18n.ts'
import { foldText } from './text.ts'
import { timeText, ZONE } from './time.ts'

export interface Whereabouts {
  state: string | null
  city: string | null
  municipality: string | null
}

const STATES: Record<string, string> = {
  'baja california': 'America/Tijuana',
  'baja california sur': 'America/Mazatlan',
  chihuahua: 'America/Chihuahua',
  nayarit: 'America/Mazatlan',
  'quintana roo': 'America/Cancun',
  sinaloa: 'America/Mazatlan',
  sonora: 'America/Hermosillo',
}

/** Municipalities that keep other hours than their state: those at the northern border, and one in Nayarit. */
const MUNICIPALITIES: readonly { state: string; zone: string; names: readonly string[] }[] = [
  {
    state: 'nayarit',
    zone: 'America/Bahia_Banderas',
    names: ['bahia de banderas', 'nuevo vallarta', 'bucerias'],
  },
  {
    state: 'chihuahua',
    zone: 'America/Ciudad_Juarez',
    names: ['juarez', 'ciudad juarez', 'ascension', 'janos', 'guadalupe', 'praxedis g. guerrero'],
  },
  { state: 'chihuahua', zone: 'America/Ojinaga', names: ['ojinaga', 'coyame del sotol', 'manuel benavides'] },
  {
    state: 'coahuila',
    zone: 'America/Matamoros',
    names: [
      ...['acuna', 'ciudad acuna', 'allende', 'guerrero', 'hidalgo', 'jimenez', 'morelos', 'nava', 'ocampo'],
      ...['piedras negras', 'villa union', 'zaragoza'],
    ],
  },
  { state: 'nuevo leon', zone: 'America/Matamoros', names: ['anahuac'] },
  {
    state: 'tamaulipas',
    zone: 'America/Matamoros',
    names: [
      ...['nuevo laredo', 'guerrero', 'mier', 'miguel aleman', 'camargo', 'gustavo diaz ordaz', 'reynosa'],
      ...['rio bravo', 'valle hermoso', 'matamoros'],
    ],
  },
]

/** The time zone of a place, by the law of 2022. A municipality that is not given is taken to be the city. */
export function zoneOf(place: Whereabouts | null | undefined): string {
  if (!place?.state) return ZONE
  const state = foldText(place.state)
  const name = foldText(place.municipality ?? place.city ?? '')
  const special = MUNICIPALITIES.find(one => one.state === state && one.names.includes(name))
  return special?.zone ?? STATES[state] ?? ZONE
}

const NAMES: Record<string, Record<Lang, string>> = {
  [ZONE]: { es: 'hora del centro de México', en: 'central Mexico time' },
  'America/Tijuana': { es: 'hora de Tijuana', en: 'Tijuana time' },
  'America/Mazatlan': { es: 'hora del Pacífico mexicano', en: 'Mexican Pacific time' },
  'America/Chihuahua': { es: 'hora del centro de México', en: 'central Mexico time' },
  'America/Cancun': { es: 'hora de Cancún', en: 'Cancún time' },
  'America/Hermosillo': { es: 'hora de Sonora', en: 'Sonora time' },
  'America/Bahia_Banderas': { es: 'hora del centro de México', en: 'central Mexico time' },
  'America/Ciudad_Juarez': { es: 'hora de Ciudad Juárez', en: 'Ciudad Juárez time' },
  'America/Ojinaga': { es: 'hora de Ojinaga', en: 'Ojinaga time' },
  'America/Matamoros': { es: 'hora de la frontera noreste', en: 'northeastern border time' },
}

export const zoneName = (zone: string, lang: Lang): string => (NAMES[zone] ?? NAMES[ZONE])?.[lang] ?? zone

/** `sábado, 5 de enero de 2030, 10:30 a.m. (hora de Cancún)` */
export const showingText = (at: Date, lang: Lang, place: Whereabouts | null | undefined): string =>
  `${timeText(at, 'longMoment', lang, zoneOf(place))} (${zoneName(zoneOf(place), lang)})`
