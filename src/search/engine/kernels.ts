import { KERNELS } from './kernels-binary.ts'

/** See kernels.wat. */
export interface Kernels {
  and(a: number, b: number, bytes: number): void
  andNot(a: number, b: number, bytes: number): void
  or(a: number, b: number, bytes: number): void
  countBoth(a: number, b: number, bytes: number): number
  addCarry(plane: number, carry: number, bytes: number): number
  passZero(above: number, same: number, plane: number, bytes: number): void
  countNumbered(words: number, numbers: number, bytes: number): number
  setNumbered(words: number, numbers: number, bytes: number): void
  countLabels(a: number, b: number, bytes: number, labels: number, counts: number, size: number): void
  replaceLabels(labels: number, bytes: number, table: number, size: number): void
  addLabeled(words: number, bytes: number, labels: number, table: number, size: number): void
  addPoints(
    a: number,
    b: number,
    bytes: number,
    squares: number,
    lats: number,
    lngs: number,
    first: number,
    sums: number,
    size: number,
  ): void
  widenRanges(
    a: number,
    b: number,
    bytes: number,
    squares: number,
    numbers: number,
    ranges: number,
    size: number,
  ): void
}

const compiled = new WebAssembly.Module(Buffer.from(KERNELS, 'base64'))
export const PAGE = 65_536

export const kernelsOn = (memory: WebAssembly.Memory): Kernels =>
  new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Kernels
