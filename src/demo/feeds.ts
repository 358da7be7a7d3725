import type { Tx } from '../db/database.ts'
import { openFeedBox } from '../feeds/rules.ts'
import { newAddress } from '../feeds/service.ts'
import { sharedKey } from '../webhooks/secrets.ts'
import { DEMO_AGENT } from './agents.ts'
import { demoId } from './ids.ts'

/** Two feeds of the demo agent: one that a site reads every hour, and one that is still to be handed over. */
export async function insertFeeds(tx: Tx, now: Date, operatorSecret?: string): Promise<void> {
  const box = openFeedBox(await sharedKey(tx, operatorSecret))
  const own = { agent_id: demoId('agent', DEMO_AGENT), collection_id: null }
  const [site, sheet] = [demoId('feed', 0), demoId('feed', 1)]
  await tx
    .insertInto('feeds')
    .values({
      ...own,
      ...newAddress(box, site),
      id: site,
      name: 'Mi sitio web',
      format: 'json',
      source: 'own',
      read_at: new Date(now.getTime() - 25 * 60_000),
      read_client: 'SitioWeb/1.4 (+https://www.lonja.example)',
      // Reserved for documentation.
      read_network: '203.0.113.0/24',
    })
    .execute()
  await tx
    .insertInto('feeds')
    .values({
      ...own,
      ...newAddress(box, sheet),
      id: sheet,
      name: 'Portales, toda la inmobiliaria',
      format: 'trovit',
      source: 'agency',
    })
    .execute()
}
