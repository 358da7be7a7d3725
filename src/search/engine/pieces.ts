/** Raw values, as a part of the index saves them and reads them back, in the same order. */
export type Piece = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array

/** Saved pieces, to be read in the order in which they were written. */
export interface Pieces {
  /** Throws if they are incomplete or damaged. `spare` is the capacity to add at the end. */
  next<P extends Piece>(Type: PieceType<P>, spare?: number): P
}

export interface PieceType<P extends Piece> {
  new (length: number): P
  readonly BYTES_PER_ELEMENT: number
}

export const jsonPiece = (value: unknown): Piece => Buffer.from(JSON.stringify(value))

/** The type is what `jsonPiece` was given. */
export const nextJson = <T>(from: Pieces): T => JSON.parse(Buffer.from(from.next(Uint8Array)).toString())
