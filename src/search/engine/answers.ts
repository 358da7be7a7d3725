import { BoundedMap } from '../../lib/bounded-map.ts'
import type { Engine } from './engine.ts'

export interface Answer {
  /** The whole response, as JSON. */
  body: Buffer
  /** Of all hits, not of the page. */
  total: number
  /** Continues after this page; undefined on the last one. */
  cursor: string | undefined
}

const MAX_BYTES = 8 * 2 ** 20
const MAX_ANSWERS = 10_000

/** A cache of whole answers for popular pages. Any change clears it. */
export class Answers {
  #engine: Engine | undefined
  #revision = 0
  /** The size includes the question, which may be longer than its answer and comes from strangers. */
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

  /** `revision` is the state the answer was computed from. */
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
