import { setImmediate as breathe } from 'node:timers/promises'
import { AMENITIES } from '../../lookups/amenities.ts'
import { PROPERTY_TYPES, propertyTypes } from '../../lookups/catalog.ts'
import { STATES } from '../../lookups/states.ts'
import { aliasGroups } from '../places/aliases.ts'
import { readPlace } from '../places/place.ts'
import type { Search } from '../service.ts'
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

/** Everything that has public listings. */
export async function completionsOf(
  search: Search,
  gazetteer: Gazetteer,
  agents: readonly NamedAgent[],
): Promise<Completions> {
  const completions = new Completions()
  const named: Named[] = [...typesAndAmenities(), ...regions()]
  const options = named.map(({ entry }) => entry.filters())
  const [counts = []] = await search.countOptions([{ rest: {}, options }], undefined, null, 'all')
  for (const [i, { entry, names }] of named.entries()) add(completions, entry, names, counts[i] ?? 0)
  for (const [i, place] of gazetteer.places.entries()) {
    if (i % 100 === 0) await breathe()
    add(completions, placeEntry(labelOf(place)), [place.name, ...otherNames(place)], place.count)
  }
  const shares = await search.sharesOf(agents.map(({ id }) => id))
  for (const [i, { id, name, slug }] of agents.entries()) {
    if (i % 100 === 0) await breathe()
    const [parameters, filters] = [{ agent: slug }, () => ({ agents: [id] })]
    const entry = { kind: 'agent' as const, es: name, en: name, parameters, filters, slug }
    add(completions, entry, [name], shares.get(id)?.listings ?? 0)
  }
  return completions
}

type Uncounted = Omit<Entry, 'count'>

interface Named {
  entry: Uncounted
  names: Iterable<string>
}

function add(completions: Completions, entry: Uncounted, names: Iterable<string>, count: number): void {
  if (count > 0) completions.add({ ...entry, count }, names)
}

function* typesAndAmenities(): Generator<Named> {
  for (const type of propertyTypes) {
    const { es, en } = PROPERTY_TYPES[type]
    const entry = { kind: 'type' as const, es, en, parameters: { type }, filters: () => ({ types: [type] }) }
    yield { entry, names: [es, en, ...phrasesOf(TYPE_PHRASES, type)] }
  }
  for (const { label, en } of AMENITIES) {
    const [parameters, filters] = [{ features: label }, () => ({ features: [label] })]
    const entry = { kind: 'amenity' as const, es: label, en, parameters, filters }
    yield { entry, names: [label, en, ...phrasesOf(AMENITY_PHRASES, label)] }
  }
}

function* phrasesOf(phrases: ReadonlyMap<string, string>, value: string): Generator<string> {
  for (const [phrase, one] of phrases) if (one === value) yield phrase
}

/** Of the aliases, those that are not just another name of one place. */
function* regions(): Generator<Named> {
  for (const { names, meant } of aliasGroups) {
    if (meant.names && meant.names.length > 1 && names[0])
      yield { entry: placeEntry(titled(names[0])), names }
  }
}

const placeEntry = (label: string): Uncounted => ({
  kind: 'place',
  es: label,
  en: label,
  parameters: { place: label },
  filters: () => ({ place: readPlace(label) ?? [] }),
})

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
