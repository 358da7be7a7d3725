import { atomically, type Sql, type Tx, violates } from '../../db/database.ts'
import { cleanText, lengthOf } from '../../lib/fields.ts'
import { type Issue, issue } from '../../lib/issue.ts'
import { Problem, refuseIfAny } from '../../lib/problem.ts'
import { canonicalState } from '../../lookups/states.ts'
import { requestNotice } from '../../outbox/store.ts'
import { agencyNamed, markVerified } from '../service.ts'
import * as store from '../store.ts'
import * as licenceStore from './store.ts'

export { countPending, findLicenceRequest, latestLicenceRequest, listLicenceRequests } from './store.ts'

const MAX_TEXT = 120
const MAX_REASON = 500

export interface LicenceClaim {
  state: string
  authority: string
  number: string
  document: { name: string; type: 'application/pdf' | 'image/webp' } | undefined
}

export function licenceIssues(claim: Pick<LicenceClaim, 'state' | 'authority' | 'number'>): Issue[] {
  const issues: Issue[] = []
  if (!canonicalState(claim.state)) issues.push(issue('state', 'unknown_state', {}))
  for (const name of ['authority', 'number'] as const) {
    const length = lengthOf(cleanText(claim[name]))
    if (length < 2) issues.push(issue(name, 'too_short', { min: 2 }))
    if (length > MAX_TEXT) issues.push(issue(name, 'too_long', { max: MAX_TEXT }))
  }
  return issues
}

/** One question to the operator at a time; after an answer the agent may ask again. */
export async function requestVerification(db: Sql, agentId: string, claim: LicenceClaim): Promise<void> {
  const issues = licenceIssues(claim)
  if (!claim.document) issues.push(issue('document', 'required'))
  refuseIfAny(issues)
  try {
    await licenceStore.insertLicenceRequest(db, {
      agent_id: agentId,
      state: canonicalState(claim.state) as string,
      authority: cleanText(claim.authority),
      number: cleanText(claim.number),
      document: claim.document?.name ?? null,
      document_type: claim.document?.type ?? null,
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
  const reason = cleanText(why)
  if (lengthOf(reason) < 5) refuseIfAny([issue('reason', 'too_short', { min: 5 })])
  if (lengthOf(reason) > MAX_REASON) refuseIfAny([issue('reason', 'too_long', { max: MAX_REASON })])
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
