import { type Field, oneOf, optional, type Reading, readBody, text } from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { DAY_MS } from '../lib/time.ts'
import { cleanQuery, readMarketQuery } from '../market/parameters.ts'
import type { Filters } from '../search/criteria.ts'
import { readPlace } from '../search/places/place.ts'

export const MAX_ACTIVE = 200
export const MAX_PLACES = 10
export const DEFAULT_DAYS = 90
const MAX_DAYS = 366
export const NOTICES = ['at_once', 'daily', 'none'] as const
export type Notices = (typeof NOTICES)[number]

export interface Need {
  client: string | null
  note: string | null
  query: string
  places: string[]
  on_board: boolean
  notices: Notices
  until: Date
}

const DAY = /^\d{4}-\d\d-\d\d$/
/** The last day it counts, until midnight in UTC. */
const lastDay: Field<Date> = {
  schema: { type: 'string' },
  read(value, fail) {
    const end = new Date(`${value}T23:59:59.999Z`)
    return DAY.test(String(value)) && !Number.isNaN(end.getTime()) ? end : void fail('not_a_date')
  },
}

const fields = {
  client: optional(text({ max: 80 })),
  note: optional(text({ max: 500 })),
  notices: oneOf(NOTICES),
  until: lastDay,
}

/** Not part of a need: how results are shown, and what depends on the day. */
const DROPPED = [
  ...['sort', 'page', 'limit', 'cursor', 'fields', 'as', 'ask'],
  ...['ids', 'place', 'updated_since', 'fresh', 'not'],
]

/** The filters among the parameters of a form or of an address. */
export function filterQuery(sent: URLSearchParams): URLSearchParams {
  const query = cleanQuery(sent)
  for (const name of DROPPED) query.delete(name)
  return query
}

export function readNeed(form: URLSearchParams, now: Date): Reading<Need> {
  const given = Object.fromEntries(Object.keys(fields).map(name => [name, form.get(name)?.trim() || null]))
  const { value, issues } = readBody(fields, { ...given, notices: given.notices ?? 'daily' })
  const query = filterQuery(form)
  const places = [...new Set((form.get('places') ?? '').split('\n').map(line => line.trim()))].filter(Boolean)
  const until = value.until ?? new Date(now.getTime() + DEFAULT_DAYS * DAY_MS)
  const need = {
    client: value.client ?? null,
    note: value.note ?? null,
    query: String(query),
    places,
    on_board: form.get('on_board') === 'on',
    notices: value.notices ?? 'daily',
    until,
  }
  return {
    value: need,
    issues: [
      // Without a last day, it is the usual one.
      ...issues.filter(one => one.field !== 'until' || given.until !== null),
      ...readMarketQuery(query, { id: '', colleagues: [], now }).issues,
      ...placeIssues(need),
      ...(until < now ? [issue('until', 'in_the_past')] : []),
      ...(until.getTime() > now.getTime() + MAX_DAYS * DAY_MS
        ? [issue('until', 'too_far_ahead', { days: MAX_DAYS })]
        : []),
    ],
  }
}

function placeIssues({ places, query }: Need): Issue[] {
  if (places.length > MAX_PLACES)
    return [issue('places', 'too_many_items', { max: MAX_PLACES, sent: places.length })]
  if (places.length === 0 && query === '') return [issue('places', 'required')]
  if (places.some(place => place.length > 200)) return [issue('places', 'too_long', { max: 200 })]
  return places.every(place => readPlace(place)) ? [] : [issue('places', 'no_letters')]
}

/** A listing matches one of these searches of the market. One's own listings never do. */
export function filtersOf(need: { agent_id: string; query: string; places: string[] }): Filters[] {
  const asker = { id: need.agent_id, colleagues: [], now: new Date(0) }
  const { value } = readMarketQuery(new URLSearchParams(need.query), asker)
  const { view: _view, sort: _sort, page: _page, limit: _limit, after: _after, ...filters } = value
  const own = { ...filters, notAgents: [need.agent_id] }
  if (need.places.length === 0) return [own]
  return need.places.map(place => ({ ...own, place: readPlace(place) ?? [] }))
}
