import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { NotReady } from '../../lib/problem.ts'
import { fairTurns } from '../../lib/turns.ts'

/** Longer than any question should take on a server of a fitting size, and less than clients wait. */
const STATEMENT_MS = 8_000
/** Fewer than the connections of the pool, so that writes do not wait for searches; per agent, or all visitors together. */
const TURNS = { running: 4, runningPerKey: 3, waiting: 200, waitingPerKey: 50 }

const isTimeout = (error: unknown) => (error as { code?: unknown }).code === '57014'

/** Asks several statements of one state of the database, a few questions at a time, none of them for long. */
export function openSnapshots(db: Db, statementMs = STATEMENT_MS) {
  const turns = fairTurns(TURNS)
  return async function atOnce<T>(ask: (tx: Tx) => Promise<T>, viewer: string | null = null): Promise<T> {
    const leave = await turns.enter(viewer ?? '')
    try {
      return await db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async tx => {
          await sql`select set_config('statement_timeout', ${String(statementMs)}, true)`.execute(tx)
          return ask(tx)
        })
    } catch (error) {
      if (isTimeout(error)) throw new NotReady('a search took too long')
      throw error
    } finally {
      leave()
    }
  }
}

export type AtOnce = ReturnType<typeof openSnapshots>
