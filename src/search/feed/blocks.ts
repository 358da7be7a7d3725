import { closeSync, openSync, readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Piece, Pieces, PieceType } from '../engine/pieces.ts'

/**
 * Pieces in a file: the length of each in four bytes, and its bytes as they are in memory. All of it is cut into blocks
 * that begin with their own length and checksum, so nothing is believed before it was checked.
 */
const HEAD = 8
/** A block is copied, summed and handed to the disk in about a millisecond. */
const BLOCK = 1 << 20
/** Blocks between two waits for the disk: dirty pages that pile up would delay the commits of a database beside it. */
const SYNCED = 32

export async function writeBlocks(file: FileHandle, pieces: Iterable<Piece>): Promise<number> {
  const block = Buffer.alloc(BLOCK)
  let [end, blocks, total] = [HEAD, 0, 0]
  const flush = async () => {
    block.writeUInt32LE(end - HEAD, 0)
    block.writeUInt32LE(crc32(block.subarray(HEAD, end)), 4)
    await file.writeFile(block.subarray(0, end))
    total += end
    end = HEAD
    if (++blocks % SYNCED === 0) await file.datasync()
  }
  const length = Buffer.alloc(4)
  for (const piece of pieces) {
    length.writeUInt32LE(piece.byteLength)
    for (const bytes of [length, Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)]) {
      for (let at = 0; at < bytes.length; ) {
        if (end === BLOCK) await flush()
        const copied = bytes.copy(block, end, at)
        at += copied
        end += copied
      }
    }
  }
  await flush()
  await file.datasync()
  return total
}

/** Why what was saved cannot be used. */
export class Unusable extends Error {}

/** Synchronous, as the engine is: a block is read in a fraction of a millisecond, or a few from a cold disk. */
export class BlockReader implements Pieces {
  readonly #file: number
  readonly #head = Buffer.alloc(HEAD)
  readonly #block = Buffer.alloc(BLOCK - HEAD)
  #at = 0
  #end = 0

  constructor(path: string) {
    this.#file = openSync(path, 'r')
  }

  next<P extends Piece>(Type: PieceType<P>, spare = 0): P {
    const length = Buffer.alloc(4)
    this.#fill(length)
    const bytes = length.readUInt32LE()
    const piece = new Type(bytes / Type.BYTES_PER_ELEMENT + spare)
    this.#fill(Buffer.from(piece.buffer, 0, bytes))
    return piece
  }

  close(): void {
    closeSync(this.#file)
  }

  #fill(target: Buffer): void {
    for (let at = 0; at < target.length; ) {
      if (this.#at === this.#end) this.#readBlock()
      const copied = this.#block.copy(target, at, this.#at, this.#end)
      at += copied
      this.#at += copied
    }
  }

  #readBlock(): void {
    this.#read(this.#head)
    const length = this.#head.readUInt32LE(0)
    if (length === 0 || length > this.#block.length) throw new Unusable('it is damaged')
    const block = this.#block.subarray(0, length)
    this.#read(block)
    if (crc32(block) !== this.#head.readUInt32LE(4)) throw new Unusable('it is damaged')
    this.#at = 0
    this.#end = length
  }

  #read(target: Buffer): void {
    for (let at = 0; at < target.length; ) {
      const read = readSync(this.#file, target, at, target.length - at, null)
      if (read === 0) throw new Unusable('it is incomplete')
      at += read
    }
  }
}
