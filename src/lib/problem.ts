import type { Issue } from './issue.ts'

/** Everything that can go wrong in a way its caller should hear about. http/errors.ts gives each its status. */
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
  /** Replaces the kind's usual sentence. */
  message?: string
  /** What whoever sent it can fix. A form shows them beside its fields, whatever the kind. */
  issues?: readonly Issue[]
  /** Seconds after which it is worth trying again. */
  retryAfter?: number
  /** Additional members of the answer, such as the id of the listing a conflict is about. */
  extra?: Record<string, unknown>
}

/** Thrown by rules and services, which know nothing of HTTP. */
export class Problem extends Error {
  readonly kind: ProblemKind
  readonly details: ProblemDetails

  constructor(kind: ProblemKind, details: ProblemDetails = {}) {
    super(details.message ?? kind)
    this.kind = kind
    this.details = details
  }
}

/** What is asked for will work in a few seconds: something is still starting. */
export class NotReady extends Error {}

export function refuseIfAny(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new Problem('validation', { issues })
}
