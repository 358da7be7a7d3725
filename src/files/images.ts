import { randomBytes } from 'node:crypto'
import sharp, { type Metadata } from 'sharp'
import type { Words } from '../lib/i18n.ts'
import { fairTurns } from '../lib/turns.ts'
import type { Prepared } from './uploads.ts'

/** Of a JPEG most is left out while it is read; the pixels of other formats are all read, twice as many bytes if 16 bits deep. */
const MAX_PIXELS = { jpeg: 100_000_000, other: 40_000_000 }
const MAX_SECONDS = 10
/** What cameras make. The library reads more, drawings with scripts and links among it. */
const FORMATS: ReadonlySet<string | undefined> = new Set(['jpeg', 'png', 'webp', 'heif'])

export const randomName = (): string => randomBytes(16).toString('hex')

interface Drawing {
  maxSide: number
  /** Cut to a square of that side. */
  square?: boolean
  quality?: number
}

/** A small file can hold a picture of hundreds of megabytes: more at once could exhaust the memory. By account, in turns. */
const pictureTurns = fairTurns({ running: 2, runningPerKey: 1, waiting: 40, waitingPerKey: 12 })

/**
 * The picture as WebP, upright and no side longer than `maxSide`; undefined if it is no picture we can read. Decoding
 * and encoding again leaves neither EXIF nor anything hidden in the file.
 */
export const redraw = (bytes: Buffer, drawing: Drawing, who = 'somebody'): Promise<Buffer | undefined> =>
  pictureTurns.run(who, () => draw(bytes, drawing))

function isTooLarge({ format, width = 0, height = 0, depth }: Metadata): boolean {
  const most = format === 'jpeg' ? MAX_PIXELS.jpeg : MAX_PIXELS.other
  return width * height * (depth === 'uchar' ? 1 : 2) > most
}

async function draw(bytes: Buffer, { maxSide, square = false, quality = 80 }: Drawing) {
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS.jpeg, failOn: 'error' })
    const metadata = await image.metadata()
    if (!FORMATS.has(metadata.format) || isTooLarge(metadata)) return undefined
    return await image
      .timeout({ seconds: MAX_SECONDS })
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
  /** Whose turn it takes: an account's pictures are drawn one after the other. */
  who?: string,
): Promise<Picture<Size> | undefined> {
  const id = randomName()
  const contents: Prepared['contents'] = []
  const names: Record<string, string> = {}
  for (const [size, drawing] of Object.entries<Drawing>(sizes)) {
    const content = await redraw(bytes, drawing, who)
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
