import { foldText } from '../../lib/text.ts'
import type { Filters } from '../criteria.ts'

export const KINDS = ['place', 'type', 'amenity', 'agent', 'listing'] as const
type Kind = (typeof KINDS)[number]

/** Something that typed text can be completed to. */
export interface Entry {
  kind: Exclude<Kind, 'listing'>
  es: string
  en: string
  /** Orders the entries: public listings when it was added. */
  count: number
  /** The search it stands for: as parameters of the API, and as filters to count with, read when they are needed. */
  parameters: Record<string, string>
  filters: () => Filters
  /** The page of an agent. */
  slug?: string
}

interface Key {
  /** The name from one of its words on. */
  text: string
  isStart: boolean
  entry: Entry
  /** The name with its small words, if it has any. */
  whole?: string
}

interface Ranked {
  entry: Entry
  rank: number
}

/** People leave these out, and put them in. */
const SMALL_WORDS = new Set(
  'a al col colonia con de del e el en fracc la las lo los o para por u un una y the of in with for'.split(
    ' ',
  ),
)
const COLONIA = /^(col|colonia|fracc)$/
/** Of one kind. */
const MOST = 5
const SHORTEST = 2

/** A kind that is missing is not offered. Agents are named alone, never as the end of a question. */
type Preferences = Partial<Record<Entry['kind'], 0 | 1>>
const ALONE: Preferences = { place: 1, type: 1, amenity: 1, agent: 0 }
const AFTER_WORDS: Preferences = { place: 1, type: 1, amenity: 1 }
const AFTER_IN: Preferences = { place: 1, type: 0, amenity: 0 }

interface Word {
  text: string
  start: number
}

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: foldText(word),
    start: index,
  }))

/** Without small words, unless there are no others. */
function keyOf(words: readonly string[]): string[] {
  const main = words.filter(word => !SMALL_WORDS.has(word))
  return main.length > 0 ? main : [...words]
}

/** Names by the start of any of their words, without accents. */
export class Completions {
  /** By the first two letters; within them, scanning is faster than keeping them sorted. */
  readonly #keys = new Map<string, Key[]>()

  add(entry: Entry, names: Iterable<string>): void {
    for (const name of new Set(names)) {
      const all = wordsOf(name).map(({ text }) => text)
      const words = keyOf(all)
      const whole = words.length < all.length ? { whole: all.join(' ') } : {}
      for (const i of words.keys()) {
        const key = { text: words.slice(i).join(' '), isStart: i === 0, entry, ...(i === 0 ? whole : {}) }
        const start = key.text.slice(0, SHORTEST)
        const keys = this.#keys.get(start)
        if (keys) keys.push(key)
        else this.#keys.set(start, [key])
      }
    }
  }

  /**
   * The best entries for the longest end of the text that is the start of one, and the text before it: in "casa en renta
   * en zapo" that is "casa en renta en ".
   */
  find(typed: string, limit: number): { before: string; entries: Entry[] } {
    const words = wordsOf(typed)
    for (const [i, { text, start }] of words.entries()) {
      const isLast = i === words.length - 1
      if (!isLast && SMALL_WORDS.has(text)) continue
      const before = words.slice(0, i).every(word => SMALL_WORDS.has(word.text)) ? '' : typed.slice(0, start)
      const end = keyOf(words.slice(i).map(word => word.text)).join(' ')
      const kinds =
        before === '' ? ALONE : /\b(en|in)\s+((el|la|los|las)\s+)?$/i.test(before) ? AFTER_IN : AFTER_WORDS
      const whole = words.slice(before === '' ? 0 : i).map(word => word.text)
      if (COLONIA.test(whole[0] ?? '')) whole.shift()
      const entries = this.#starting(end, whole.join(' '), kinds).slice(0, limit)
      if (entries.length > 0) return { before: before.replace(/(el|la|los|las)\s+$/i, ''), entries }
    }
    return { before: '', entries: [] }
  }

  #starting(text: string, whole: string, kinds: Preferences): Entry[] {
    const best = new Map<string, Ranked[]>(KINDS.map(kind => [kind, []]))
    for (const key of text.length < SHORTEST ? [] : (this.#keys.get(text.slice(0, SHORTEST)) ?? [])) {
      const { entry } = key
      const preference = kinds[entry.kind]
      if (preference === undefined || !key.text.startsWith(text)) continue
      const isWhole = key.text === text || (text !== whole && key.whole?.startsWith(whole) === true)
      insert(best.get(entry.kind) as Ranked[], { entry, rank: rankOf(key, isWhole, preference) })
    }
    return [...best.values()]
      .flat()
      .sort((a, b) => b.rank - a.rank)
      .map(({ entry }) => entry)
  }
}

/**
 * Whole names first, and those that start with the small words that were typed too; then those that start with the text, then the
 * preferred kinds, then the ones with more listings.
 */
const rankOf = ({ isStart, entry }: Key, isWhole: boolean, preference: number) =>
  ((isStart ? (isWhole ? 2 : 1) : 0) * 2 + preference) * 2 ** 32 + entry.count

/** Keeps the best few in order, each entry once. Most of many are worse than all of them and leave at once. */
function insert(best: Ranked[], one: Ranked): void {
  if (best.length === MOST && one.rank <= (best[MOST - 1] as Ranked).rank) return
  const same = best.findIndex(({ entry }) => entry === one.entry)
  if (same >= 0) {
    if ((best[same] as Ranked).rank >= one.rank) return
    best.splice(same, 1)
  }
  const at = best.findIndex(({ rank }) => rank < one.rank)
  best.splice(at < 0 ? best.length : at, 0, one)
  if (best.length > MOST) best.pop()
}
