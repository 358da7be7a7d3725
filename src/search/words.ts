import { sql } from 'kysely'
import type { Sql } from '../db/database.ts'
import { foldText, wordsOf } from '../lib/text.ts'

// What people type, and what listings say. Both sides folded; each word also finds itself.
const SYNONYMS: Record<string, string[]> = {
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
  cdmx: ['méxico'],
}

/**
 * The text of a search as groups of lexemes: a listing must have one of each group. The stemming is
 * PostgreSQL's own, the same that indexed the listings. Words that mean nothing (la, de, con) give no group.
 */
export async function lexemeGroups(db: Sql, q: string): Promise<string[][]> {
  const groups = [...new Set(wordsOf(q))].map(word => [word, ...(SYNONYMS[foldText(word)] ?? [])])
  const words = [...new Set(groups.flat())]
  if (words.length === 0) return []
  const { rows } = await sql<{ word: string; lexemes: string[] }>`
    select word, tsvector_to_array(stems(word, folded)) as lexemes
    from unnest(${words}::text[], ${words.map(foldText)}::text[]) as asked(word, folded)`.execute(db)
  const lexemesOf = new Map(rows.map(({ word, lexemes }) => [word, lexemes]))
  return groups
    .map(group => [...new Set(group.flatMap(word => lexemesOf.get(word) ?? []))])
    .filter(group => group.length > 0)
}
