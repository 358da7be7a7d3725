import type { Tx } from '../db/database.ts'

export type EventName =
  | 'lead.created'
  | 'lead.updated'
  | 'listing.published'
  | 'listing.unpublished'
  | 'listing.updated'

export interface OutboxEvent {
  agentId: string
  event: EventName
  /** Told in this order; `id` is what the event is about. */
  data: { id: string } & Record<string, unknown>
  /** The stamp of the change, which grows with each change of one subject. */
  createdAt: Date
  channels: readonly ('webhook' | 'notice')[]
}

/** Takes the transaction of the change on purpose: both happen, or neither. */
export function appendEvent(tx: Tx, { agentId, event, data, createdAt, channels }: OutboxEvent) {
  return tx
    .insertInto('outbox')
    .values({
      agent_id: agentId,
      event,
      subject_id: data.id,
      data: JSON.stringify(data),
      channels: [...channels],
      created_at: createdAt,
    })
    .execute()
}
