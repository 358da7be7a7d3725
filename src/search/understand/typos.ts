import { editsBetween } from '../../lib/edits.ts'

/** Short words differ by one letter without being typos. */
const editsAllowed = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** Up to this long, another letter makes another word ("caro", "cara", "cada"), unless it sounds like the right one. */
const SHORT = 6
const ALIKE = ['bvw', 'csz', 'ckq', 'gj', 'iy', 'mn', 'xjs']

const isAlike = (word: string, known: string) => {
  if (word.length > SHORT || word.length !== known.length) return true
  const others = [...word].flatMap((letter, i) => (letter === known[i] ? [] : [letter + known[i]]))
  // Two are neighbors that were swapped.
  return (
    others.length > 1 ||
    others.every(([a = '', b = '']) => ALIKE.some(one => one.includes(a) && one.includes(b)))
  )
}

/** Known words by length and first letter, which people rarely mistype, with their frequency. */
export class Spelling {
  readonly #words = new Map<string, Map<string, number>>()

  add(word: string, count: number): void {
    const key = keyOf(word, word.length)
    const words = this.#words.get(key) ?? new Map<string, number>()
    words.set(word, (words.get(word) ?? 0) + count)
    this.#words.set(key, words)
  }

  /** The closest word that is at least that common; the most common one wins a tie. */
  correct(word: string, atLeast = 0): string | undefined {
    const most = editsAllowed(word)
    let best: { word: string; edits: number; count: number } | undefined
    for (let length = word.length - most; length <= word.length + most; length++) {
      for (const [known, count] of this.#words.get(keyOf(word, length)) ?? []) {
        if (count < atLeast) continue
        const edits = editsBetween(word, known, most)
        if (edits > most || !isAlike(word, known)) continue
        if (!best || edits < best.edits || (edits === best.edits && count > best.count)) {
          best = { word: known, edits, count }
        }
      }
    }
    return best && best.edits > 0 ? best.word : undefined
  }
}

const keyOf = (word: string, length: number) => `${word[0]}${length}`
