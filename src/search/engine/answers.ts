import { BoundedMap } from '../../lib/bounded-map.ts'

export interface Answer {
  /** The whole response, as JSON. */
  body: Buffer
  /** Of all hits, not of the page. */
  total: number
  /** Continues after this page; undefined on the last one. */
  cursor: string | undefined
}

/** What answers come from; the revision changes with its content. */
interface Source {
  readonly revision: number
}

const MAX_BYTES = 8 * 2 ** 20
const MAX_ANSWERS = 10_000
const MAX_ASKED = 2_000
const MAX_ASKED_BYTES = 2 ** 20

/**
 * A cache of whole answers for popular pages. Any change clears it. By default it keeps answers to questions asked twice: if all were
 * kept, each would grow old before it is dropped, and full collections, which hold the thread for 20 ms, would be frequent.
 */
export class Answers {
  #source: Source | undefined
  #revision = 0
  readonly #keepsFirst: boolean
  /** The size includes the question, which may be longer than its answer and comes from strangers. */
  readonly #answers = new BoundedMap<string, Answer>({
    entries: MAX_ANSWERS,
    bytes: MAX_BYTES,
    bytesOf: (question, { body }) => question.length * 2 + body.length,
  })
  /** Questions asked recently, whatever has changed since. */
  readonly #asked = new BoundedMap<string, true>({
    entries: MAX_ASKED,
    bytes: MAX_ASKED_BYTES,
    bytesOf: question => question.length * 2,
  })

  constructor({ keepsFirst = false } = {}) {
    this.#keepsFirst = keepsFirst
  }

  get size(): number {
    return this.#answers.size
  }

  get bytes(): number {
    return this.#answers.bytes
  }

  get(source: Source, question: string): Answer | undefined {
    return this.#source === source && this.#revision === source.revision
      ? this.#answers.get(question)
      : undefined
  }

  /** `revision` is the state the answer was computed from. */
  set(source: Source, revision: number, question: string, answer: Answer): void {
    const isAskedAgain = this.#asked.get(question) === true
    this.#asked.set(question, true)
    if (revision !== source.revision) return
    if (this.#source !== source || this.#revision !== revision) {
      this.#answers.clear()
      this.#source = source
      this.#revision = revision
    }
    if (isAskedAgain || this.#keepsFirst) this.#answers.set(question, answer)
  }
}
