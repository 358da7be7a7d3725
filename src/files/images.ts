import { randomBytes } from 'node:crypto'
import sharp, { type Metadata } from 'sharp'
import type { Words } from '../lib/i18n.ts'
import { fairTurns } from '../lib/turns.ts'
import type { Prepared } from './uploads.ts'

/** JPEG is downscaled while decoding; other formats are decoded in full, at twice the bytes if 16 bits deep. */
const MAX_PIXELS = { jpeg: 100_000_000, other: 40_000_000 }
const MAX_SECONDS = 10
/** Camera formats. The library reads more, including drawings with scripts and links. */
const FORMATS: ReadonlySet<string | undefined> = new Set(['jpeg', 'png', 'webp', 'heif'])

export const randomName = (): string => randomBytes(16).toString('hex')

interface Drawing {
  maxSide: number
  /** Crops to a square of that side. */
  square?: boolean
  quality?: number
}

/** A small file can decode to hundreds of megabytes: more at once could exhaust memory. Accounts take turns. */
const pictureTurns = fairTurns({ running: 2, runningPerKey: 1, waiting: 40, waitingPerKey: 12 })

/**
 * The image as WebP, upright, with no side longer than `maxSide`; undefined if it cannot be decoded. Re-encoding drops
 * EXIF and anything hidden in the file.
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

/** Effort 3 is a twentieth larger than 4, at a fifth of the time. Of our own WebP, so nothing in it is hostile. */
export const redrawAvif = (bytes: Buffer, maxSide: number): Promise<Buffer> =>
  pictureTurns.run('variants', () =>
    sharp(bytes)
      .timeout({ seconds: 60 })
      .resize({ width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true })
      .avif({ quality: 52, effort: 3 })
      .toBuffer(),
  )

/** For previews in other apps: a JPEG of the size they show. */
export const shareJpeg = (image: Buffer | string): Promise<Buffer> =>
  pictureTurns.run('previews', () =>
    sharp(Buffer.from(image))
      .timeout({ seconds: MAX_SECONDS })
      .resize({ width: 1_200, height: 630, fit: 'cover' })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 80 })
      .toBuffer(),
  )

/** An image that is not stored yet, and the names of its files. */
export interface Picture<Size extends string> extends Prepared {
  names: Record<Size, string>
}

/**
 * Renders an image in each size, `{ full: { maxSide: 2048 }, thumb: { maxSide: 480 } }`; undefined if it cannot be
 * decoded.
 */
export async function preparePicture<Size extends string>(
  bytes: Buffer,
  sizes: Record<Size, Drawing>,
  /** The account whose turn it takes: its images are processed one at a time. */
  who?: string,
  id = randomName(),
): Promise<Picture<Size> | undefined> {
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

// Brands of the container phones use for HEVC images; the library reads only its AVIF variant.
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'])

/** Whether an unreadable file is an iPhone photo, so that the message can suggest a fix. */
export const isHeic = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 4, 8) === 'ftyp' && HEIC_BRANDS.has(bytes.toString('latin1', 8, 12))

export const heicAdvice = (t: Words): string =>
  t(
    'HEIC, el formato del iPhone, no lo podemos leer. Elige Configuración → Cámara → Formatos → Más compatible, o comparte la foto como JPEG.',
    'We cannot read HEIC, the format of iPhones. Choose Settings → Camera → Formats → Most Compatible, or share the photo as JPEG.',
  )

/** PDFs are stored unchanged: only operators download them. */
export function preparePdf(bytes: Buffer): Prepared & { name: string } {
  const id = randomName()
  const name = `${id}.pdf`
  return { id, name, contents: [{ name, content: bytes }] }
}

export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 5).toString('latin1') === '%PDF-'
