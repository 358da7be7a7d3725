import type { Issue } from './issue.ts'

/** Every failure that is reported to the caller. http/errors.ts maps each to a status. */
export type ProblemKind =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'validation'
  | 'rate_limited'
  | 'server_error'

interface ProblemDetails {
  /** Replaces the default message of the kind. */
  message?: string
  /** What the sender can fix. A form shows these next to its fields, for any kind. */
  issues?: readonly Issue[]
  /** Seconds until a retry makes sense. */
  retryAfter?: number
  /** The current version of what could not be changed. */
  etag?: string
  /** Additional members of the response, such as the id of the conflicting listing. */
  extra?: Record<string, unknown>
}

/** Thrown by rules and services, which do not depend on HTTP. */
export class Problem extends Error {
  readonly kind: ProblemKind
  readonly details: ProblemDetails

  constructor(kind: ProblemKind, details: ProblemDetails = {}) {
    super(details.message ?? kind)
    this.kind = kind
    this.details = details
  }
}

/** Something is still starting: a retry in a few seconds will work. */
export class NotReady extends Error {}

/** There is too much to do: refused before any work was done. */
export class Overloaded extends NotReady {}

/** Something we depend on does not answer, or refuses us: logged as an error, a retry may work. */
export class Away extends Error {}

export function refuseIfAny(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new Problem('validation', { issues })
}
