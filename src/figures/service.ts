import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import { requestNotice } from '../outbox/store.ts'
import type { Counter } from './counter.ts'
import { dayAt, daysUntil, isRobot, type Kind, type Source, sourceOf } from './rules.ts'
import * as store from './store.ts'

export {
  deleteOldFigures,
  type Figures,
  isMailStopped,
  type ListingFigures,
  listByListing,
  setMailStopped,
  sumOf,
} from './store.ts'

/** Counts what a page showed, unless a robot or a prefetching browser asked for it. */
export type CountShown = (
  request: FastifyRequest,
  kind: Kind,
  listings: readonly string[],
  source?: Source,
) => void

export function countShown(counter: Counter, publicUrl: string): CountShown {
  const { host } = new URL(publicUrl)
  return ({ headers, method }, kind, listings, source) => {
    if (method === 'HEAD' || headers['sec-purpose'] || isRobot(headers['user-agent'])) return
    const from = source ?? sourceOf(headers.referer, host)
    for (const id of listings) counter.add(id, kind, from)
  }
}

export const MONTH_DAYS = 30
export const CHART_DAYS = 14

/** For the charts of one listing, or of all of an agent's. */
export async function findFigures(db: Db, agentId: string, now: number, listingId?: string) {
  const of = (days: number) => ({ agentId, listingId, since: daysUntil(now, days)[0] as string })
  const [sum, byDay, bySource] = await Promise.all([
    store.sumOf(db, of(MONTH_DAYS)),
    store.viewsByDay(db, of(CHART_DAYS)),
    store.viewsBySource(db, of(MONTH_DAYS)),
  ])
  const days = daysUntil(now, CHART_DAYS).map(day => ({ day, views: byDay.get(day) ?? 0 }))
  return { sum, days, bySource }
}

export const sinceOf = (now: number, days: number): string => daysUntil(now, days)[0] as string

/** Mondays: one mail for each agent whose listings were seen. */
export function announceWeekly(db: Db, now: Date): Promise<number> {
  return db.transaction().execute(async tx => {
    const agents = await store.takeWeekly(tx, dayAt(now.getTime()), sinceOf(now.getTime(), 7))
    for (const agentId of agents) await requestNotice(tx, { kind: 'figures', agentId, ids: [] })
    return agents.length
  })
}
