import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db, Sql } from '../db/database.ts'
import { answerTo, logFault } from '../http/errors.ts'
import { languageOf } from '../http/language.ts'
import { answers } from '../http/openapi.ts'
import { warnOfFields } from '../http/warnings.ts'
import { answerItemsOnce, type DoItem } from '../idempotency/service.ts'
import { Problem } from '../lib/problem.ts'
import { querySchema, readOrRefuse } from '../lib/query.ts'
import { Shared } from '../lib/schemas.ts'
import { fairTurns } from '../lib/turns.ts'
import {
  BATCH_EXAMPLE,
  BatchAnswer,
  batchSchema,
  externalIdSent,
  type ItemResult,
  itemFields,
  readItem,
  readItems,
} from './batch.ts'
import { putItem } from './by-external-id.ts'
import { DRY_RUN, dryOrNot, dryRunParameter } from './dry-run.ts'
import { writableFields } from './fields.ts'
import { ListingRecord } from './schema.ts'
import { featuresParameter, readSentListing } from './sent.ts'
import { versionUnder } from './version.ts'

const ITEM_NAMES = { meant: new Set(Object.keys(itemFields)), ignored: new Set<string>() }
/** A record may be sent back as it was read. */
const SET_NAMES = {
  meant: new Set(Object.keys(writableFields)),
  ignored: new Set(Object.keys(ListingRecord.properties)),
}

export function registerBatch(app: FastifyInstance, { db, publicUrl }: { db: Db; publicUrl: string }): void {
  // A batch is as much work as a hundred requests: a few at a time, or they would take all connections to the database.
  const turns = fairTurns({ running: 4, runningPerKey: 2, waiting: 100, waitingPerKey: 10 })
  app.addSchema({ $id: 'Batch', ...batchSchema, example: BATCH_EXAMPLE })
  app.post(
    '/my/properties/batch',
    {
      config: { scope: 'write' },
      schema: {
        operationId: 'putMyListings',
        summary: 'Create or update up to 100 listings, by your own ids',
        description:
          'Each item is a transaction of its own, processed in the order given: a rejected item does not stop the others. `set` follows the rules of PUT /my/properties/{external_id}. `status` is the status to set; if the listing already has it, nothing happens. Counts as one request.',
        tags: ['Listings'],
        querystring: querySchema({ ...dryRunParameter, ...featuresParameter }),
        body: Shared('Batch'),
        response: answers(
          {
            schema: BatchAnswer,
            description: 'The result of each item, in the same order.',
            headers: DRY_RUN,
          },
          [],
          { body: true },
        ),
      },
    },
    async (request, reply) => {
      const run = dryOrNot(request, reply)
      readOrRefuse(featuresParameter, request.query as URLSearchParams)
      const items = readItems(request.body)
      const work = async (doItem: DoItem<ItemResult>) => {
        const content: ItemResult[] = []
        for (const [index, item] of items.entries()) {
          content.push(await doItem(index, sql => run(sql, tx => answerItem(tx, request, item))))
        }
        return { content }
      }
      return turns.run(request.caller.agentId, () => answerItemsOnce(db, request, reply, work))
    },
  )

  /** What is wrong with an item is its answer; only if the database cannot be reached, the batch ends. */
  async function answerItem(sql: Sql, request: FastifyRequest, item: unknown): Promise<ItemResult> {
    const name = { external_id: externalIdSent(item) }
    const before = request.warnings.length
    try {
      warnOfFields(request, item, ITEM_NAMES)
      const { externalId, sent, status } = readItem(item, set => {
        warnOfFields(request, set, SET_NAMES)
        return readSentListing(request, set)
      })
      const ignored = request.warnings.splice(before)
      if (externalId === undefined) throw new Problem('validation', { issues: sent.issues })
      const edit = { sent, via: 'api' as const }
      const { result, row } = await putItem(sql, request.caller.agentId, externalId, edit, status)
      const version = versionUnder(publicUrl, row.version)
      return { ...name, result, id: row.id, version, ...(ignored.length > 0 ? { warnings: ignored } : {}) }
    } catch (error) {
      const { status: code, body } = answerTo(error as Error, request.id, languageOf(request))
      if (code === 503) throw error
      logFault(error as Error, code, request)
      return { ...name, result: 'refused', ...body }
    }
  }
}
