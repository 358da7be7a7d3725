import type { FastifyInstance } from 'fastify'
import type { Db } from '../db/database.ts'
import { expectedTags } from '../http/etags.ts'
import { API_PREFIX, answers } from '../http/openapi.ts'
import { bodySchema, describe, oneOf, readBody } from '../lib/fields.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { querySchema, readQuery } from '../lib/query.ts'
import { Content, Shared } from '../lib/schemas.ts'
import { LIMITS, listingStatuses } from '../lookups/catalog.ts'
import { writableFields } from './fields.ts'
import { listingRecord, mediaAnswer } from './record.ts'
import type { Transition } from './rules.ts'
import { CREATE_EXAMPLE, imagesFields, ListingRecord, MediaAnswer, StatusAnswer } from './schema.ts'
import * as service from './service.ts'
import { etagOf, isVersion, versionUnder } from './version.ts'

interface ListingParams {
  id: string
}

const params = {
  type: 'object',
  properties: { id: { type: 'string', description: 'The listing’s UUID or slug.' } },
  required: ['id'],
}
const tags = ['Listings']
const ETAG = {
  ETag: { type: 'string', description: 'Its `version` in quotes, for If-Match and If-None-Match.' },
}
const statusParameter = { status: describe(oneOf(listingStatuses), 'Only listings in this status.') }

interface Deps {
  db: Db
  publicUrl: string
}

export function registerListings(app: FastifyInstance, deps: Deps): void {
  app.addSchema({ $id: 'Listing', ...ListingRecord })
  registerRead(app, deps)
  registerCreate(app, deps)
  registerUpdate(app, deps)
  registerImages(app, deps)
  registerStatuses(app, deps)
  registerInventory(app, deps)
}

function registerRead(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.get<{ Params: ListingParams }>(
    '/properties/:id',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'getListing',
        summary: 'One listing',
        tags,
        params,
        response: answers({ schema: Shared('Listing'), description: 'The listing.', headers: ETAG }, [
          'not_found',
        ]),
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const row = await service.findVisible(db, request.params.id, agentId)
      if (!row) throw new Problem('not_found')
      const record = listingRecord(row, agentId, publicUrl)
      reply.header('etag', etagOf(record))
      return record
    },
  )
}

function registerCreate(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.post(
    '/properties',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'createListing',
        summary: 'Create a draft listing',
        description:
          'A repeated external_id returns 409 with the id of the existing listing, so a lost response can be retried safely.',
        tags,
        body: { ...bodySchema(writableFields, ['title', 'city', 'state']), example: CREATE_EXAMPLE },
        response: answers(
          {
            schema: Shared('Listing'),
            description: 'Created as a draft.',
            status: 201,
            headers: { ...ETAG, Location: { type: 'string', description: 'Where to read it.' } },
          },
          ['conflict'],
          { body: true },
        ),
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const row = await service.createListing(db, agentId, readBody(writableFields, request.body))
      const record = listingRecord(row, agentId, publicUrl)
      const location = `${publicUrl}${API_PREFIX}/properties/${row.id}`
      return reply
        .code(201)
        .headers({ location, etag: etagOf(record) })
        .send(record)
    },
  )
}

function registerUpdate(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.put<{ Params: ListingParams }>(
    '/properties/:id',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'updateListing',
        summary: 'Update a listing',
        description:
          'Only the fields you send change; null clears a field. The status does not change and no webhook is sent.',
        tags,
        params,
        headers: {
          type: 'object',
          properties: {
            'if-match': {
              type: 'string',
              description: 'The ETag you read: rejected with 412 if the listing changed since.',
            },
          },
        },
        body: { ...bodySchema(writableFields), example: { sale_price: 8_750_000, features: ['Jardín'] } },
        response: answers(
          { schema: Shared('Listing'), description: 'The updated listing.', headers: ETAG },
          ['not_found', 'conflict', 'precondition_failed'],
          { body: true },
        ),
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const row = await service.updateListing(db, agentId, request.params.id, {
        sent: readBody(writableFields, request.body),
        via: 'api',
        ifVersions: expectedTags(request.headers['if-match'])
          ?.filter(isVersion)
          .map(version => versionUnder(publicUrl, version)),
      })
      const record = listingRecord(row, agentId, publicUrl)
      return reply.header('etag', etagOf(record)).send(record)
    },
  )
}

function registerImages(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.post<{ Params: ListingParams }>(
    '/properties/:id/images',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'addImages',
        summary: 'Add images by URL',
        description:
          'Images are linked, not copied, in the order given; the first becomes the cover if there is none. All are added or none.',
        tags,
        params,
        body: {
          ...bodySchema(imagesFields, ['urls']),
          example: { urls: ['https://images.lonja.example/2.jpg'] },
        },
        response: answers({ schema: MediaAnswer, description: 'All images now.' }, ['not_found'], {
          body: true,
        }),
      },
    },
    async request => {
      const sent = readBody(imagesFields, request.body)
      const images = await service.addImages(db, request.caller.agentId, request.params.id, {
        sent,
        via: 'api',
      })
      return mediaAnswer(images, publicUrl)
    },
  )
}

const STATUS_CHANGES: {
  method: 'POST' | 'DELETE'
  path: string
  by: Transition
  id: string
  summary: string
}[] = [
  {
    method: 'POST',
    path: '/publish',
    by: 'publish',
    id: 'publishListing',
    summary: 'Publish, or reconfirm a published listing',
  },
  {
    method: 'POST',
    path: '/unpublish',
    by: 'unpublish',
    id: 'unpublishListing',
    summary: 'Unpublish: back to draft',
  },
  {
    method: 'DELETE',
    path: '',
    by: 'withdraw',
    id: 'withdrawListing',
    summary: 'Withdraw; the record is kept',
  },
]

function registerStatuses(app: FastifyInstance, { db }: Deps): void {
  for (const { method, path, by, id, summary } of STATUS_CHANGES) {
    app.route<{ Params: ListingParams }>({
      method,
      url: `/properties/:id${path}`,
      config: { scope: 'write', ignoresBody: true },
      schema: {
        operationId: id,
        summary,
        tags,
        params,
        response: answers({ schema: StatusAnswer, description: 'Done.' }, [
          'not_found',
          'payload_too_large',
          ...(by === 'publish' ? (['validation'] as const) : []),
        ]),
      },
      handler: async request => ({
        ok: true,
        status: await service.changeStatus(db, request.caller.agentId, request.params.id, by),
      }),
    })
  }
}

function registerInventory(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.get(
    '/my/properties',
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: 'listMyListings',
        summary: 'Your listings in every status',
        description: `The ${LIMITS.my_properties} most recently changed.`,
        tags,
        querystring: querySchema(statusParameter),
        response: answers(
          {
            schema: Content(Shared('Listing')),
            description: 'Latest change first.',
            headers: { 'X-Total-Count': { type: 'integer', description: 'Total number of listings.' } },
          },
          ['validation'],
        ),
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const { value, issues } = readQuery(statusParameter, request.query as URLSearchParams)
      refuseIfAny(issues)
      const { rows, total } = await service.listOwn(db, agentId, value.status, LIMITS.my_properties)
      reply.header('x-total-count', total)
      return { content: rows.map(row => listingRecord(row, agentId, publicUrl)) }
    },
  )
}
