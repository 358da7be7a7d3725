import { sql } from 'kysely'
import { findByCalendarKey } from '../../agents/service.ts'
import { listShowings as listOfCooperations } from '../../cooperation/showings.ts'
import type { Db, Sql } from '../../db/database.ts'
import { type Lang, wordsIn } from '../../lib/i18n.ts'
import { icalendar, icalMoment, icalText, type Property } from '../../lib/icalendar.ts'
import { DAY_MS, fromLocal, toLocal } from '../../lib/time.ts'
import { isUuid } from '../../lib/uuid.ts'
import { type Whereabouts, zoneOf } from '../../lib/zones.ts'

/** A confirmed showing, of a lead or of a cooperation, with what the agent needs to get there. */
export interface Showing {
  id: string
  name: string
  phone: string | null
  showing_at: Date
  tour_status: 'confirmed' | 'done' | 'no_show' | 'cancelled'
  listing_title: string | null
  /** Only the neighborhood and city when another agent hides the address. */
  place: string | null
  whereabouts: Whereabouts | null
  created_at: Date
  updated_at: Date
  erased_at: Date | null
  /** Of the lead or the cooperation. */
  path: string
}

const SHOWING_MS = 60 * 60_000
const MAX_SHOWINGS = 2_000
const FEED_DAYS_BACK = 90

export async function listShowings(
  db: Sql,
  agentId: string,
  range: { from: Date; to?: Date },
  limit = MAX_SHOWINGS,
): Promise<Showing[]> {
  const [own, shared] = await Promise.all([
    listOfLeads(db, agentId, range, limit),
    listOfCooperations(db, agentId, range, limit),
  ])
  const all = [
    ...own.map(one => ({ ...one, path: `/portal/leads/${one.id}` })),
    ...shared.map(({ status, ...one }) => ({
      ...one,
      tour_status: status,
      path: `/portal/cooperations/${one.id}`,
    })),
  ]
  return all.sort((a, b) => a.showing_at.getTime() - b.showing_at.getTime()).slice(0, limit)
}

async function listOfLeads(
  db: Sql,
  agentId: string,
  { from, to }: { from: Date; to?: Date },
  limit: number,
): Promise<Omit<Showing, 'path'>[]> {
  const { rows } = await sql<Omit<Showing, 'path'>>`
    select d.id, d.name, d.phone, d.showing_at, d.tour_status, d.created_at, d.updated_at, d.erased_at,
      s.title as listing_title, s.place, s.whereabouts
    from leads d left join lead_listings s on s.lead_id = d.id
    where d.agent_id = ${agentId} and d.showing_at >= ${from} ${to ? sql`and d.showing_at < ${to}` : sql``}
      and d.tour_status in ('confirmed', 'done', 'no_show', 'cancelled') and not d.awaiting_id
    order by d.showing_at, d.id limit ${limit}`.execute(db)
  return rows
}

// ---- months, in central Mexico time; days, in the zone of each listing -----------------------------------

/** `2026-03`; the current month if the text is not valid. */
export const readMonth = (text: string | null, now: Date): string =>
  text && /^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : toLocal(now).slice(0, 7)

export function monthAfter(month: string, steps: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + steps, 1)).toISOString().slice(0, 7)
}

export function rangeOf(month: string): { from: Date; to: Date } {
  const start = (one: string) => fromLocal(`${one}-01T00:00`) as Date
  return { from: start(month), to: start(monthAfter(month, 1)) }
}

/** Whole weeks starting on Monday; days of other months are undefined. */
export function weeksOf(month: string): (string | undefined)[][] {
  const first = new Date(`${month}-01T00:00Z`)
  const lead = (first.getUTCDay() + 6) % 7
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const weeks = Math.ceil((lead + length) / 7)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const day = week * 7 + weekday - lead + 1
      return day >= 1 && day <= length ? `${month}-${String(day).padStart(2, '0')}` : undefined
    }),
  )
}

export const dayOf = (at: Date, zone?: string): string => toLocal(at, zone).slice(0, 10)

/** Keeps the input order, which is chronological. */
export function byDay(showings: readonly Showing[]): Map<string, Showing[]> {
  const days = new Map<string, Showing[]>()
  for (const showing of showings) {
    const day = dayOf(showing.showing_at, zoneOf(showing.whereabouts))
    days.set(day, [...(days.get(day) ?? []), showing])
  }
  return days
}

// ---- the feed --------------------------------------------------------------------------------------------

export const feedPath = (key: string): string => `/calendario/${key}.ics`

/** The iCalendar file of a private address; undefined if unknown or if the agent is not verified. */
export async function findFeed(
  { db, publicUrl }: { db: Db; publicUrl: string },
  key: string,
  now: Date,
): Promise<string | undefined> {
  if (!isUuid(key)) return undefined
  const agent = await findByCalendarKey(db, key)
  if (!agent) return undefined
  const from = new Date(now.getTime() - FEED_DAYS_BACK * DAY_MS)
  const showings = await listShowings(db, agent.id, { from })
  return feedOf(showings, agent, publicUrl)
}

function feedOf(
  showings: readonly Showing[],
  { name, lang }: { name: string; lang: Lang },
  publicUrl: string,
): string {
  const title = icalText(`${wordsIn(lang)('Visitas', 'Showings')} · ${name}`)
  return icalendar(
    [
      ['VERSION', '2.0'],
      ['PRODID', '-//Lonja//Showings//ES'],
      ['CALSCALE', 'GREGORIAN'],
      ['NAME', title],
      ['X-WR-CALNAME', title],
      ['REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'],
      ['X-PUBLISHED-TTL', 'PT1H'],
    ],
    showings.map(showing => eventOf(showing, lang, publicUrl)),
  )
}

/** Only the person's name and phone: third-party services store and share calendars. */
function eventOf(showing: Showing, lang: Lang, publicUrl: string): Property[] {
  const t = wordsIn(lang)
  const { showing_at: at, updated_at: changed, listing_title: listing } = showing
  const who = showing.erased_at ? t('datos eliminados', 'data erased') : showing.name
  const page = publicUrl + showing.path
  const details = [listing, showing.phone && `${t('Teléfono', 'Phone')}: ${showing.phone}`, page]
  return [
    ['UID', showing.id],
    ['DTSTAMP', icalMoment(changed)],
    ['LAST-MODIFIED', icalMoment(changed)],
    ['SEQUENCE', String(Math.max(0, Math.floor((changed.getTime() - showing.created_at.getTime()) / 1000)))],
    ['DTSTART', icalMoment(at)],
    ['DTEND', icalMoment(new Date(at.getTime() + SHOWING_MS))],
    ['SUMMARY', icalText(`${t('Visita', 'Showing')}: ${who}`)],
    ['DESCRIPTION', icalText(details.filter(Boolean).join('\n'))],
    ...(showing.place ? ([['LOCATION', icalText(showing.place)]] as const) : []),
    ['URL', page],
    ['STATUS', showing.tour_status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'],
  ]
}
