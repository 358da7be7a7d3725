import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Rejected } from '../../portal/form-route.ts'
import type { LeadRow } from '../service.ts'

export interface ById {
  Params: { id: string }
}

/** What was typed and is wrong, by form. */
export interface RejectedForms {
  details?: Rejected
  note?: Rejected
  refusal?: Rejected
}

/** What the forms on a lead's page need of that page. */
export interface LeadPage {
  /** The lead of the address, if it is of whoever asks. Another's does not exist. */
  leadOf(request: FastifyRequest<ById>): Promise<LeadRow>
  send(
    request: FastifyRequest,
    reply: FastifyReply,
    lead: LeadRow,
    rejected?: RejectedForms,
  ): Promise<FastifyReply>
}

export const pathOf = ({ id }: { id: string }) => `/portal/leads/${id}`
