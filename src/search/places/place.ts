import { foldText } from '../../lib/text.ts'
import { canonicalState } from '../../lookups/states.ts'
import { aliasOf } from './aliases.ts'

/**
 * One part of a typed place: all its possible meanings, of which a listing must match one. A name means the cities,
 * municipalities and neighborhoods that have it or start with it ("Roma" is Roma Norte and Roma Sur).
 */
export interface PlacePart {
  states: string[]
  names: string[]
  /** "col. Centro" is not a city. */
  isNeighborhood: boolean
}

const NEIGHBORHOOD = /^(col|colonia|fracc|fraccionamiento|barrio) (?=\S)/
const KIND = /^(municipio|mpio|alcaldia|delegacion|estado|edo) (de )?(?=\S)/
const CITY = /^ciudad de (?=\S)/
const ARTICLE = /^(el|la|los|las) (?=\S)/
const ARTICLES = ['', 'el ', 'la ', 'los ', 'las ']
const EITHER = / (?:o|u|or) /i

/** "Roma o Condesa": either of them. */
export const alternativesOf = (part: string): string[] => part.trim().replace(/\s+/g, ' ').split(EITHER)

/** "Roma Norte, CDMX": the parts narrow each other; "Roma o Condesa" is one part. Undefined if it has no letter or digit. */
export function readPlace(text: string): PlacePart[] | undefined {
  const parts = text.split(',').map(part => alternativesOf(part).map(foldedName).filter(Boolean))
  const named = parts.filter(names => names.length > 0)
  return named.length > 0 ? named.map(eitherOf).map(cityOfState) : undefined
}

function eitherOf(names: string[]): PlacePart {
  const either = names.map(partOf)
  return {
    states: [...new Set(either.flatMap(({ states }) => states))],
    names: [...new Set(either.flatMap(({ names }) => names))],
    isNeighborhood: either.every(({ isNeighborhood }) => isNeighborhood),
  }
}

/** In "Guanajuato, Guanajuato" the first is the city. */
function cityOfState(part: PlacePart, i: number, parts: readonly PlacePart[]): PlacePart {
  const next = parts[i + 1]
  const isCity = part.names.length > 0 && part.states.some(state => next?.states.includes(state))
  return isCity ? { ...part, states: [] } : part
}

const foldedName = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\p{N}\s]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** One name alone. */
export const readName = (text: string): PlacePart => partOf(foldedName(text))

function partOf(folded: string): PlacePart {
  const name = folded.replace(/^cd (?=\S)/, 'ciudad ')
  const isNeighborhood = NEIGHBORHOOD.test(name)
  if (isNeighborhood)
    return { states: [], names: withArticles(name.replace(NEIGHBORHOOD, '')), isNeighborhood }
  const alias = aliasOf(name) ?? aliasOf(name.replace(KIND, ''))
  if (!alias && CITY.test(name))
    return { states: [], names: [name, ...withArticles(name.replace(CITY, ''))], isNeighborhood }
  const state = canonicalState(name) ?? canonicalState(name.replace(KIND, ''))
  const states = [...(alias?.states ?? []), ...(state ? [state] : [])]
  const own = [name, name.replace(KIND, '')].flatMap(withArticles)
  const names = alias?.names ?? (alias ? [] : own)
  return { states, names: [...names], isNeighborhood }
}

/** The neighborhood "La Condesa" is also written Condesa, and vice versa. */
function withArticles(name: string): string[] {
  const bare = bareName(name)
  // Signs are not part of a typed name: Gustavo A. Madero.
  const written = new Set([bare, bare.replace(/(?<= )\p{L}(?= )/gu, '$&.')])
  return ARTICLES.flatMap(article => [...written].map(one => article + one))
}

export const bareName = (folded: string): string => folded.replace(ARTICLE, '')

export const isCalled = (folded: string, names: readonly string[]): boolean =>
  names.some(name => folded === name || (folded.startsWith(name) && folded[name.length] === ' '))
