import { READING, unreadable } from './limits.ts'

/** A range of cells shown as one: only its first cell has a value. */
export interface Merge {
  top: number
  bottom: number
  left: number
  right: number
}

const REFERENCE = /<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/g
const LONGEST = 200

/** They follow the rows in the file, so the sheet is read once for them alone. */
export async function readMerges(bytes: AsyncIterable<Buffer>): Promise<Merge[]> {
  const merges: Merge[] = []
  let rest = ''
  let cells = 0
  for await (const chunk of bytes) {
    const text = rest + chunk.toString('latin1')
    let end = 0
    for (const match of text.matchAll(REFERENCE)) {
      const [all, left = '', top, right = '', bottom] = match
      const merge = { top: Number(top), bottom: Number(bottom), left: letters(left), right: letters(right) }
      merges.push(merge)
      cells += areaOf(merge)
      if (cells > READING.mergedCells) throw unreadable()
      end = match.index + all.length
      if (merges.length >= READING.mergedRanges) return merges
    }
    rest = text.slice(Math.max(end, text.length - LONGEST))
  }
  return merges
}

/** Within the bounds of what is read. */
const areaOf = ({ top, bottom, left, right }: Merge) =>
  Math.max(0, Math.min(bottom, READING.rows) - top + 1) *
  Math.max(0, Math.min(right, READING.columns - 1) - left + 1)

const letters = (name: string) => [...name].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0) - 1

/** Row after row, with the value of each range in all of its cells: a state merged over ten rows is that of all ten. */
export function activeMerges(merges: readonly Merge[]) {
  const byTop = new Map<number, Merge[]>()
  for (const merge of merges) byTop.set(merge.top, [...(byTop.get(merge.top) ?? []), merge])
  let active: (Merge & { value: string })[] = []
  return (number: number, cells: string[]): string[] => {
    active = active.filter(({ bottom }) => bottom >= number)
    for (const merge of byTop.get(number) ?? []) {
      if (merge.left < READING.columns) active.push({ ...merge, value: cells[merge.left] ?? '' })
    }
    for (const { left, right, value } of active) {
      for (let column = left; column <= Math.min(right, READING.columns - 1); column++) {
        while (cells.length < column) cells.push('')
        cells[column] ||= value
      }
    }
    return cells
  }
}
