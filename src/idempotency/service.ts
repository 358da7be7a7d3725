import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Db, nested, type Sql, sessionsOf, type Tx } from '../db/database.ts'
import { JSON_TYPE } from '../http/answers.ts'
import { answerTo } from '../http/errors.ts'
import { languageOf } from '../http/language.ts'
import { warned } from '../http/warnings.ts'
import { issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import type { Answer, Asked, KeptAnswer } from './store.ts'
import * as store from './store.ts'

export { deleteOldAnswers, eraseFromAnswers } from './store.ts'

const HEADER = 'idempotency-key'
const VISIBLE = /^[\x21-\x7e]{1,255}$/

const sha256 = (...parts: (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

/** Undefined without an Idempotency-Key. */
function askedBy({ headers, method, url, rawBody, caller }: FastifyRequest): Asked | undefined {
  const key = headers[HEADER]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !VISIBLE.test(key)) refuseIfAny([issue('Idempotency-Key', 'not_a_key')])
  const what = JSON.stringify([method, url, headers['if-match'] ?? null])
  return { agentId: caller.agentId, key: sha256(key as string), request: sha256(what, '\n', rawBody ?? '') }
}

/**
 * Does the work of a POST and answers what it returns. With an Idempotency-Key the answer is stored in the transaction
 * of the work: a request that is sent again gets that answer, from any process, and nothing is done twice.
 */
export async function answerOnce<T>(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (sql: Sql) => Promise<T>,
  /** For answers that show a person, who may ask to be erased. */
  leadOf?: (body: T) => string,
): Promise<unknown> {
  const asked = askedBy(request)
  if (!asked) return work(db)
  return underKey(db, asked, reply, connection =>
    connection.transaction().execute(async tx => {
      let leadId: string | undefined
      const answer = await rendered(tx, request, reply, async inner => {
        const body = await work(inner)
        leadId = leadOf?.(body)
        return body
      })
      await store.keep(tx, asked, { ...answer, leadId: leadId ?? null })
      return answer
    }),
  )
}

/** Does one item in a transaction of its own. It returns what is wrong with the item, and throws nothing else. */
export type DoItem<T> = (index: number, work: (sql: Sql) => Promise<T>) => Promise<T>

/** The same for a batch: what an item returned is stored with it, so a batch that was cut off goes on where it ended. */
export async function answerItemsOnce<T>(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (doItem: DoItem<T>) => Promise<unknown>,
): Promise<unknown> {
  const asked = askedBy(request)
  if (!asked) return work((_, item) => item(db))
  return underKey(db, asked, reply, async (connection, done) => {
    const doItem: DoItem<T> = async (index, item) => {
      const part = index + 1
      const before = done.find(one => one.part === part)
      if (before) return JSON.parse(before.body)
      return connection.transaction().execute(async tx => {
        const result = await item(tx)
        await store.keep(tx, asked, { part, status: 200, headers: {}, body: JSON.stringify(result) })
        return result
      })
    }
    const body = await work(doItem)
    return connection.transaction().execute(async tx => {
      const answer = await rendered(tx, request, reply, async () => body)
      await store.keep(tx, asked, answer)
      await store.deleteParts(tx, asked)
      return answer
    })
  })
}

/** The answer that is stored under the key, or else that of the work; only one at a time, in any process. */
async function underKey(
  db: Db,
  asked: Asked,
  reply: FastifyReply,
  work: (connection: Db, done: KeptAnswer[]) => Promise<Answer>,
): Promise<string> {
  const { answer, isReplayed } = await sessionsOf(db)
    .connection()
    .execute(async connection => {
      if (!(await store.tryLock(connection, asked))) {
        throw new Problem('conflict', {
          message: 'A request with this Idempotency-Key is still running: retry in a second.',
        })
      }
      try {
        const kept = await store.listKept(connection, asked)
        const isOther = kept.some(({ request }) => !request.equals(asked.request))
        if (isOther) refuseIfAny([issue('Idempotency-Key', 'key_reused')])
        const whole = kept.find(({ part }) => part === 0)
        return { answer: whole ?? (await work(connection, kept)), isReplayed: whole !== undefined }
      } finally {
        await store.unlock(connection, asked)
      }
    })
  if (isReplayed) reply.header('idempotent-replayed', 'true')
  // They are in the answer.
  reply.request.warnings = []
  reply.code(answer.status).headers(answer.headers).type(JSON_TYPE)
  return answer.body
}

/** Others belong to a request, or are sent with every answer. */
const KEPT_HEADERS = ['location', 'etag', 'x-dry-run', 'x-warnings']

/** The answer as it will be sent, refusals included. Faults are thrown: they are not kept, and may be gone next time. */
async function rendered(
  tx: Tx,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (sql: Sql) => Promise<unknown>,
): Promise<Answer> {
  const answered = (body: string): Answer => ({
    status: reply.statusCode,
    headers: Object.fromEntries(
      KEPT_HEADERS.filter(name => reply.hasHeader(name)).map(name => [name, String(reply.getHeader(name))]),
    ),
    body,
  })
  try {
    const body = await nested(tx, work)
    return answered(String(warned(request, reply, String(reply.serialize(body)))))
  } catch (error) {
    const { status, headers, body } = answerTo(error as Error, request.id, languageOf(request))
    if (status >= 500 || status === 429) throw error
    reply.code(status).headers(headers)
    return answered(JSON.stringify(body))
  }
}
