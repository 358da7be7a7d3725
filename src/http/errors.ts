import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../db/unavailable.ts'
import type { Lang } from '../lib/i18n.ts'
import { type Issue, issueReply } from '../lib/issue.ts'
import { Away, NotReady, Problem, type ProblemKind } from '../lib/problem.ts'
import { seldom } from '../lib/seldom.ts'
import { languageOf } from './language.ts'

/** Every error a client can get, by its code; the only place that defines statuses and default messages. */
export const ERRORS: Record<ProblemKind, { status: number; message: string }> = {
  bad_request: { status: 400, message: 'The request could not be read.' },
  unauthorized: {
    status: 401,
    message:
      'Send a valid API key as "Authorization: Bearer <key>", never in the URL. The key may be missing, mistyped or revoked, or the account not verified.',
  },
  forbidden: { status: 403, message: 'This key is not allowed to do that.' },
  not_found: { status: 404, message: 'Not found, or not visible to this key.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support that method. The Allow header lists the supported methods.',
  },
  conflict: { status: 409, message: 'It already exists.' },
  gone: {
    status: 410,
    message:
      'This cursor cannot be used: it is damaged, belongs to another agent or to other parameters, or the data was restored to an earlier state. Start again without a cursor, with an empty copy.',
  },
  precondition_failed: {
    status: 412,
    message: 'It was changed since you read it. Read it again, then retry.',
  },
  payload_too_large: { status: 413, message: 'The body is larger than 2 MB (2,097,152 bytes).' },
  unsupported_media_type: {
    status: 415,
    message: 'Send the body as "Content-Type: application/json", in UTF-8 and not compressed.',
  },
  validation: { status: 422, message: 'Some values are invalid; see "errors".' },
  rate_limited: { status: 429, message: 'Too many requests. Wait the number of seconds in Retry-After.' },
  server_error: { status: 500, message: 'Something went wrong on our side. Retry later.' },
}

export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  body: { error: ProblemKind; message: string; errors?: string[] } & Record<string, unknown>
}

const VALIDATION_ES = 'Algunos valores no son válidos; consulta "errors".'

/** The issues of a 422: sentences for people, and structured details for programs. */
function validationBody(issues: readonly Issue[], lang: Lang) {
  const errors = issues.map(issue => issueReply(issue, lang))
  const details = issues.map(({ field, index, code }, i) => ({
    field,
    ...(index === undefined ? {} : { index }),
    code,
    message: errors[i],
  }))
  return { ...(lang === 'es' ? { message: VALIDATION_ES } : {}), errors, details }
}

export function errorAnswer(problem: Problem, lang: Lang = 'en'): ErrorAnswer {
  const { status, message } = ERRORS[problem.kind]
  const { details } = problem
  const { issues = [] } = details
  return {
    status,
    headers: {
      ...(problem.kind === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(details.etag === undefined ? {} : { etag: details.etag }),
      ...(details.retryAfter === undefined ? {} : { 'retry-after': String(details.retryAfter) }),
    },
    body: {
      error: problem.kind,
      message: details.message ?? message,
      ...(problem.kind === 'validation' ? validationBody(issues, lang) : {}),
      ...details.extra,
    },
  }
}

// Errors Fastify raises before a handler runs.
const FRAMEWORK: Record<string, ProblemKind> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'bad_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'bad_request',
  FST_PARTS_LIMIT: 'payload_too_large',
  FST_FILES_LIMIT: 'payload_too_large',
  FST_FIELDS_LIMIT: 'payload_too_large',
  FST_REQ_FILE_TOO_LARGE: 'payload_too_large',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
}

// Text that PostgreSQL cannot store: the sender's fault (see lib/fields.ts).
const isUnstorable = ({ code }: { code?: unknown }): boolean => code === '22021' || code === '22P05'

// The multipart parser's errors for a form that was cut off or malformed: the sender's fault.
const isBrokenForm = ({ message }: Error): boolean =>
  /^Multipart: Boundary not found$|unexpected end of multipart data$|^The needle cannot /i.test(message)

const unavailable: ErrorAnswer = {
  status: 503,
  headers: { 'retry-after': '5' },
  body: { error: 'server_error', message: 'The service is not ready yet. Retry in a few seconds.' },
}

/** The public response to any error. */
export function answerTo(
  error: Error & { code?: string; statusCode?: number },
  requestId: string,
  lang: Lang = 'en',
): ErrorAnswer {
  if (error instanceof Problem) return errorAnswer(error, lang)
  const kind = FRAMEWORK[error.code ?? '']
  if (kind) return errorAnswer(new Problem(kind))
  if (error instanceof NotReady || error instanceof Away || isUnavailable(error)) return unavailable
  if (isBrokenForm(error) || isUnstorable(error)) return errorAnswer(new Problem('bad_request'))
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return errorAnswer(new Problem('bad_request'))
  }
  const message = `${ERRORS.server_error.message} If it persists, tell us the request id ${requestId}.`
  return errorAnswer(new Problem('server_error', { message }))
}

/** An allow-list: PostgreSQL's `detail` quotes the rejected row, and a lead's row is personal data. */
function loggable(error: Error & { code?: unknown; table?: unknown; constraint?: unknown }) {
  const { name, message, stack, code, table, constraint } = error
  return { name, message, stack, code, table, constraint }
}

const seldomLog = seldom()

export function logFault(error: Error, status: number, request: FastifyRequest): void {
  const cause = loggable(error)
  if (error instanceof NotReady) request.log.info(error.message)
  // While the database is away every request fails for that reason, and has a line with its status anyway.
  else if (status === 503) seldomLog(leftOut => request.log.error({ cause, leftOut }, 'request failed'))
  else if (status >= 500) request.log.error({ cause }, 'request failed')
}

/** The private cause goes to the log under the request id, the public message to the client. */
export function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, headers, body } = answerTo(error, request.id, languageOf(request))
  logFault(error, status, request)
  // The rest of an oversized body is not read, so the connection cannot be reused.
  if (status === 413) reply.header('connection', 'close')
  return reply
    .code(status)
    .headers(headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body))
}
