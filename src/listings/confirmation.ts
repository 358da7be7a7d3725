import { sql } from 'kysely'
import { DAY_MS } from '../lib/time.ts'

/** How long before hiding a listing its agent is reminded. */
export const REMINDER_DAYS = 7

interface Confirmable {
  confirmed_at: Date | null
  published_at: Date | null
  created_at: Date
}

/** When the agent last confirmed a listing, in SQL and for a row. */
export const lastConfirmed = sql<Date>`coalesce(confirmed_at, published_at, created_at)`
export const lastConfirmedOf = (row: Confirmable): Date =>
  row.confirmed_at ?? row.published_at ?? row.created_at

export const unconfirmedFor = (days: number) =>
  sql<boolean>`(status = 'published' and ${lastConfirmed} < now() - ${days} * interval '1 day')`

/** Hidden or about to be, unless the agent confirms it. */
export const toReconfirm = (reconfirmDays: number) =>
  sql<boolean>`(status = 'expired' or ${unconfirmedFor(reconfirmDays - REMINDER_DAYS)})`

/** When a published listing is hidden unless reconfirmed. */
export const confirmBefore = (confirmedAt: Date, reconfirmDays: number): Date =>
  new Date(confirmedAt.getTime() + reconfirmDays * DAY_MS)

export const isDue = (until: Date, now: Date): boolean =>
  until.getTime() - now.getTime() <= REMINDER_DAYS * DAY_MS
