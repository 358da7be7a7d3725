import type { Bitmap } from './bitmap.ts'
import type { Scratch } from './scratch.ts'

/**
 * Where one group of words matches, by weight: description 0, features 1, place 2, title 3, and 4 for a listing that is what
 * the words mean; undefined for no match.
 */
export type Places = readonly (Bitmap | undefined)[]

/**
 * Relevance of all hits at once: each group adds the value of its best weight, 16, 8, 4, 2 or 1. Bitmap i of the result
 * holds bit i of each hit's sum; sums are computed like a hardware adder, 32 listings at a time.
 */
export function scoresOf(hits: Bitmap, groups: readonly Places[], scratch: Scratch): Bitmap[] {
  if (groups.length === 0) return []
  const most = groups.reduce((sum, places) => sum + 2 ** (places.length - 1), 0)
  const planes = Array.from({ length: 32 - Math.clz32(most) }, () => scratch.empty())
  const sums = new Int32Array(planes.length)
  for (let i = 0; i < hits.words.length; i++) {
    const among = hits.words[i] as number
    if (among === 0) continue
    sums.fill(0)
    for (const places of groups) addBest(sums, places, i, among)
    for (let bit = 0; bit < planes.length; bit++) (planes[bit] as Bitmap).words[i] = sums[bit] as number
  }
  return planes
}

function addBest(sums: Int32Array, places: Places, at: number, among: number): void {
  let left = among
  for (let weight = places.length - 1; weight >= 0 && left !== 0; weight--) {
    const place = places[weight]
    if (!place) continue
    // A set may be shorter than the hits.
    let carry = at < place.words.length ? (place.words[at] as number) & left : 0
    left &= ~carry
    for (let bit = weight; carry !== 0; bit++) {
      const sum = sums[bit] as number
      sums[bit] = sum ^ carry
      carry &= sum
    }
  }
}
