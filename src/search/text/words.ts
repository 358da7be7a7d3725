import { sql } from 'kysely'
import type { Sql } from '../../db/database.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { foldText, wordsOf } from '../../lib/text.ts'
import type { WordGroup } from '../criteria.ts'
import { type Meant, meaningsOf } from './meanings.ts'

/** Words that stand for each other. Each matches all the words of its line. */
const SYNONYMS = new Map(
  [
    'departamento departamentos depa depas depto deptos dpto dptos apartamento apartamentos',
    'recámara recámaras rec recs habitación habitaciones dormitorio dormitorios cuarto cuartos alcoba alcobas',
    'cochera cocheras garaje garajes garage garages estacionamiento estacionamientos',
    'alberca albercas piscina piscinas pool pools',
    'terreno terrenos lote lotes predio predios',
    'bodega bodegas nave naves',
    'gimnasio gimnasios gym gyms',
    'elevador elevadores ascensor ascensores',
    'amueblado amueblada amueblados amuebladas',
    'renta rentas rento alquiler alquileres alquilo arriendo arrendamiento',
    'mascota mascotas pet pets',
    'seguridad vigilancia',
    'rancho ranchos quinta quintas finca fincas',
    'playa playas beach beaches',
    'mar océano ocean',
  ].flatMap(line => {
    const words = line.split(' ')
    return words.map(word => [foldText(word), words] as const)
  }),
)

/** The stemmer strips -ión and -iones but not -ion, a common spelling: habitacion would not match habitaciones. */
function spellings(word: string): string[] {
  if (word.endsWith('ion')) return [word, word.replace(/on$/, 'ón')]
  if (word.endsWith('iones')) return [word, word.replace(/es$/, '')]
  return [word]
}

/** A cache of stemmed query words; the stemmer is deterministic. */
export const rememberedStems = () => new BoundedMap<string, string[]>({ entries: 10_000 })

/**
 * The text of a search as groups, all of which a listing must match. Uses PostgreSQL's stemmer, the same that indexed the
 * listings. Stop words (la, de, con) give no group; noise (colonia) gives one only if there is nothing else.
 */
export async function wordGroups(
  db: Sql,
  q: string,
  known: BoundedMap<string, string[]> = rememberedStems(),
): Promise<WordGroup[]> {
  const typed = wordsOf(q)
  const meant = meaningsOf(typed.map(foldText))
  const read = typed.map((word, i) => ({
    forms: [word, ...(SYNONYMS.get(foldText(word)) ?? [])].flatMap(spellings),
    ...(meant[i] as Meant),
  }))
  const stems = await stemsOf(
    db,
    read.flatMap(({ forms }) => forms),
    known,
  )
  const groups = read.flatMap(({ forms, isNoise, meaning }, i) => {
    // A stop word has no synonyms and means nothing alone.
    if ((stems.get(typed[i] as string) ?? []).length === 0) return []
    const lexemes = [...new Set(forms.flatMap(form => stems.get(form) ?? []))]
    return [{ isNoise, group: { lexemes, ...(meaning ? { meaning } : {}) } }]
  })
  const meaningful = groups.filter(({ isNoise }) => !isNoise)
  const kept = (meaningful.length > 0 ? meaningful : groups).map(({ group }) => group)
  return [...new Map(kept.map(group => [JSON.stringify(group), group])).values()]
}

/** The lexemes of these words; stop words have none. */
export async function stemsOf(
  db: Sql,
  words: string[],
  known: BoundedMap<string, string[]>,
): Promise<Map<string, string[]>> {
  const wanted = [...new Set(words)]
  const unknown = wanted.filter(word => !known.has(word))
  const stemmed = unknown.length === 0 ? new Map<string, string[]>() : await stem(db, unknown)
  const stems = new Map(wanted.map(word => [word, known.get(word) ?? stemmed.get(word) ?? []]))
  for (const [word, lexemes] of stemmed) known.set(word, lexemes)
  return stems
}

async function stem(db: Sql, words: string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ word: string; lexemes: string[] }>`
    select word, tsvector_to_array(stems(word, folded)) as lexemes
    from unnest(${words}::text[], ${words.map(foldText)}::text[]) as asked(word, folded)`.execute(db)
  return new Map(rows.map(({ word, lexemes }) => [word, lexemes]))
}
