import type { FastifyReply, FastifyRequest } from 'fastify'
import { rehearse, type Sql } from '../db/database.ts'
import { describe } from '../lib/fields.ts'
import { refuseIfAny } from '../lib/problem.ts'
import { flagParameter, readQuery } from '../lib/query.ts'

export const dryRunParameter = {
  dry_run: describe(
    flagParameter,
    'true: every check and the same answer, but nothing is written or sent.',
    true,
  ),
}

export const DRY_RUN = {
  'X-Dry-Run': { type: 'string', description: '`true` after a dry run: nothing was written.' },
}

type Run = <T>(sql: Sql, work: (sql: Sql) => Promise<T>) => Promise<T>

/** How to do the work of a request. In a dry run it is done and undone, so that its answer is what it would have been. */
export function dryOrNot(request: FastifyRequest, reply: FastifyReply): Run {
  const { value, issues } = readQuery(dryRunParameter, request.query as URLSearchParams)
  refuseIfAny(issues)
  if (!value.dry_run) return (sql, work) => work(sql)
  reply.header('x-dry-run', 'true')
  return rehearse
}
