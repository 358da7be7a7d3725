import type { PropertyType } from '../../lookups/catalog.ts'

/** Where the drawings are served. Stored URLs are the public URL followed by this path. */
export const PICTURES = '/demo/pictures'

export const picturePath = (type: PropertyType, seed: number, index: number): string =>
  `${PICTURES}/${type}/${seed}/${index}.svg`

/** Of an agent. */
export const portraitPath = (seed: number): string => `${PICTURES}/agent/${seed}/0.svg`

export const signPath = (seed: number): string => `${PICTURES}/agency/${seed}/0.svg`
