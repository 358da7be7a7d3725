import type { FastifyRequest } from 'fastify'
import { readBody } from '../lib/fields.ts'
import { type ProblemKind, refuseIfAny } from '../lib/problem.ts'
import { externalIdField } from './fields.ts'
import type { ListingName } from './service.ts'
import { type Precondition, preconditionOf } from './version.ts'

/** How a route names a listing: by its id or slug, or by what the caller calls it. */
export interface Addressing {
  path: string
  params: object
  nameOf(request: FastifyRequest): ListingName
  /** Ends an operation's id. */
  suffix: string
  /** Follows an operation's summary. */
  words: string
  /** Which listings can be read. */
  readable: string
  /** What can be wrong with the name itself. */
  refusals: ProblemKind[]
}

export const LISTING_ID = {
  type: 'string',
  description: 'The listing’s UUID or slug.',
  example: '5f0c8a52-6f0e-4c1e-9d0a-3b1f6c2d7e11',
}

export const BY_ID: Addressing = {
  path: '/properties/:id',
  params: {
    type: 'object',
    properties: { id: LISTING_ID },
    required: ['id'],
  },
  nameOf: ({ params }) => (params as { id: string }).id,
  suffix: 'Listing',
  words: '',
  readable: 'A published listing of a verified agent, or one of your own in any status.',
  refusals: [],
}

export const BY_EXTERNAL_ID: Addressing = {
  path: '/my/properties/:external_id',
  params: {
    type: 'object',
    properties: {
      external_id: {
        ...externalIdField.schema,
        description: 'Your own id for the listing, percent-encoded.',
        example: 'CRM-1042',
      },
    },
    required: ['external_id'],
  },
  nameOf: request => ({ agentId: request.caller.agentId, externalId: externalIdOf(request) }),
  suffix: 'MyListing',
  words: ', by your own id',
  readable: 'One of your own listings in any status, by the external_id you gave it.',
  refusals: ['validation'],
}

/** Read like the field, so that what was stored is found again. */
export function externalIdOf({ params }: FastifyRequest): string {
  const { value, issues } = readBody({ external_id: externalIdField }, params)
  refuseIfAny(issues)
  return value.external_id as string
}

export const IF_MATCH = {
  type: 'object',
  properties: {
    'if-match': {
      type: 'string',
      description: 'The version you read, as in ETag: rejected with 412 if the listing changed since.',
      example: '"9c1e04b7d25fa830"',
    },
  },
}

export const conditionOf = ({ headers }: FastifyRequest, publicUrl: string): Precondition | undefined =>
  preconditionOf(headers['if-match'], publicUrl)
