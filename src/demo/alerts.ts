import type { Tx } from '../db/database.ts'
import { PRIVACY_EDITION } from '../leads/visitors/service.ts'
import { demoId } from './ids.ts'

const DAY = 24 * 3_600_000

const SEARCHES: { query: string; pace: 'at_once' | 'daily' }[] = [
  { query: 'operation=sale&type=house&city=Zapopan&max_price=6000000', pace: 'daily' },
  { query: 'operation=rental&type=apartment&place=Roma+Norte%2C+CDMX', pace: 'at_once' },
  { query: 'operation=sale&state=Quer%C3%A9taro&min_bedrooms=3', pace: 'daily' },
  { query: 'q=alberca&state=Yucat%C3%A1n', pace: 'daily' },
]

/** Alerts of invented visitors; the last one still has to be turned on. */
export async function insertAlerts(tx: Tx, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * DAY)
  await tx
    .insertInto('alerts')
    .values(
      SEARCHES.map((search, i) => {
        const isOn = i < SEARCHES.length - 1
        const at = ago(isOn ? 3 * (i + 1) : 0.1)
        return {
          id: demoId('alert', i),
          email: `visitante-${i + 1}@example.com`,
          lang: 'es',
          ...search,
          consent_at: at,
          consent_notice: PRIVACY_EDITION,
          created_at: at,
          confirmed_at: isOn ? at : null,
          used_at: isOn ? at : null,
        }
      }),
    )
    .execute()
}
