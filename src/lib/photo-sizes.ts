/** AVIF beside the WebP of an uploaded photo: longest side by the name of the size. Drawn after the upload. */
export const AVIF_SIDES = { thumb: 640, medium: 1_280 } as const

export const avifNames = (id: string): string[] => Object.keys(AVIF_SIDES).map(size => `${id}-${size}.avif`)

const UPLOADED = /^(\/media\/[0-9a-f]{32})-(full|thumb)\.webp$/

/** Candidates for a browser to choose from; undefined for pictures that we do not store. */
export function photoSources(path: string): { avif: string; webp: string | undefined } | undefined {
  const [, id, size] = UPLOADED.exec(path) ?? []
  if (!id) return undefined
  // A card is small: the larger sizes would only cost more on a phone with a dense screen.
  if (size === 'thumb') return { avif: `${id}-thumb.avif`, webp: undefined }
  return {
    avif: `${id}-thumb.avif ${AVIF_SIDES.thumb}w, ${id}-medium.avif ${AVIF_SIDES.medium}w`,
    webp: `${id}-thumb.webp 640w, ${id}-full.webp 2048w`,
  }
}
