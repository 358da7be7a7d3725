import { randomUUID } from 'node:crypto'
import { atomically, type Db, type Sql, type Tx, violates } from '../db/database.ts'
import { readAll, readBody } from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import { finishDeliveries } from './outcomes.ts'
import { envelope, eventsField, MAX_WEBHOOKS, newSecret, testLead } from './rules.ts'
import type { SecretBox } from './secrets.ts'
import { allowedAddresses, type Network } from './sender/network.ts'
import type { Outcome, Send } from './sender/sender.ts'
import { hostOf, type UrlPolicy, urlField } from './sender/url.ts'
import * as store from './store.ts'

export { countFailing, countWaiting, findFailures, listFailing, listWebhooks, type Webhook } from './store.ts'

const DNS_MS = 5_000
const LOG_LENGTH = 200

interface AddDeps {
  db: Db
  box: SecretBox
  network: Network
  policy: UrlPolicy
}

/** The secret is returned only here and never shown again. */
export async function addWebhook(
  { db, box, network, policy }: AddDeps,
  agentId: string,
  wanted: { url: string; events: readonly string[] },
): Promise<{ webhook: store.Webhook; secret: string }> {
  const { url, events } = readAll({ url: urlField(policy), events: eventsField }, wanted)
  await requireReachable(url, network)

  const id = randomUUID()
  const secret = newSecret()
  try {
    const webhook = await db.transaction().execute(async tx => {
      if ((await store.countLocked(tx, agentId)) >= MAX_WEBHOOKS) {
        throw new Problem('conflict', { issues: [issue('', 'too_many_webhooks', { max: MAX_WEBHOOKS })] })
      }
      return store.insertWebhook(tx, {
        id,
        agent_id: agentId,
        url: url.href,
        events,
        secret: box.seal(secret, id),
      })
    })
    return { webhook, secret }
  } catch (error) {
    if (!violates(error, 'webhooks_url')) throw error
    throw new Problem('conflict', { issues: [issue('', 'webhook_exists')] })
  }
}

/** The same issue for a private address, an unknown name and a silent DNS, so that probing reveals nothing. */
const UNREACHABLE = issue('url', 'url_unreachable')

async function requireReachable(url: URL, network: Network): Promise<void> {
  try {
    await allowedAddresses(hostOf(url), network, AbortSignal.timeout(DNS_MS))
  } catch {
    throw new Problem('validation', { issues: [UNREACHABLE] })
  }
}

export function pauseWebhook(db: Sql, agentId: string, id: string) {
  return atomically(db, async tx => {
    await requireOwn(tx, agentId, id)
    const paused = await store.updateActive(tx, id, false)
    await store.deleteWaiting(tx, id)
    return paused
  })
}

export function resumeWebhook(db: Db, agentId: string, id: string) {
  return db.transaction().execute(async tx => {
    await requireOwn(tx, agentId, id)
    return store.updateActive(tx, id, true)
  })
}

export function removeWebhook(db: Db, agentId: string, id: string): Promise<void> {
  return db.transaction().execute(async tx => {
    await requireOwn(tx, agentId, id)
    await store.deleteWebhook(tx, id)
  })
}

export async function listDeliveries(db: Db, agentId: string, id: string, limit = LOG_LENGTH) {
  await requireOwn(db, agentId, id)
  return store.listDeliveries(db, id, limit)
}

/** Sends the test event now, even to a paused subscription, and waits for the outcome. */
export async function testWebhook(
  { db, box, send }: { db: Db; box: SecretBox; send: Send },
  agentId: string,
  id: string,
): Promise<Outcome> {
  const webhook = await requireOwn(db, agentId, id)
  const lead = testLead()
  const delivery = await store.insertTestDelivery(db, id, lead.id)
  const outcome = await send({
    uid: delivery.uid,
    url: webhook.url,
    event: 'lead.created',
    body: envelope('lead.created', new Date(), JSON.stringify(lead)),
    secret: box.open(webhook.secret, id),
  })
  await finishDeliveries(db, [{ id: delivery.id, ...outcome }])
  return outcome
}

/** Validates a URL while it is being typed: its issue so far, or undefined. */
export async function checkUrl(
  { network, policy }: Pick<AddDeps, 'network' | 'policy'>,
  text: string,
): Promise<Issue | undefined> {
  const { value, issues } = readBody({ url: urlField(policy) }, { url: text })
  if (!value.url) return issues[0]
  const outcome = await requireReachable(value.url, network).catch(() => UNREACHABLE)
  return outcome ?? undefined
}

export function chooseEvents(db: Db, agentId: string, id: string, names: readonly string[]): Promise<void> {
  const { events } = readAll({ events: eventsField }, { events: names })
  return db.transaction().execute(async tx => {
    await requireOwn(tx, agentId, id)
    await store.updateEvents(tx, id, events)
  })
}

/** The old secret stops working with the next delivery. */
export function renewSecret(
  { db, box }: Pick<AddDeps, 'db' | 'box'>,
  agentId: string,
  id: string,
): Promise<string> {
  return db.transaction().execute(async tx => {
    await requireOwn(tx, agentId, id)
    const secret = newSecret()
    await store.updateSecret(tx, id, box.seal(secret, id))
    return secret
  })
}

/** The exact bytes of one delivery; those of tests are not kept. */
export async function findSent(db: Db, agentId: string, id: string, uid: string) {
  await requireOwn(db, agentId, id)
  const sent = isUuid(uid) ? await store.findSent(db, id, uid) : undefined
  if (!sent) throw notFound(id)
  const { event, data, created_at: createdAt, ...delivery } = sent
  const body = data === null || createdAt === null ? undefined : envelope(event, createdAt, data)
  return { ...delivery, event, body }
}

async function requireOwn(db: Db | Tx, agentId: string, id: string) {
  const webhook = await findWebhook(db, id)
  if (webhook.agent_id !== agentId) throw notFound(id)
  return webhook
}

/** Regardless of owner: for the operator. */
export async function findWebhook(db: Db | Tx, id: string) {
  const webhook = isUuid(id) ? await store.findWebhook(db, id) : undefined
  if (!webhook) throw notFound(id)
  return webhook
}

const notFound = (id: string) => new Problem('not_found', { message: `There is no webhook ${id}.` })
