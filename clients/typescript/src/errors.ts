import type { ErrorBody } from './types.ts'

/** Codes of the API; a code that is added later is text, too. */
export type ErrorCode = ErrorBody['error'] | (string & {})
export type Issue = NonNullable<ErrorBody['details']>[number]

/** The API refused the call, or could not answer it even when it was repeated. */
export class LonjaError extends Error {
  override readonly name = 'LonjaError'
  readonly status: number
  /** A stable code: `validation`, `not_found`, `gone`, `precondition_failed` … */
  readonly code: ErrorCode
  /** With `validation`: each problem, with its field and code. */
  readonly issues: readonly Issue[]
  /** Everything the API said, such as the `id` of the listing in a `conflict`. */
  readonly body: Readonly<Record<string, unknown>>
  /** Quote it when you report a problem. */
  readonly requestId: string | null

  constructor(response: Response, body: Partial<ErrorBody> & Record<string, unknown>) {
    const { error, message, errors = [], details = [] } = body
    super([message ?? `The API answered ${response.status}.`, ...errors].join('\n'))
    this.status = response.status
    this.code = error ?? 'server_error'
    this.issues = details
    this.body = body
    this.requestId = response.headers.get('x-request-id')
  }
}

/** No answer arrived, even when the call was repeated. */
export class LonjaUnreachable extends Error {
  override readonly name = 'LonjaUnreachable'
}
