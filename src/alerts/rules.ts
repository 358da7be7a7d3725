import { emailField } from '../lib/email.ts'
import { oneOf, type Reading, readBody } from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import type { Filters } from '../search/criteria.ts'
import { filterParameters, readFilters } from '../search/parameters.ts'

export const PACES = ['daily', 'at_once'] as const
export type Pace = (typeof PACES)[number]

/** Confirmed ones of one mailbox. */
export const MAX_ALERTS = 10
/** Of everybody: they are kept in memory. */
export const MAX_OF_ALL = 100_000
export const CONFIRM_HOURS = 48
export const UNUSED_DAYS = 365
export const WARNED_DAYS = 14
/** What came on the market, or became cheaper, longer ago is not announced. Matches are kept a little longer. */
export const FRESH_DAYS = 30
/** New listings kept for the next mail; what comes after is only in the results, to which the mail links. */
export const MAX_WAITING = 200
/** Between two mails of an alert that announces at once. */
export const MINUTES_BETWEEN = 15
const MAX_QUERY = 2_000

const NAMES = Object.keys(filterParameters).filter(name => name !== 'ids')

/** The filters of a search, always in the same order: the same search is the same text. */
export function filterQuery(sent: URLSearchParams): URLSearchParams {
  const given = (name: string) => [...new Set(sent.getAll(name).map(value => value.trim()))].filter(Boolean)
  return new URLSearchParams(
    NAMES.flatMap(name =>
      given(name)
        .sort()
        .map(value => [name, value]),
    ),
  )
}

/** Why a search cannot be kept. Without any filter it would announce the whole market. */
export function queryIssues(query: URLSearchParams): Issue[] {
  if (query.size === 0) return [issue('query', 'required')]
  if (String(query).length > MAX_QUERY) return [issue('query', 'too_long', { max: MAX_QUERY })]
  return readFilters(query).issues
}

export const filtersOf = (query: string): Filters => readFilters(new URLSearchParams(query)).value

const fields = { email: emailField, pace: oneOf(PACES) }

export interface Alert {
  email: string
  pace: Pace
  query: string
}

export function readAlert(form: URLSearchParams): Reading<Alert> {
  const { value, issues } = readBody(fields, {
    email: form.get('email') ?? '',
    pace: form.get('pace') ?? 'daily',
  })
  const query = filterQuery(new URLSearchParams(form.get('query') ?? ''))
  if (form.get('consent') !== 'on') issues.push(issue('consent', 'not_agreed'))
  issues.push(...queryIssues(query).map(one => ({ ...one, field: 'query' })))
  const { email, pace } = value
  return { value: { email: email ?? '', pace: pace ?? 'daily', query: String(query) }, issues }
}

export const readPace = (form: URLSearchParams): Pace =>
  PACES.find(pace => pace === form.get('pace')) ?? 'daily'
