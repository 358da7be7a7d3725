import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db, Sql } from '../db/database.ts'
import type { Storage } from '../files/storage.ts'
import { sendBytes, sendRecord } from '../http/answers.ts'
import { API_PREFIX, answers } from '../http/openapi.ts'
import { warnable } from '../http/openapi-routes.ts'
import { answerOnce } from '../idempotency/service.ts'
import { bodySchema } from '../lib/fields.ts'
import { Problem } from '../lib/problem.ts'
import { querySchema, readOrRefuse } from '../lib/query.ts'
import { Shared } from '../lib/schemas.ts'
import { type Addressing, BY_EXTERNAL_ID, BY_ID, conditionOf, externalIdOf, IF_MATCH } from './addressing.ts'
import { registerBatch } from './api-batch.ts'
import { registerImages } from './api-images.ts'
import { registerInventory } from './api-inventory.ts'
import { putListing } from './by-external-id.ts'
import { DRY_RUN, dryOrNot, dryRunParameter } from './dry-run.ts'
import { writableFields } from './fields.ts'
import { listingRecord } from './record.ts'
import type { Transition } from './rules.ts'
import { CREATE_EXAMPLE, ETAG, ListingRecord, listingFieldsParameter, StatusAnswer } from './schema.ts'
import { featuresParameter, readSentListing } from './sent.ts'
import * as service from './service.ts'
import { etagOf, etagUnder } from './version.ts'

const tags = ['Listings']
const writeParameters = { ...dryRunParameter, ...featuresParameter }
const readParameters = { fields: listingFieldsParameter }

interface Deps {
  db: Db
  publicUrl: string
  files: Storage
  /** A record from memory, if it is there and visible to the viewer; search depends on listings. */
  recordOf?:
    | ((id: string, viewer: string) => Promise<{ bytes: Buffer; version: string } | undefined>)
    | undefined
}

export function registerListings(app: FastifyInstance, deps: Deps): void {
  app.addSchema({ $id: 'Listing', ...warnable(ListingRecord) })
  app.addSchema({
    $id: 'NewListing',
    ...bodySchema(writableFields, ['title', 'city', 'state']),
    example: CREATE_EXAMPLE,
  })
  app.addSchema({
    $id: 'ListingChanges',
    ...bodySchema(writableFields),
    description: 'Only the fields that are present change; null clears a field.',
    example: CREATE_EXAMPLE,
  })
  registerCreate(app, deps)
  registerUpdate(app, deps)
  registerPut(app, deps)
  registerBatch(app, deps)
  registerImages(app, deps)
  registerInventory(app, deps)
  for (const by of [BY_ID, BY_EXTERNAL_ID]) {
    registerRead(app, deps, by)
    registerStatuses(app, deps, by)
  }
}

function registerRead(app: FastifyInstance, { db, publicUrl, recordOf }: Deps, by: Addressing): void {
  app.get(
    by.path,
    {
      config: { scope: 'read', etag: true },
      schema: {
        operationId: `get${by.suffix}`,
        summary: `One listing${by.words}`,
        description: by.readable,
        tags,
        params: by.params,
        querystring: querySchema(readParameters),
        response: answers({ schema: Shared('Listing'), description: 'The listing.', headers: ETAG }, [
          'not_found',
          'validation',
        ]),
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const name = by.nameOf(request)
      const kept = typeof name === 'string' ? await recordOf?.(name, agentId) : undefined
      if (kept) {
        const { fields } = readOrRefuse(readParameters, request.query as URLSearchParams)
        return sendBytes(reply.header('etag', etagOf(kept)), kept.bytes, fields)
      }
      const row = await service.findVisible(db, name, agentId)
      if (!row) throw new Problem('not_found')
      const { fields } = readOrRefuse(readParameters, request.query as URLSearchParams)
      const record = listingRecord(row, agentId, publicUrl)
      return sendRecord(reply.header('etag', etagOf(record)), record, fields)
    },
  )
}

const created = {
  schema: Shared('Listing'),
  description: 'Created as a draft.',
  status: 201,
  headers: { ...ETAG, ...DRY_RUN, Location: { type: 'string', description: 'Where to read it.' } },
}

const createdHeaders = (record: { id: string; version: string }, publicUrl: string) => ({
  location: `${publicUrl}${API_PREFIX}/properties/${record.id}`,
  etag: etagOf(record),
})

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
        querystring: querySchema(writeParameters),
        body: Shared('NewListing'),
        response: answers(created, ['conflict'], { body: true }),
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const sent = readSentListing(request)
      const run = dryOrNot(request, reply)
      return answerOnce(db, request, reply, async sql => {
        const row = await run(sql, tx => service.createListing(tx, agentId, sent))
        const record = listingRecord(row, agentId, publicUrl)
        reply.code(201).headers(createdHeaders(record, publicUrl))
        return record
      })
    },
  )
}

const updated = {
  schema: Shared('Listing'),
  description: 'The listing as it is now.',
  headers: { ...ETAG, ...DRY_RUN },
}

function registerUpdate(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.put(
    BY_ID.path,
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'updateListing',
        summary: 'Update a listing',
        description:
          'Only the fields you send change; null clears a field. The status does not change and no webhook is sent.',
        tags,
        params: BY_ID.params,
        querystring: querySchema(writeParameters),
        headers: IF_MATCH,
        body: Shared('ListingChanges'),
        response: answers(updated, ['not_found', 'conflict', 'precondition_failed'], { body: true }),
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const edit = editOf(request, publicUrl)
      const row = await dryOrNot(request, reply)(db, sql =>
        service.updateListing(sql, agentId, BY_ID.nameOf(request), edit),
      )
      const record = listingRecord(row, agentId, publicUrl)
      return reply.header('etag', etagOf(record)).send(record)
    },
  )
}

const editOf = (request: FastifyRequest, publicUrl: string) => ({
  sent: readSentListing(request),
  via: 'api' as const,
  check: conditionOf(request, publicUrl),
})

function registerPut(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.put(
    BY_EXTERNAL_ID.path,
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'putMyListing',
        summary: 'Create or update a listing, by your own id',
        description:
          'Creates a draft if you have no listing with this external_id, with the rules of POST /properties; otherwise changes the fields you send, with the rules of PUT /properties/{id}. The same call again changes nothing: the version and updated_at stay. With If-Match, nothing is created.',
        tags,
        params: BY_EXTERNAL_ID.params,
        querystring: querySchema(writeParameters),
        headers: IF_MATCH,
        body: Shared('ListingChanges'),
        response: {
          ...answers(created),
          ...answers(updated, ['not_found', 'conflict', 'precondition_failed'], { body: true }),
        },
      },
    },
    async (request, reply) => {
      const { agentId } = request.caller
      const edit = editOf(request, publicUrl)
      const { before, row } = await dryOrNot(request, reply)(db, sql =>
        putListing(sql, agentId, externalIdOf(request), edit),
      )
      const record = listingRecord(row, agentId, publicUrl)
      if (before) return reply.header('etag', etagOf(record)).send(record)
      return reply.code(201).headers(createdHeaders(record, publicUrl)).send(record)
    },
  )
}

interface StatusChange {
  method: 'POST' | 'DELETE'
  path: string
  transition: Transition
  summary: string
  description: string
}

const STATUS_CHANGES: StatusChange[] = [
  {
    method: 'POST',
    path: '/publish',
    transition: 'publish',
    summary: 'Publish, or reconfirm a published listing',
    description:
      'The listing appears on the exchange at once. It needs at least one price. Publishing again reconfirms that it is still available. Sends `listing.published`.',
  },
  {
    method: 'POST',
    path: '/unpublish',
    transition: 'unpublish',
    summary: 'Unpublish a listing (back to draft)',
    description: 'No one else can see the listing anymore. Sends `listing.unpublished` if it was published.',
  },
  {
    method: 'DELETE',
    path: '',
    transition: 'withdraw',
    summary: 'Withdraw a listing',
    description:
      'Takes the listing off the market. The record is kept: you can still read it, and publishing brings it back. Sends `listing.unpublished` if it was published.',
  },
]

function registerStatuses(app: FastifyInstance, { db, publicUrl }: Deps, by: Addressing): void {
  for (const { method, path, transition, summary, description } of STATUS_CHANGES) {
    app.route({
      method,
      url: `${by.path}${path}`,
      config: { scope: 'write', ignoresBody: true },
      schema: {
        operationId: `${transition}${by.suffix}`,
        summary: `${summary}${by.words}`,
        description,
        tags,
        params: by.params,
        headers: IF_MATCH,
        response: answers({ schema: StatusAnswer, description: 'Done.', headers: ETAG }, [
          'not_found',
          'precondition_failed',
          'payload_too_large',
          ...(transition === 'publish' ? (['validation'] as const) : by.refusals),
        ]),
      },
      handler: async (request, reply) => {
        const { agentId } = request.caller
        const name = by.nameOf(request)
        const change = { via: 'api' as const, check: conditionOf(request, publicUrl) }
        const work = async (sql: Sql) => {
          const row = await service.changeStatus(sql, agentId, name, transition, change)
          reply.header('etag', etagUnder(publicUrl, row))
          return { ok: true, status: row.status }
        }
        return method === 'POST' ? answerOnce(db, request, reply, work) : work(db)
      },
    })
  }
}
