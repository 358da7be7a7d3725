import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import type { Words } from '../lib/i18n.ts'
import { turns } from '../lib/turns.ts'
import type { Prepared } from './uploads.ts'

const MAX_PIXELS = 100_000_000
/** What cameras make. The library reads more, drawings with scripts and links among it. */
const FORMATS: ReadonlySet<string | undefined> = new Set(['jpeg', 'png', 'webp', 'heif'])

export const randomName = (): string => randomBytes(16).toString('hex')

interface Drawing {
  maxSide: number
  /** Cut to a square of that side. */
  square?: boolean
  quality?: number
}

/** A small file can hold a picture of hundreds of megabytes: more at once could exhaust the memory. */
const inTurn = turns(2)

/**
 * The picture as WebP, upright and no side longer than `maxSide`; undefined if it is no picture we can read. Decoding
 * and encoding again leaves neither EXIF nor anything hidden in the file.
 */
export const redraw = (bytes: Buffer, drawing: Drawing): Promise<Buffer | undefined> =>
  inTurn(() => draw(bytes, drawing))

async function draw(bytes: Buffer, { maxSide, square = false, quality = 80 }: Drawing) {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    if (!FORMATS.has((await image.metadata()).format)) return undefined
    return await image
      .rotate()
      .resize({
        width: maxSide,
        height: maxSide,
        fit: square ? 'cover' : 'inside',
        withoutEnlargement: !square,
      })
      .webp({ quality })
      .toBuffer()
  } catch {
    return undefined
  }
}

/** A picture that nothing is stored of yet, and what its files will be called. */
export interface Picture<Size extends string> extends Prepared {
  names: Record<Size, string>
}

/**
 * Draws a picture in each size, `{ full: { maxSide: 2048 }, thumb: { maxSide: 480 } }`; undefined if it is no picture
 * we can read.
 */
export async function preparePicture<Size extends string>(
  bytes: Buffer,
  sizes: Record<Size, Drawing>,
): Promise<Picture<Size> | undefined> {
  const id = randomName()
  const contents: Prepared['contents'] = []
  const names: Record<string, string> = {}
  for (const [size, drawing] of Object.entries<Drawing>(sizes)) {
    const content = await redraw(bytes, drawing)
    if (!content) return undefined
    const name = `${id}-${size}.webp`
    contents.push({ name, content })
    names[size] = name
  }
  return { id, contents, names: names as Record<Size, string> }
}

// Brands of the container in which phones keep HEVC pictures; the library reads its AVIF kind alone.
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Whether what could not be read is what iPhones make, so that one can say what helps. */
export const isHeic = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 4, 8) === 'ftyp' && HEIC_BRANDS.has(bytes.toString('latin1', 8, 12))

export const heicAdvice = (t: Words): string =>
  t(
    'HEIC, el formato del iPhone, no lo podemos leer. Elige Configuración → Cámara → Formatos → Más compatible, o comparte la foto como JPEG.',
    'We cannot read HEIC, the format of iPhones. Choose Settings → Camera → Formats → Most Compatible, or share the photo as JPEG.',
  )

/** A PDF stays as it is: it is only ever downloaded, by operators. */
export function preparePdf(bytes: Buffer): Prepared & { name: string } {
  const id = randomName()
  const name = `${id}.pdf`
  return { id, name, contents: [{ name, content: bytes }] }
}

export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 5).toString('latin1') === '%PDF-'
