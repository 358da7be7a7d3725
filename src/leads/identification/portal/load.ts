import type { FastifyReply } from 'fastify'
import { Problem } from '../../../lib/problem.ts'
import type { SealedBox } from '../../../lib/sealed-box.ts'
import type { PortalDeps } from '../../../portal/shell.tsx'
import type { LeadRow } from '../../service.ts'
import {
  findIdentification,
  type IdentificationRow,
  type Identity,
  openPicture,
  tryToOpenIdentity,
} from '../service.ts'

export interface IdentificationDeps extends PortalDeps {
  /** Undefined without a key to decrypt identifications. */
  identities: SealedBox | undefined
}

/** Identification data shown on a screen. */
export interface ShownIdentification {
  status: 'asked' | 'submitted' | 'verified' | 'refused'
  identity: Identity | undefined
  /** Stored, but encrypted with a key the server does not have. */
  isShut: boolean
  submittedAt: Date | null
  decidedAt: Date | null
  linkExpiresAt: Date | null
  erasedAt: Date | null
  reason: string | null
}

/** For a showing that did not come from our forms, such as one of the demo market. */
const NOT_ASKED: IdentificationRow = {
  lead_id: '',
  status: 'asked',
  submitted_at: null,
  decided_at: null,
  reason: null,
  erased_at: null,
  token_expires_at: null,
  details: null,
}

export async function loadIdentification(
  { db, identities: box }: Pick<IdentificationDeps, 'db' | 'identities'>,
  lead: Pick<LeadRow, 'id' | 'awaiting_id'>,
): Promise<ShownIdentification | undefined> {
  const row = (await findIdentification(db, lead.id)) ?? (lead.awaiting_id ? NOT_ASKED : undefined)
  if (!row) return undefined
  const identity = row.details && box ? tryToOpenIdentity(box, lead.id, row.details) : undefined
  return {
    status: row.status,
    identity,
    isShut: row.details !== null && identity === undefined,
    submittedAt: row.submitted_at,
    decidedAt: row.decided_at,
    linkExpiresAt: row.token_expires_at,
    erasedAt: row.erased_at,
    reason: row.reason,
  }
}

/** Private: no cache may store it. */
export async function sendPicture(
  reply: FastifyReply,
  { db, identities: box }: Pick<IdentificationDeps, 'db' | 'identities'>,
  leadId: string,
): Promise<FastifyReply> {
  const picture = box && (await openPicture(db, box, leadId).catch(() => undefined))
  if (!picture) throw new Problem('not_found')
  return reply
    .type('image/webp')
    .header('cache-control', 'no-store')
    .header('content-disposition', 'inline; filename="documento.webp"')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(picture)
}
