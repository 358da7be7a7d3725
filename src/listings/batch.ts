import Type, { type Static } from 'typebox'
import { IssueDetails } from '../http/openapi.ts'
import { bodySchema, describe, type Field, list, oneOf, type Reading, readBody } from '../lib/fields.ts'
import { type Issue, issue } from '../lib/issue.ts'
import { refuseIfAny } from '../lib/problem.ts'
import { Enum, Nullable, Shared, Uuid, Version } from '../lib/schemas.ts'
import { LIMITS } from '../lookups/catalog.ts'
import { externalIdField, type ListingPatch } from './fields.ts'

/** The statuses a client can ask for. */
export const BATCH_STATUSES = ['published', 'draft', 'withdrawn'] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

const set: Field<object> = {
  schema: { ...Shared('ListingChanges') },
  read: (value, fail) => (isObject(value) ? value : void fail('not_an_object')),
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const itemFields = {
  external_id: describe(externalIdField, 'Your own id for the listing.', 'CRM-1042'),
  set,
  status: describe(
    oneOf(BATCH_STATUSES),
    'The status to set. If omitted, a new listing is a draft.',
    'published',
  ),
}

/** Items are read one by one: what is wrong with one is its own answer. */
const anyItem: Field<unknown> = {
  schema: bodySchema(itemFields, ['external_id', 'set']),
  read: value => value,
}
const batchFields = { items: list(anyItem, { max: LIMITS.batch_items }) }

export const batchSchema = bodySchema(batchFields, ['items'])

export const BATCH_EXAMPLE = {
  items: [
    { external_id: 'CRM-1042', set: { sale_price: 8_750_000 }, status: 'published' },
    { external_id: 'CRM-0917', set: {}, status: 'withdrawn' },
  ],
}

export function readItems(body: unknown): unknown[] {
  const { value, issues } = readBody(batchFields, body)
  refuseIfAny(issues.length > 0 || 'items' in value ? issues : [issue('items', 'required')])
  return value.items as unknown[]
}

interface Item {
  /** Undefined if the item has no use, for lack of a name or of what to set. */
  externalId: string | undefined
  sent: Reading<ListingPatch>
  status: BatchStatus | undefined
}

/** `readSet` reads its fields. */
export function readItem(item: unknown, readSet: (set: unknown) => Reading<ListingPatch>): Item {
  if (!isObject(item)) return refusedItem([issue('item', 'not_an_object')])
  const { value, issues } = readBody(itemFields, item)
  const missing = (['external_id', 'set'] as const).filter(name => !(name in value))
  const own = [...issues, ...missing.map(name => issue(name, 'required'))]
  const sent = readSet(value.set ?? {})
  return {
    externalId: value.set ? (value.external_id ?? undefined) : undefined,
    sent: { value: sent.value, issues: [...own, ...sent.issues] },
    status: value.status ?? undefined,
  }
}

const refusedItem = (issues: Issue[]): Item => ({
  externalId: undefined,
  sent: { value: {}, issues },
  status: undefined,
})

/** As it was sent, so that the client finds it again. */
export const externalIdSent = (item: unknown): string | null =>
  isObject(item) && 'external_id' in item && typeof item.external_id === 'string' ? item.external_id : null

const ItemAnswer = Type.Object({
  external_id: Nullable(Type.String({ description: 'As you sent it; null if it was not text.' })),
  result: Enum(['created', 'changed', 'unchanged', 'refused'] as const),
  id: Type.Optional(Uuid),
  version: Type.Optional(Version),
  error: Type.Optional(Type.String({ description: 'If refused: the code a single request would get.' })),
  message: Type.Optional(Type.String()),
  errors: Type.Optional(Type.Array(Type.String(), { description: 'With `validation`: what is wrong.' })),
  details: Type.Optional(IssueDetails),
  warnings: Type.Optional(Type.Array(Type.String(), { description: 'What was ignored in this item.' })),
})
export type ItemResult = Static<typeof ItemAnswer>

export const BatchAnswer = Type.Object(
  { content: Type.Array(ItemAnswer) },
  {
    examples: [
      {
        content: [
          {
            external_id: 'CRM-1042',
            result: 'changed',
            id: '5f0c8a52-6f0e-4c1e-9d0a-3b1f6c2d7e11',
            version: '9c1e04b7d25fa830',
          },
          {
            external_id: 'CRM-0917',
            result: 'refused',
            error: 'validation',
            message: 'Some values are invalid; see "errors".',
            errors: ['title is required'],
            details: [{ field: 'title', code: 'required', message: 'title is required' }],
          },
        ],
      },
    ],
  },
)
