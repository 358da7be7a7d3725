import type { Engine } from './engine.ts'

const MAX_BYTES = 8 * 2 ** 20

/** Whole answers of the present state, for the pages that everybody asks for. Any change forgets them all. */
export class Answers {
  #engine: Engine | undefined
  #revision = 0
  #bytes = 0
  readonly #bodies = new Map<string, Buffer>()

  get(engine: Engine, question: string): Buffer | undefined {
    return this.#engine === engine && this.#revision === engine.revision
      ? this.#bodies.get(question)
      : undefined
  }

  /** `revision` is the state the answer was found in. */
  set(engine: Engine, revision: number, question: string, body: Buffer): void {
    if (revision !== engine.revision) return
    const isFull = this.#bytes + body.length > MAX_BYTES
    if (isFull || this.#engine !== engine || this.#revision !== revision) {
      this.#bodies.clear()
      this.#bytes = 0
      this.#engine = engine
      this.#revision = revision
    }
    this.#bytes += body.length
    this.#bodies.set(question, body)
  }
}
