/** Edit distance (insert, remove, replace, swap neighbors) between two words; Infinity above `most`. */
function editsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let edits = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + cost,
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, (before[j - 2] as number) + 1)
      }
      row.push(edits)
    }
    if (Math.min(...row) > most) return Number.POSITIVE_INFINITY
    ;[before, last] = [last, row]
  }
  const edits = last[b.length] as number
  return edits > most ? Number.POSITIVE_INFINITY : edits
}

/** Short words differ by one letter without being typos. */
const editsAllowed = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/** Known words by length and first letter, which people rarely mistype, with their frequency. */
export class Spelling {
  readonly #words = new Map<string, Map<string, number>>()

  add(word: string, count: number): void {
    const key = keyOf(word, word.length)
    const words = this.#words.get(key) ?? new Map<string, number>()
    words.set(word, (words.get(word) ?? 0) + count)
    this.#words.set(key, words)
  }

  /** The closest known word; the most common one wins a tie. */
  correct(word: string): string | undefined {
    const most = editsAllowed(word)
    let best: { word: string; edits: number; count: number } | undefined
    for (let length = word.length - most; length <= word.length + most; length++) {
      for (const [known, count] of this.#words.get(keyOf(word, length)) ?? []) {
        const edits = editsBetween(word, known, most)
        if (edits > most) continue
        if (!best || edits < best.edits || (edits === best.edits && count > best.count)) {
          best = { word: known, edits, count }
        }
      }
    }
    return best && best.edits > 0 ? best.word : undefined
  }
}

const keyOf = (word: string, length: number) => `${word[0]}${length}`
