import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../db/database.ts'
import type { Storage } from '../files/storage.ts'
import { answers } from '../http/openapi.ts'
import { answerOnce } from '../idempotency/service.ts'
import { bodySchema, readBody } from '../lib/fields.ts'
import { Shared } from '../lib/schemas.ts'
import { BY_ID, conditionOf, IF_MATCH, LISTING_ID } from './addressing.ts'
import { orderImages, removeImage } from './photos.ts'
import { mediaAnswer } from './record.ts'
import { ETAG, imagesFields, MediaAnswer, orderFields } from './schema.ts'
import * as service from './service.ts'
import { etagUnder } from './version.ts'

interface Deps {
  db: Db
  publicUrl: string
  files: Storage
}

const PATH = `${BY_ID.path}/images`
const tags = ['Listings']
const good = { schema: MediaAnswer, description: 'All images now.', headers: ETAG }

const shared = { tags, params: BY_ID.params, headers: IF_MATCH }

const changeOf = (request: FastifyRequest, publicUrl: string) => ({
  via: 'api' as const,
  check: conditionOf(request, publicUrl),
})

export function registerImages(app: FastifyInstance, deps: Deps): void {
  app.addSchema({
    $id: 'ImageUrls',
    ...bodySchema(imagesFields, ['urls']),
    example: { urls: ['https://images.lonja.example/2.jpg'] },
  })
  app.addSchema({
    $id: 'ImageOrder',
    ...bodySchema(orderFields, ['order']),
    example: { order: ['c2a1f7de-0b0e-4f43-9a54-7d1a1d6f2b90'] },
  })
  registerAdd(app, deps)
  registerOrder(app, deps)
  registerRemove(app, deps)
}

function registerAdd(app: FastifyInstance, { db, publicUrl }: Deps): void {
  app.post(
    PATH,
    {
      config: { scope: 'write' },
      schema: {
        ...shared,
        operationId: 'addImages',
        summary: 'Add images by URL',
        description:
          'Images are linked, not copied, in the order given; the first becomes the cover if there is none. All are added or none.',
        body: Shared('ImageUrls'),
        response: answers(good, ['not_found', 'precondition_failed'], { body: true }),
      },
    },
    async (request, reply) => {
      const sent = readBody(imagesFields, request.body)
      const { agentId } = request.caller
      const change = { sent, ...changeOf(request, publicUrl) }
      return answerOnce(db, request, reply, async sql => {
        const row = await service.addImages(sql, agentId, BY_ID.nameOf(request), change)
        reply.header('etag', etagUnder(publicUrl, row))
        return mediaAnswer(row.images, publicUrl)
      })
    },
  )
}

function registerOrder(app: FastifyInstance, { db, publicUrl, files }: Deps): void {
  app.put(
    PATH,
    {
      config: { scope: 'write' },
      schema: {
        ...shared,
        operationId: 'orderImages',
        summary: 'Put the images in order',
        description:
          'The first becomes the cover. Images you do not name follow in their present order; to remove one, use DELETE.',
        body: Shared('ImageOrder'),
        response: answers(good, ['not_found', 'precondition_failed'], { body: true }),
      },
    },
    async (request, reply) => {
      const sent = readBody(orderFields, request.body)
      const { agentId } = request.caller
      const change = { sent, ...changeOf(request, publicUrl) }
      const row = await orderImages({ db, files }, agentId, BY_ID.nameOf(request), change)
      return reply.header('etag', etagUnder(publicUrl, row)).send(mediaAnswer(row.images, publicUrl))
    },
  )
}

function registerRemove(app: FastifyInstance, { db, publicUrl, files }: Deps): void {
  app.delete(
    `${PATH}/:image_id`,
    {
      config: { scope: 'write', ignoresBody: true },
      schema: {
        ...shared,
        params: {
          type: 'object',
          properties: {
            id: LISTING_ID,
            image_id: {
              type: 'string',
              format: 'uuid',
              description: 'As in the `images` of its record.',
              example: 'c2a1f7de-0b0e-4f43-9a54-7d1a1d6f2b90',
            },
          },
          required: ['id', 'image_id'],
        },
        operationId: 'removeImage',
        summary: 'Remove one image',
        description: 'The next image becomes the cover if it was the first.',
        response: answers(good, ['not_found', 'precondition_failed', 'payload_too_large']),
      },
    },
    async (request, reply) => {
      const { image_id: imageId } = request.params as { image_id: string }
      const { agentId } = request.caller
      const change = changeOf(request, publicUrl)
      const row = await removeImage({ db, files }, agentId, BY_ID.nameOf(request), imageId, change)
      return reply.header('etag', etagUnder(publicUrl, row)).send(mediaAnswer(row.images, publicUrl))
    },
  )
}
