import type { PropertyType } from '../../lookups/catalog.ts'

/** Where the process serves its drawings. What is stored is this behind the public address. */
export const PICTURES = '/demo/pictures'

export const picturePath = (type: PropertyType, seed: number, index: number): string =>
  `${PICTURES}/${type}/${seed}/${index}.svg`

export const signPath = (seed: number): string => `${PICTURES}/agency/${seed}/0.svg`
