import type { Bitmap } from './bitmap.ts'
import type { Scratch, ScratchBitmap } from './scratch.ts'

/**
 * Where one group of words matches, by weight: description 0, features 1, place 2, title 3, and 4 for a listing that is what
 * the words mean; undefined for no match.
 */
export type Places = readonly (Bitmap | undefined)[]

/**
 * Relevance of all hits at once: each group adds the value of its best weight, 16, 8, 4, 2 or 1. Bitmap i of the result
 * holds bit i of each hit's sum; sums are computed like a hardware adder.
 */
export function scoresOf(hits: Bitmap, groups: readonly Places[], scratch: Scratch): Bitmap[] {
  if (groups.length === 0) return []
  const most = groups.reduce((sum, places) => sum + 2 ** (places.length - 1), 0)
  const planes = Array.from({ length: 32 - Math.clz32(most) }, () => scratch.empty())
  for (const places of groups) scratch.within(() => addBest(planes, places, hits, scratch))
  return planes
}

function addBest(planes: readonly ScratchBitmap[], places: Places, hits: Bitmap, scratch: Scratch): void {
  const left = scratch.copyOf(hits)
  const carry = scratch.empty()
  for (const [weight, place] of [...places.entries()].reverse()) {
    if (!place) continue
    carry.copy(left)
    carry.and(place)
    left.andNot(place)
    for (const plane of planes.slice(weight)) if (!plane.addCarry(carry)) break
  }
}
