import { foldText } from './text.ts'

/** Edit distance (insert, remove, replace, swap neighbors) between two words; Infinity above `most`. */
export function editsBetween(a: string, b: string, most: number): number {
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

/** Others write `minPrice`, `type[]` or `operación` for the same name. */
const plain = (name: string) => foldText(name).replace(/[^a-z0-9]/g, '')

const plainKnown = new Map<string, string>()

/** The known name that was probably meant, if any is close; `known` names are those of our own tables. */
export function closest(name: string, known: Iterable<string>): string | undefined {
  const wanted = plain(name.slice(0, 40))
  const most = wanted.length < 3 ? 0 : wanted.length < 8 ? 1 : 2
  let best: { name: string; edits: number } | undefined
  for (const one of known) {
    const text = plainKnown.get(one) ?? plain(one)
    plainKnown.set(one, text)
    const edits = editsBetween(wanted, text, most)
    if (edits <= most && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { name: one, edits }
  }
  return best?.name
}
