import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { foldText } from '../../lib/text.ts'
import type { Filters, Reach } from '../criteria.ts'
import type { Wanted } from '../engine/wanted.ts'
import { isCalled } from '../places/place.ts'
import { all, type Condition, type Known, matching, visible } from './conditions.ts'

/** Who asks for what. */
export interface Question {
  filters: Filters
  wanted: Wanted
  viewer: string | null
  reach: Reach
  /** Further filters, of which it is asked how many would match. */
  options?: readonly Filters[]
}

/** A question as the condition that its answers meet, of a listing `l`; `visible` is the part that is not asked for. */
export interface Asked {
  visible: Condition
  matching: Condition
  /** Both. */
  where: Condition
  known: Known
}

/** Turns questions into conditions, with what the tables know about names and viewers. */
export class Asking {
  /** By stored name, its fold; municipalities are not stored folded. */
  #municipalities = new Map<string, string>()
  #revision = -1

  /** `revision`: of before the transaction began; the names are read again when it has changed. */
  async of(tx: Tx, question: Question, revision: number): Promise<Asked> {
    const { filters, wanted, viewer, reach } = question
    const folds = mentionsPlace(question) ? await this.#municipalitiesAt(tx, revision) : new Map()
    const known = { municipalities: (names: readonly string[]) => called(folds, names) }
    const isLonger = reach === 'all' && viewer !== null && (await hasHidden(tx, viewer))
    const seen = visible(viewer, reach, isLonger)
    const asked = matching(filters, wanted, known)
    return { visible: seen, matching: asked, where: all([seen, asked]), known }
  }

  async #municipalitiesAt(tx: Tx, revision: number): Promise<ReadonlyMap<string, string>> {
    if (revision === this.#revision) return this.#municipalities
    const read = await readMunicipalities(tx, this.#municipalities)
    if (revision < this.#revision) return read
    this.#municipalities = read
    this.#revision = revision
    return read
  }
}

const called = (folds: ReadonlyMap<string, string>, names: readonly string[]): string[] =>
  [...folds].flatMap(([name, fold]) => (isCalled(fold, names) ? [name] : []))

const mentionsPlace = ({ filters, wanted, options = [] }: Question) =>
  [filters, ...wanted.groups.map(({ meaning }) => meaning), ...options].some(one => one?.place)

async function hasHidden(tx: Tx, viewer: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from listings where agent_id = ${viewer} and not shown and not imported) as found`.execute(
    tx,
  )
  return rows[0]?.found ?? false
}

/** From name to name along the index: there are far fewer of them than listings. */
async function readMunicipalities(tx: Tx, before: Map<string, string>): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string }>`
    with recursive names(name) as (
      (select min(municipality) from listings)
      union all
      select (select min(municipality) from listings where municipality > names.name) from names where names.name is not null
    )
    select name from names where name is not null`.execute(tx)
  return new Map(rows.map(({ name }) => [name, before.get(name) ?? foldText(name)]))
}

export const countWhere = async (tx: Db | Tx, where: Condition): Promise<number> => {
  const { rows } = await sql<{
    count: number
  }>`select count(*) as count from listings l where ${where}`.execute(tx)
  return rows[0]?.count ?? 0
}
