import type { Engine } from './engine.ts'

export interface Answer {
  /** Whole, as JSON. */
  body: Buffer
  /** Goes on after this page; undefined on the last one. */
  cursor: string | undefined
}

const MAX_BYTES = 8 * 2 ** 20

/** Whole answers of the present state, for the pages that everybody asks for. Any change forgets them all. */
export class Answers {
  #engine: Engine | undefined
  #revision = 0
  #bytes = 0
  readonly #answers = new Map<string, Answer>()

  get(engine: Engine, question: string): Answer | undefined {
    return this.#engine === engine && this.#revision === engine.revision
      ? this.#answers.get(question)
      : undefined
  }

  /** `revision` is the state the answer was found in. */
  set(engine: Engine, revision: number, question: string, answer: Answer): void {
    if (revision !== engine.revision) return
    const isFull = this.#bytes + answer.body.length > MAX_BYTES
    if (isFull || this.#engine !== engine || this.#revision !== revision) {
      this.#answers.clear()
      this.#bytes = 0
      this.#engine = engine
      this.#revision = revision
    }
    this.#bytes += answer.body.length
    this.#answers.set(question, answer)
  }
}
