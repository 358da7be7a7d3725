import { sql } from 'kysely'
import type { Sql } from '../../db/database.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { foldText, wordsOf } from '../../lib/text.ts'

// Words people type, and words listings use. Both are folded; each word also matches itself.
const SYNONYMS = new Map(
  Object.entries<string[]>({
    depa: ['departamento'],
    depas: ['departamento'],
    depto: ['departamento'],
    deptos: ['departamento'],
    dpto: ['departamento'],
    apartamento: ['departamento'],
    apartamentos: ['departamento'],
    rec: ['recámara'],
    recs: ['recámara'],
    recamara: ['habitación', 'cuarto', 'dormitorio'],
    recamaras: ['habitación', 'cuarto', 'dormitorio'],
    habitacion: ['recámara', 'dormitorio'],
    habitaciones: ['recámara', 'dormitorio'],
    dormitorio: ['recámara', 'habitación'],
    dormitorios: ['recámara', 'habitación'],
    cochera: ['garaje', 'estacionamiento'],
    cocheras: ['garaje', 'estacionamiento'],
    garage: ['garaje', 'cochera', 'estacionamiento'],
    garaje: ['cochera', 'estacionamiento'],
    estacionamiento: ['cochera', 'garaje'],
    piscina: ['alberca'],
    piscinas: ['alberca'],
    alberca: ['piscina'],
    albercas: ['piscina'],
    pool: ['alberca'],
    lote: ['terreno'],
    lotes: ['terreno'],
    terreno: ['lote'],
    terrenos: ['lote'],
    nave: ['bodega'],
    fracc: ['fraccionamiento'],
    col: ['colonia'],
    gym: ['gimnasio'],
    elevador: ['ascensor'],
    ascensor: ['elevador'],
    amueblada: ['amueblado'],
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
 * The text of a search as groups of lexemes: a listing must have one of each group. Uses PostgreSQL's stemmer, the same
 * that indexed the listings. Stop words (la, de, con) give no group.
 */
export async function lexemeGroups(
  db: Sql,
  q: string,
  known: BoundedMap<string, string[]> = rememberedStems(),
): Promise<string[][]> {
  const groups = [...new Set(wordsOf(q))].map(word => [
    ...spellings(word),
    ...(SYNONYMS.get(foldText(word)) ?? []),
  ])
  const stems = await stemsOf(db, groups.flat(), known)
  return groups
    .map(group => [...new Set(group.flatMap(word => stems.get(word) ?? []))])
    .filter(group => group.length > 0)
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
