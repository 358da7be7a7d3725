import { BoundedMap } from '../../lib/bounded-map.ts'
import type { Engine } from './engine.ts'

export interface Answer {
  /** Whole, as JSON. */
  body: Buffer
  /** Of all that was found, not of the page. */
  total: number
  /** Goes on after this page; undefined on the last one. */
  cursor: string | undefined
}

const MAX_BYTES = 8 * 2 ** 20
const MAX_ANSWERS = 10_000

/** Whole answers of the present state, for the pages that everybody asks for. Any change forgets them all. */
export class Answers {
  #engine: Engine | undefined
  #revision = 0
  /** A question may be longer than its answer, and strangers think of them: it counts too. */
  readonly #answers = new BoundedMap<string, Answer>({
    entries: MAX_ANSWERS,
    bytes: MAX_BYTES,
    bytesOf: (question, { body }) => question.length * 2 + body.length,
  })

  get size(): number {
    return this.#answers.size
  }

  get bytes(): number {
    return this.#answers.bytes
  }

  get(engine: Engine, question: string): Answer | undefined {
    return this.#engine === engine && this.#revision === engine.revision
      ? this.#answers.get(question)
      : undefined
  }

  /** `revision` is the state the answer was found in. */
  set(engine: Engine, revision: number, question: string, answer: Answer): void {
    if (revision !== engine.revision) return
    if (this.#engine !== engine || this.#revision !== revision) {
      this.#answers.clear()
      this.#engine = engine
      this.#revision = revision
    }
    this.#answers.set(question, answer)
  }
}
