import type { Db } from '../../src/db/database.ts'
import {
  type DispatcherOptions,
  type Running,
  startDispatcher,
} from '../../src/webhooks/dispatch/dispatcher.ts'
import { openSecretBox } from '../../src/webhooks/secrets.ts'
import type { Network } from '../../src/webhooks/sender/network.ts'
import { sender } from '../../src/webhooks/sender/sender.ts'
import { addWebhook } from '../../src/webhooks/service.ts'
import { type Exchange, PUBLIC_URL, type TestAgent } from './exchange.ts'
import { loopbackNetwork, until } from './receiver.ts'

export const POLICY = { allowPrivate: false, publicUrl: PUBLIC_URL }

export const ALL_EVENTS = [
  'lead.created',
  'lead.updated',
  'listing.published',
  'listing.unpublished',
  'listing.updated',
]

export async function subscribe(
  { db }: Exchange,
  agent: TestAgent,
  url: string,
  events: readonly string[] = ALL_EVENTS,
  network: Network = loopbackNetwork(),
) {
  const box = await openSecretBox(db, undefined)
  const { webhook, secret } = await addWebhook({ db, box, network, policy: POLICY }, agent.id, {
    url,
    events,
  })
  return { ...webhook, secret }
}

export async function dispatch(
  exchange: Exchange,
  {
    network = loopbackNetwork(),
    deadlineMs = 2_000,
    now,
    ...limits
  }: { network?: Network; deadlineMs?: number; now?: () => Date } & DispatcherOptions['limits'] = {},
): Promise<Running> {
  return startDispatcher({
    pool: exchange.pool,
    db: exchange.db,
    box: await openSecretBox(exchange.db, undefined),
    send: sender({ network, policy: POLICY, deadlineMs }),
    logger: exchange.app.log,
    limits,
    ...(now ? { now } : {}),
  })
}

/** Until every delivery has finished; retries that are not yet due may remain. */
export const settled = (db: Db) =>
  until(async () => {
    const open = await db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('finished_at', 'is', null)
      .where('due_at', 'is', null)
      .execute()
    return open.length === 0
  })
