import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import type { Words } from '../lib/i18n.ts'
import { Problem } from '../lib/problem.ts'
import { turns } from '../lib/turns.ts'

/**
 * What people upload lives in the data folder under random names: `media` is for everybody's eyes, `documents` for the
 * operator's alone. Pictures are decoded and drawn anew, so that neither EXIF nor anything hidden in them survives.
 */
type Shelf = 'media' | 'documents'

const NAME = /^[0-9a-f]{32}(-[a-z]+)?\.(webp|pdf)$/
const MAX_PIXELS = 100_000_000
/** What cameras make. The library reads more, drawings with scripts and links among it. */
const FORMATS: ReadonlySet<string | undefined> = new Set(['jpeg', 'png', 'webp', 'heif'])

export const mediaPath = (name: string): string => `/media/${name}`

export interface Files {
  /** A file of ours, or undefined if there is no such name. */
  path(shelf: Shelf, name: string): string | undefined
  save(shelf: Shelf, name: string, bytes: Buffer): Promise<void>
  remove(shelf: Shelf, name: string): Promise<void>
}

/** Without a data folder nothing can be uploaded, and whoever tries is told. */
export function openFiles(dataDir: string | undefined): Files {
  const folder = (shelf: Shelf) => {
    if (dataDir) return join(dataDir, shelf)
    throw new Problem('server_error', { message: 'There is no folder for files: set LONJA_DATA.' })
  }
  return {
    path: (shelf, name) => (dataDir && NAME.test(name) ? join(dataDir, shelf, name) : undefined),
    async save(shelf, name, bytes) {
      const path = join(folder(shelf), name)
      await mkdir(folder(shelf), { recursive: true, mode: 0o700 })
      // Whole or not at all: a crash leaves no half picture under a name that is in use.
      await writeFile(`${path}.part`, bytes, { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
    async remove(shelf, name) {
      if (NAME.test(name)) await rm(join(folder(shelf), name), { force: true })
    },
  }
}

export const randomName = (): string => randomBytes(16).toString('hex')

interface Drawing {
  maxSide: number
  /** Cut to a square of that side. */
  square?: boolean
  quality?: number
}

/** A small file can hold a picture of hundreds of megabytes: more at once could exhaust the memory. */
const inTurn = turns(2)

/** The picture as WebP, turned upright and no side longer than asked; undefined if it is no picture we can read. */
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

/** Stores a picture in each size, `{ full: { maxSide: 2048 }, thumb: { maxSide: 480 } }`, and answers their names. */
export async function saveImage<Size extends string>(
  files: Files,
  shelf: Shelf,
  bytes: Buffer,
  sizes: Record<Size, Drawing>,
): Promise<Record<Size, string> | undefined> {
  const id = randomName()
  const names: Partial<Record<Size, string>> = {}
  for (const [size, drawing] of Object.entries<Drawing>(sizes)) {
    const drawn = await redraw(bytes, drawing)
    if (!drawn) return undefined
    const name = `${id}-${size}.webp`
    await files.save(shelf, name, drawn)
    names[size as Size] = name
  }
  return names as Record<Size, string>
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

export const isPdf = (bytes: Buffer): boolean => bytes.subarray(0, 5).toString('latin1') === '%PDF-'

/** The public pictures. Their names are random and their content never changes. */
export function registerMedia(app: FastifyInstance, files: Files): void {
  app.get<{ Params: { name: string } }>(
    '/media/:name',
    { schema: { hide: true } },
    async (request, reply) => {
      const path = files.path('media', request.params.name)
      const found = path && (await stat(path).catch(() => undefined))
      if (!path || !found) throw new Problem('not_found')
      return reply
        .type('image/webp')
        .header('content-length', found.size)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(createReadStream(path))
    },
  )
}
