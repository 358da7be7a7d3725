import type pg from 'pg'
import { int, pick, type Random } from '../../src/demo/random.ts'
import { foldText } from '../../src/lib/text.ts'

/** Common words of descriptions, most frequent first. */
const COMMON =
  `de en con y la el casa a para recámaras baños cocina sala comedor jardín departamento amplia excelente
  ubicación estacionamiento privada seguridad zona terraza venta alberca vista baño completo área servicio lugares
  patio integral planta nivel cerca centro metros terreno construcción nueva acabados lujo roof garden gimnasio
  fraccionamiento cochera techada closet vestidor principal medio visitas escuelas comerciales plazas avenida
  parque vigilancia acceso controlado elevador amenidades salón eventos juegos infantiles asador bodega cisterna
  hidroneumático calentador solar paneles gas estacionario pisos mármol granito madera cantera chimenea estudio
  oficina tv desayunador barra isla cuarto lavado lavandería tendido azotea balcón luz natural iluminada ventilada
  remodelada estrenar entrega inmediata preventa crédito infonavit bancario escrituras orden oportunidad inversión
  renta amueblado mascotas mantenimiento incluye agua vigilada circuito cerrado cámaras caseta coto residencial
  campestre playa mar laguna golf club tenis pádel cancha familiar tranquila céntrica plusvalía crecimiento`
    .split(/\s+/)
    .filter(Boolean)

const SYLLABLES =
  'ba be bo ca ce co da de do fa fe ga go la le lo ma me mi na ne no pa pe ra re ro sa se so ta te ti va ve za'.split(
    ' ',
  )

export const VOCABULARY_SIZE = 50_000

/** The common words, then invented ones, as rare as names, streets and misspellings. */
export function makeVocabulary(r: Random): string[] {
  const words = new Set(COMMON)
  while (words.size < VOCABULARY_SIZE) {
    words.add(
      Array.from({ length: int(r, 2, 4) }, () => pick(r, SYLLABLES)).join('') + pick(r, ['', 's', 'n', 'l']),
    )
  }
  return [...words]
}

/** Draws ranks by Zipf's law: the n-th word is n times rarer than the first. */
export function zipf(size: number): (r: Random) => number {
  const sums = new Float64Array(size)
  let sum = 0
  for (let rank = 0; rank < size; rank++) {
    sum += 1 / (rank + 2)
    sums[rank] = sum
  }
  return r => {
    const at = r() * sum
    let [low, high] = [0, size - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sums[middle] as number) < at) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** PostgreSQL's lexemes of each word: building the search column here is then a hundred times faster. */
export async function stemAll(client: pg.Client, words: string[]): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ word: string; lexemes: string[] }>(
    `select word, tsvector_to_array(stems(word, folded)) as lexemes
     from unnest($1::text[], $2::text[]) as asked(word, folded)`,
    [words, words.map(foldText)],
  )
  return new Map(rows.map(({ word, lexemes }) => [word, lexemes]))
}
