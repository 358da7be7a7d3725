import Type from 'typebox'
import { describe, oneOf } from '../lib/fields.ts'
import { numberParameter, type Parameter, querySchema } from '../lib/query.ts'
import { Enum, Shared, Uuid, Version } from '../lib/schemas.ts'
import { SCOPES } from '../search/criteria.ts'
import { filterParameters, searchParameters } from '../search/parameters.ts'
import { LIMIT, WAIT_SECONDS_MAX } from './rules.ts'

const scope = describe(
  oneOf(SCOPES),
  'all (default): everything the key can see. own: your inventory in any status.',
  'all',
)

/** What is wrong with a cursor, whatever it is, is answered with 410. */
export const anyText: Parameter<string> = { schema: { type: 'string' }, read: value => String(value) }

export const changesParameters = {
  cursor: describe(
    anyText,
    'From the previous response, with the same other parameters. Omit it for the first load.',
    'eyJ4IjoiMTA0MiJ9',
  ),
  limit: describe(
    numberParameter({ min: 1, max: LIMIT.max, decimals: 0 }),
    `Maximum changes per response; default ${LIMIT.default}.`,
    LIMIT.default,
  ),
  wait: describe(
    numberParameter({ min: 0, max: WAIT_SECONDS_MAX }),
    'Seconds to wait if there are no changes: the response is sent as soon as there is one, or empty after that time. Default 0.',
    30,
  ),
  scope,
  fields: searchParameters.fields,
}

const prefix: Parameter<string> = {
  schema: { type: 'string', pattern: '^[0-9a-fA-F]{2}$' },
  read: (value, fail) =>
    /^[0-9a-f]{2}$/i.test(String(value)) ? String(value).toLowerCase() : void fail('not_a_prefix'),
}

export const digestParameters = {
  scope,
  prefix: describe(
    prefix,
    'Return the ids and versions of one bucket: the first two digits of the id.',
    '3f',
  ),
  fields: describe(
    searchParameters.fields,
    'As you send it with GET /changes, so that `cursor` can be used there. It changes nothing else.',
    'title,operations,location.city',
  ),
}

export const changesQuerySchema = querySchema({ ...changesParameters, ...filterParameters })
export const digestQuerySchema = querySchema({ ...digestParameters, ...filterParameters })

const Cursor = Type.String({
  description: 'For the next GET /changes with the same parameters.',
  example: 'eyJ4IjoiMTA0MiJ9',
})

const Change = Type.Unsafe<unknown>({
  anyOf: [
    Type.Object({ op: Enum(['put']), id: Uuid, version: Version, listing: Shared('Listing') }),
    Type.Object({ op: Enum(['remove']), id: Uuid, version: Version }),
  ],
  description:
    'put: the listing as GET /properties/{id} returns it now. remove: you may no longer show it, or it does not match the filters.',
})

export const ChangesAnswer = Type.Object({
  content: Type.Array(Change),
  cursor: Cursor,
  more: Type.Boolean({ description: 'There are more changes: call again immediately.', example: false }),
})

const Count = Type.Integer({ minimum: 0, example: 1 })
const Hash = Type.String({
  pattern: '^[0-9a-f]{16}$',
  description:
    'XOR of the first 8 bytes of SHA-256(id + ":" + version) of each listing; 0000000000000000 if there are none.',
  example: '5d1c0b7e9a3f2468',
})

export const DigestAnswer = Type.Object({
  cursor: Cursor,
  count: Count,
  hash: Hash,
  prefix: Type.Optional(Type.String({ description: 'The requested prefix.' })),
  buckets: Type.Optional(
    Type.Array(Type.Object({ prefix: Type.String({ example: '5f' }), count: Count, hash: Hash }), {
      description: 'Without prefix: all 256, by the first two digits of the id.',
    }),
  ),
  content: Type.Optional(
    Type.Array(Type.Object({ id: Uuid, version: Version }), {
      description: 'With prefix: the listings of that bucket, by id.',
    }),
  ),
})
