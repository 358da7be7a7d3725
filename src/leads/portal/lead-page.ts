import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rejected } from '../../portal/form-route.ts'
import type { LeadRow } from '../service.ts'

export interface ById {
  Params: { id: string }
}

/** Submitted values and errors, by form. */
export interface RejectedForms {
  details?: Rejected
  note?: Rejected
  refusal?: Rejected
}

/** What the forms on the lead page need from it. */
export interface LeadPage {
  /** The lead in the URL; not_found if it is another agent's. */
  leadOf(request: FastifyRequest<ById>): Promise<LeadRow>
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    lead: LeadRow,
    rejected?: RejectedForms,
  ): Promise<FastifyReply>
}

export const pathOf = ({ id }: { id: string }) => `/portal/leads/${id}`
