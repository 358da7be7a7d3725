import type { Tx } from '../db/database.ts'
import { EVENTS } from '../outbox/store.ts'
import { envelope, newSecret } from '../webhooks/rules.ts'
import { openSecretBox } from '../webhooks/secrets.ts'
import { headersOf } from '../webhooks/sender/message.ts'
import { DEMO_AGENT } from './agents.ts'
import { demoId } from './ids.ts'

/** Never anyone's: the name is reserved for examples. */
const URL_OF_CRM = 'https://crm.lonja.example/lonja/eventos'
/** Of listings, and of leads. */
const SHOWN = 12
const DAYS = 25

/** How the invented receiver answered: well, except during a short outage. */
const ANSWERS = {
  ok: { status: 'ok', code: 200, ms: 180, answer: '{"received":true}' },
  down: { status: 'http 5xx', code: 503, ms: 45, answer: '<h1>503 Service Unavailable</h1>' },
  silent: { status: 'error: delivery failed', code: null, ms: 10_000, answer: null },
} as const
const answerOf = (i: number) => ANSWERS[i === 9 ? 'silent' : i >= 10 && i <= 12 ? 'down' : 'ok']

interface DemoEvent {
  event: 'listing.published' | 'lead.created'
  createdAt: Date
  data: { id: string } & Record<string, unknown>
}

/** A webhook of the demo agent with what it was sent of the latest listings and leads, successes and failures. */
export async function insertWebhook(tx: Tx, now: Date, operatorSecret?: string): Promise<void> {
  const agentId = demoId('agent', DEMO_AGENT)
  const id = demoId('webhook', 0)
  const secret = newSecret()
  const box = await openSecretBox(tx, operatorSecret)
  const events = await eventsOf(tx, agentId, now)
  const lastAnswer = answerOf(events.length - 1)
  await tx
    .insertInto('webhooks')
    .values({
      id,
      agent_id: agentId,
      url: URL_OF_CRM,
      events: [...EVENTS],
      secret: box.seal(secret, id),
      last_status: lastAnswer.status,
      last_code: lastAnswer.code,
      last_at: events.at(-1)?.createdAt ?? null,
    })
    .execute()
  for (const [i, event] of events.entries()) await insertDelivery(tx, { agentId, id, secret }, event, i)
}

/** Oldest first, as they were appended. */
async function eventsOf(tx: Tx, agentId: string, now: Date): Promise<DemoEvent[]> {
  const since = new Date(now.getTime() - DAYS * 86_400_000)
  const listings = await tx
    .selectFrom('listings')
    .select(['id', 'slug', 'title', 'status', 'updated_at'])
    .where('agent_id', '=', agentId)
    .where('status', '=', 'published')
    .where('updated_at', '>', since)
    .orderBy('updated_at', 'desc')
    .limit(SHOWN)
    .execute()
  // Those that came in by themselves, and of showings those whose visitor is identified.
  const leads = await tx
    .selectFrom('leads as l')
    .leftJoin('listings as p', 'p.id', 'l.listing_id')
    .select(['l.id', 'l.name', 'l.email', 'l.phone', 'l.message', 'l.kind', 'l.id_status', 'l.source'])
    .select(['l.created_at', 'l.listing_id', 'p.slug', 'p.title'])
    .where('l.agent_id', '=', agentId)
    .where('l.created_at', '>', since)
    .where('l.source', '<>', 'api')
    .where('l.awaiting_id', '=', false)
    .orderBy('l.created_at', 'desc')
    .limit(SHOWN)
    .execute()
  const all: DemoEvent[] = [
    ...listings.map(({ updated_at: createdAt, ...data }) => ({
      event: 'listing.published' as const,
      createdAt,
      data,
    })),
    ...leads.map(({ created_at: createdAt, source, listing_id: listing, slug, title, ...lead }) => ({
      event: 'lead.created' as const,
      createdAt,
      data: { ...lead, listing: listing === null ? null : { id: listing, slug, title }, source },
    })),
  ]
  return all.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
}

async function insertDelivery(
  tx: Tx,
  webhook: { agentId: string; id: string; secret: string },
  { event, createdAt, data }: DemoEvent,
  i: number,
): Promise<void> {
  const outbox = await tx
    .insertInto('outbox')
    .values({
      agent_id: webhook.agentId,
      event,
      subject_id: data.id,
      data: JSON.stringify(data),
      channels: ['webhook'],
      created_at: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { status, code, answer, ...took } = answerOf(i)
  // No two are alike.
  const ms = code === null ? took.ms : took.ms + ((i * 37) % 60)
  const uid = demoId('delivery', i)
  const body = envelope(event, createdAt, JSON.stringify(data))
  const message = { uid, url: URL_OF_CRM, event, body, secret: webhook.secret }
  await tx
    .insertInto('webhook_deliveries')
    .values({
      uid,
      webhook_id: webhook.id,
      outbox_id: outbox.id,
      event,
      subject_id: data.id,
      created_at: createdAt,
      attempted_at: new Date(createdAt.getTime() + 20),
      finished_at: new Date(createdAt.getTime() + 20 + ms),
      duration_ms: ms,
      status,
      code,
      sent_headers: JSON.stringify(headersOf(message, new URL(URL_OF_CRM), Buffer.from(body))),
      answer: answer === null ? null : Buffer.from(answer),
    })
    .execute()
}
