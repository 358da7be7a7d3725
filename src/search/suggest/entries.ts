import { AMENITIES } from '../../lookups/amenities.ts'
import { PROPERTY_TYPES, propertyTypes } from '../../lookups/catalog.ts'
import { STATES } from '../../lookups/states.ts'
import type { Filters } from '../criteria.ts'
import type { Engine } from '../engine/engine.ts'
import { aliasGroups } from '../places/aliases.ts'
import { readPlace } from '../places/place.ts'
import { type Gazetteer, titled } from '../understand/gazetteer.ts'
import type { KnownPlace } from '../understand/known-places.ts'
import { AMENITY_PHRASES, TYPE_PHRASES } from '../understand/vocabulary.ts'
import { Completions, type Entry } from './completions.ts'

/** Public, and in the directory. */
export interface NamedAgent {
  id: string
  name: string
  slug: string
}

/** Listings that only the public sees. */
export const countPublic = (engine: Engine, filters: Filters): number =>
  engine.select(filters, null, 'all', { groups: [] }).count()

/** Everything that has public listings. Yields now and then: a large market has many names. */
export function* completionsOf(
  engine: Engine,
  gazetteer: Gazetteer,
  agents: readonly NamedAgent[],
): Generator<void, Completions> {
  const completions = new Completions()
  const add = (entry: Omit<Entry, 'count'>, names: Iterable<string>, count?: number) => {
    const known = count ?? countPublic(engine, entry.filters())
    if (known > 0) completions.add({ ...entry, count: known }, names)
  }
  for (const type of propertyTypes) {
    const filters = () => ({ types: [type] })
    const { es, en } = PROPERTY_TYPES[type]
    add({ kind: 'type', es, en, parameters: { type }, filters }, [es, en, ...phrasesOf(TYPE_PHRASES, type)])
  }
  for (const { label, en } of AMENITIES) {
    yield
    const [parameters, filters] = [{ features: label }, () => ({ features: [label] })]
    const names = [label, en, ...phrasesOf(AMENITY_PHRASES, label)]
    add({ kind: 'amenity', es: label, en, parameters, filters }, names)
  }
  yield* addPlaces(gazetteer.places, add)
  for (const [i, { id, name, slug }] of agents.entries()) {
    if (i % 100 === 0) yield
    const [parameters, filters] = [{ agent: slug }, () => ({ agents: [id] })]
    let count = 0
    for (const slot of engine.slotsOf(id)?.slots() ?? []) if (engine.shown.has(slot)) count++
    add({ kind: 'agent', es: name, en: name, parameters, filters, slug }, [name], count)
  }
  return completions
}

function* phrasesOf(phrases: ReadonlyMap<string, string>, value: string): Generator<string> {
  for (const [phrase, one] of phrases) if (one === value) yield phrase
}

type Add = (entry: Omit<Entry, 'count'>, names: Iterable<string>, count?: number) => void

function* addPlaces(places: readonly KnownPlace[], add: Add): Generator<void> {
  for (const [i, place] of places.entries()) {
    if (i % 20 === 0) yield
    addPlace(labelOf(place), [place.name, ...otherNames(place)], add, place.count)
  }
  for (const { names, meant } of aliasGroups) {
    yield
    // The others are other names of one place.
    if (meant.names && meant.names.length > 1 && names[0]) addPlace(titled(names[0]), names, add)
  }
}

function addPlace(label: string, names: Iterable<string>, add: Add, count?: number): void {
  const filters = () => ({ place: readPlace(label) ?? [] })
  add({ kind: 'place', es: label, en: label, parameters: { place: label }, filters }, names, count)
}

/** A comma in a name would make it two. */
const labelOf = ({ name, within }: KnownPlace) =>
  [name, within].flatMap(part => (part === null ? [] : [part.replaceAll(',', ' ')])).join(', ')

/** "Edomex" is a state, "GDL" a city. */
function otherNames({ name, folded, kind }: KnownPlace): string[] {
  if (kind === 'neighborhood') return []
  const isMeant = ({ meant }: (typeof aliasGroups)[number]) =>
    kind === 'state' ? meant.states?.[0] === name : meant.names?.length === 1 && meant.names[0] === folded
  const aliases = aliasGroups.filter(isMeant).flatMap(({ names }) => names)
  const state = kind === 'state' ? STATES.find(one => one.name === name) : undefined
  return [...aliases, ...(state ? [state.official, ...state.aliases] : [])]
}
