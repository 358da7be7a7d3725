import Type, { type TSchema } from 'typebox'
import { STATES } from '../cooperation/rules.ts'
import { ID_STATUSES, KINDS, LEAD_STATUSES } from '../leads/rules.ts'
import { Enum, Nullable, NullableText, Timestamp, Uuid } from '../lib/schemas.ts'
import { listingStatuses } from '../lookups/catalog.ts'
import type { EventName } from '../outbox/store.ts'
import { DELIVERY_STATUSES } from '../webhooks/rules.ts'

const slug = Type.String({ example: 'casa-con-jardin-en-coyoacan-k3x9ab' })
const title = Type.String({ example: 'Casa con jardín en Coyoacán' })
const ListingRef = Nullable(Type.Object({ id: Uuid, slug, title }))

const ListingData = Type.Object({ id: Uuid, slug, title, status: Enum(listingStatuses) })
const CooperationData = Type.Object({
  id: Uuid,
  state: Enum(STATES),
  role: Enum(['proposer', 'owner'], {
    description: 'owner: you are the agent of the listing. proposer: you are the agent of the buyer.',
  }),
  is_offer: Type.Optional(
    Type.Boolean({ description: 'The listing’s agent proposed it. Absent from events before 2026-11-15.' }),
  ),
  listing: ListingRef,
})

/** What each event carries, in the order of its keys. */
const DATA: Record<EventName, TSchema> = {
  'lead.created': Type.Object({
    id: Uuid,
    name: Type.String({ example: 'María López' }),
    email: NullableText,
    phone: NullableText,
    message: NullableText,
    kind: Enum(KINDS),
    id_status: Nullable(Enum(ID_STATUSES)),
    listing: ListingRef,
    source: Type.String({ example: 'listing-page' }),
  }),
  'lead.updated': Type.Object({
    id: Uuid,
    status: Enum(LEAD_STATUSES),
    handed_over: Type.Optional(
      Type.Boolean({
        description: 'true: a colleague of the same agency has the lead now, and you can no longer read it.',
      }),
    ),
  }),
  'listing.published': ListingData,
  'listing.unpublished': ListingData,
  'listing.updated': ListingData,
  'cooperation.created': CooperationData,
  'cooperation.updated': CooperationData,
}

const Delivery = Type.Object(
  { status: Enum(DELIVERY_STATUSES), at: Timestamp },
  {
    description:
      'In GET /events only: the last attempt to deliver it, if there was one; of several webhooks, one whose last attempt failed.',
  },
)

/** lead.created: LeadCreatedEvent */
const schemaName = (event: string) =>
  `${event.replace(/(?:^|\.)([a-z])/g, (_, first: string) => first.toUpperCase())}Event`

const payload = (event: string, data: TSchema) =>
  Type.Object(
    { event: Enum([event]), created_at: Timestamp, data, delivery: Type.Optional(Delivery) },
    { $id: schemaName(event) },
  )

const payloads = Object.entries(DATA).map(([event, data]) => payload(event, data))
const references = Object.keys(DATA).map(event => ({ $ref: `${schemaName(event)}#` }))

/** The body of every webhook, and an entry of GET /events: one schema for each event, and one for any of them. */
export const EVENT_SCHEMAS = [
  ...payloads,
  { $id: 'Event', description: 'The `data` is byte for byte what webhooks send.', oneOf: references },
]
