import { listDirectory } from '../../agents/directory.ts'
import { agentUrl } from '../../agents/record.ts'
import type { Db } from '../../db/database.ts'
import type { Lang } from '../../lib/i18n.ts'
import { NotReady } from '../../lib/problem.ts'
import { listByReference } from '../../listings/on-market.ts'
import { listingUrl } from '../../listings/record.ts'
import type { Search } from '../service.ts'
import type { Gazetteer } from '../understand/gazetteer.ts'
import type { Completions, Entry, KINDS } from './completions.ts'
import { completionsOf } from './entries.ts'

export interface Suggestion {
  kind: (typeof KINDS)[number]
  /** What the end of the text is completed to. */
  label: string
  /** The whole text, completed. */
  text: string
  /** Public listings. */
  count: number
  parameters: Record<string, string>
  /** The page of an agent or a listing. */
  url: string | null
}

interface SuggestOptions {
  db: Db
  search: Search | undefined
  publicUrl: string
}

const MOST_REFERENCES = 3
const MOST_AGENTS = 20_000
/** Building the completions of so few takes some milliseconds, so they are always current. */
const FEW_PLACES = 1_000

/** Completes what people type in a search box: from memory, but for the references of listings. */
export class Suggestions {
  readonly #options: SuggestOptions
  #last: { gazetteer: Gazetteer; building: Promise<Completions> } | undefined
  #ready: Completions | undefined

  constructor(options: SuggestOptions) {
    this.#options = options
  }

  async find(typed: string, lang: Lang, limit: number): Promise<Suggestion[]> {
    const { search, publicUrl } = this.#options
    if (!search) throw new NotReady('there is no search')
    const [completions, references] = await Promise.all([
      this.#completions(search, await search.gazetteer()),
      this.#references(typed),
    ])
    const { before, entries } = completions.find(typed, limit)
    const counts = await search.currentCounts(entries)
    const suggestions = entries.flatMap((entry, i): Suggestion[] => {
      const count = counts[i] ?? 0
      return count === 0 ? [] : [suggestionOf(entry, count, { lang, before, publicUrl })]
    })
    return [...references, ...suggestions].slice(0, limit)
  }

  /** Of the latest gazetteer; a large market's are of the one before until they are built. */
  async #completions(search: Search, gazetteer: Gazetteer): Promise<Completions> {
    if (this.#last?.gazetteer !== gazetteer) {
      const building = this.#build(search, gazetteer)
      const last = { gazetteer, building }
      this.#last = last
      building.catch(() => {
        if (this.#last === last) this.#last = undefined
      })
    }
    const isSmall = gazetteer.places.length <= FEW_PLACES
    return isSmall || !this.#ready ? this.#last.building : this.#ready
  }

  async #build(search: Search, gazetteer: Gazetteer): Promise<Completions> {
    this.#ready = await completionsOf(search, gazetteer, await listDirectory(this.#options.db, MOST_AGENTS))
    return this.#ready
  }

  /** Text without a digit is no reference, and is not looked up. */
  async #references(typed: string): Promise<Suggestion[]> {
    const { db, publicUrl } = this.#options
    const start = typed.trim()
    if (!/\d/.test(start)) return []
    const found = await listByReference(db, start, MOST_REFERENCES)
    return found.map(({ id, slug, title, reference }) => ({
      kind: 'listing',
      label: `${reference} · ${title}`,
      text: reference,
      count: 1,
      parameters: { ids: id },
      url: listingUrl(publicUrl, slug),
    }))
  }
}

function suggestionOf(
  { kind, es, en, parameters, slug }: Entry,
  count: number,
  { lang, before, publicUrl }: { lang: Lang; before: string; publicUrl: string },
): Suggestion {
  const label = lang === 'es' ? es : en
  const url = slug === undefined ? null : agentUrl(publicUrl, slug)
  return { kind, label, text: before + label, count, parameters, url }
}
