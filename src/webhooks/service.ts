import { randomUUID } from 'node:crypto'
import { atomically, type Db, type Sql, type Tx, violates } from '../db/database.ts'
import { readAll, readBody } from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import * as log from './log.ts'
import { finishDeliveries } from './outcomes.ts'
import { envelope, eventsField, MAX_RESENDS, MAX_WEBHOOKS, newSecret, testLead } from './rules.ts'
import { openSecrets, type SecretBox } from './secrets.ts'
import { allowedAddresses, type Network } from './sender/network.ts'
import type { Outcome, Send } from './sender/sender.ts'
import { hostOf, type UrlPolicy, urlField } from './sender/url.ts'
import * as store from './store.ts'

export { countFailing, countWaiting, findFailures, listFailing, listWebhooks, type Webhook } from './store.ts'

const DNS_MS = 5_000
const LOG_LENGTH = 200
const OVERLAP_HOURS = 24

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

export async function listDeliveries(
  db: Db,
  agentId: string,
  id: string,
  range: log.LogRange = { limit: LOG_LENGTH },
) {
  await requireOwn(db, agentId, id)
  return log.listDeliveries(db, id, range)
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
    standardHeaders: webhook.standard_headers,
    ...openSecrets(box, webhook),
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

export function chooseDelivery(
  db: Db,
  agentId: string,
  id: string,
  { retries, standardHeaders }: { retries: boolean; standardHeaders: boolean },
): Promise<void> {
  return db.transaction().execute(async tx => {
    await requireOwn(tx, agentId, id)
    await store.updateDelivery(tx, id, { retries, standard_headers: standardHeaders })
  })
}

/** The old secret stops working with the next delivery or, with an overlap, after 24 hours. */
export function renewSecret(
  { db, box }: Pick<AddDeps, 'db' | 'box'>,
  agentId: string,
  id: string,
  { overlap = false } = {},
): Promise<string> {
  return db.transaction().execute(async tx => {
    const webhook = await requireOwn(tx, agentId, id)
    // Which of the two the receiver has is unknown, and three would not fit into two headers.
    if (overlap && webhook.old_secret)
      throw new Problem('conflict', { issues: [issue('', 'secrets_overlap')] })
    const secret = newSecret()
    await store.updateSecret(tx, id, box.seal(secret, id), overlap ? OVERLAP_HOURS : 0)
    return secret
  })
}

/** The receiver has the new secret: the old one is not needed any more. */
export function endOverlap(db: Db, agentId: string, id: string): Promise<void> {
  return db.transaction().execute(async tx => {
    await requireOwn(tx, agentId, id)
    await store.deleteOldSecret(tx, id)
  })
}

/** One delivery with its exact bytes; those of tests are not kept. */
export async function findSent(db: Db, agentId: string, id: string, uid: string) {
  const webhook = await requireOwn(db, agentId, id)
  const sent = isUuid(uid) ? await log.findSent(db, id, uid) : undefined
  if (!sent) throw notFound(id)
  const { event, data, created_at: createdAt, ...delivery } = sent
  const body = data === null || createdAt === null ? undefined : envelope(event, createdAt, data)
  return { ...delivery, event, body, isActive: webhook.active }
}

/** Sends an event again, as soon as a worker is free. A waiting attempt is not doubled, only no longer put off. */
export function resend(db: Db, agentId: string, id: string, uid: string): Promise<void> {
  return db.transaction().execute(async tx => {
    await requireActive(tx, agentId, id)
    const sent = isUuid(uid) ? await log.findSent(tx, id, uid) : undefined
    if (!sent || sent.outbox_id === null) throw notFound(id)
    await log.insertResends(tx, id, [sent.outbox_id])
  })
}

/** Sends again what was attempted in that period and never delivered: how many, of at most `MAX_RESENDS`. */
export function resendFailed(
  db: Db,
  agentId: string,
  id: string,
  { from, to }: { from: Date; to: Date },
): Promise<number> {
  return db.transaction().execute(async tx => {
    await requireActive(tx, agentId, id)
    const failed = await log.listFailed(tx, id, { from, to, limit: MAX_RESENDS })
    await log.insertResends(tx, id, failed)
    return failed.length
  })
}

async function requireActive(tx: Tx, agentId: string, id: string): Promise<void> {
  const { active } = await requireOwn(tx, agentId, id)
  await store.lockWebhook(tx, id)
  if (!active) throw new Problem('conflict', { issues: [issue('', 'webhook_paused')] })
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
