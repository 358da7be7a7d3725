import { atomically, type Sql, type Tx, violates } from '../../db/database.ts'
import { filled, readAll } from '../../lib/fields.ts'
import { issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import { plainStateField } from '../../lookups/fields.ts'
import { requestNotice } from '../../outbox/store.ts'
import { reasonField } from '../fields.ts'
import { agencyNamed, markVerified } from '../service.ts'
import * as store from '../store.ts'
import * as licenceStore from './store.ts'

export { countPending, findLicenceRequest, latestLicenceRequest, listLicenceRequests } from './store.ts'

const claimFields = {
  state: plainStateField,
  authority: filled({ min: 2, max: 120 }),
  number: filled({ min: 2, max: 120 }),
}

export type LicenceClaim = { [K in keyof typeof claimFields]: string }

export interface StoredDocument {
  name: string
  type: 'application/pdf' | 'image/webp'
}

/**
 * One question to the operator at a time; after an answer the agent may ask again. Nothing is stored for a form that
 * would be refused anyway: the document is saved only then.
 */
export async function requestVerification(
  db: Sql,
  agentId: string,
  sent: LicenceClaim,
  saveDocument: (() => Promise<StoredDocument>) | undefined,
): Promise<void> {
  const claim = readAll(claimFields, sent, saveDocument ? [] : [issue('document', 'required')])
  const document = await saveDocument?.()
  try {
    await licenceStore.insertLicenceRequest(db, {
      agent_id: agentId,
      ...claim,
      document: document?.name ?? null,
      document_type: document?.type ?? null,
    })
  } catch (error) {
    if (!violates(error, 'licence_requests_pending')) throw error
    throw new Problem('conflict', { issues: [issue('', 'licence_waiting')] })
  }
}

interface Decision {
  operatorId: string
  requestId: string
  /** Put the agent into the agency named in the request's profile, made if new. */
  withAgency?: boolean
}

/** The licence is what the operator saw: its data become the agent's, and everything the agent published appears. */
export function verifyLicence(db: Sql, { operatorId, requestId, withAgency = false }: Decision) {
  return atomically(db, async tx => {
    const request = await lockPending(tx, requestId)
    await licenceStore.decideLicenceRequest(tx, request.id, {
      status: 'verified',
      decided_by: operatorId,
      reason: null,
    })
    await store.updateAgent(tx, request.agent_id, {
      license_state: request.state,
      license_number: request.number,
      license_authority: request.authority,
    })
    if (withAgency && request.agency_wanted) await joinAgency(tx, request.agent_id, request.agency_wanted)
    await markVerified(tx, { id: request.agent_id, verified_at: request.verified_at }, true)
    return request
  })
}

/** Whoever founds an agency looks after its page. */
async function joinAgency(tx: Tx, agentId: string, name: string): Promise<void> {
  const { id, isNew } = await agencyNamed(tx, name)
  await store.updateAgent(tx, agentId, { agency_id: id, is_agency_admin: isNew, agency_wanted: null })
}

export function refuseLicence(db: Sql, { operatorId, requestId }: Decision, why: string) {
  const { reason } = readAll({ reason: reasonField }, { reason: why })
  return atomically(db, async tx => {
    const request = await lockPending(tx, requestId)
    await licenceStore.decideLicenceRequest(tx, request.id, {
      status: 'refused',
      decided_by: operatorId,
      reason,
    })
    await requestNotice(tx, { kind: 'licence-refused', agentId: request.agent_id, ids: [request.id] })
    return request
  })
}

async function lockPending(tx: Tx, id: string) {
  const request = await licenceStore.lockLicenceRequest(tx, id)
  if (request?.status !== 'pending') throw new Problem('not_found')
  return request
}
