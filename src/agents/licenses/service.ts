import { atomically, type Db, type Sql, type Tx, violates } from '../../db/database.ts'
import { prepareDocument } from '../../files/documents.ts'
import type { Upload } from '../../files/upload.ts'
import { accepting, type Uploads } from '../../files/uploads.ts'
import { filled, readAll } from '../../lib/fields.ts'
import { issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import { plainStateField } from '../../lookups/fields.ts'
import { requestNotice } from '../../outbox/store.ts'
import { reasonField } from '../fields.ts'
import { agencyNamed, markVerified } from '../service.ts'
import * as store from '../store.ts'
import * as licenseStore from './store.ts'

export { countPending, findLicenseRequest, latestLicenseRequest, listLicenseRequests } from './store.ts'

/** Who vouches for the agent: the state's registry, or a nationwide body, which then is the authority. */
export const LICENSE_BODIES = {
  ampi: 'AMPI (Asociación Mexicana de Profesionales Inmobiliarios)',
  conocer: 'CONOCER (certificado de competencia laboral)',
} as const

const claimFields = {
  state: plainStateField,
  authority: filled({ min: 2, max: 120 }),
  number: filled({ min: 2, max: 120 }),
}

type LicenseClaim = { [K in keyof typeof claimFields]: string } & {
  /** Of LICENSE_BODIES; anything else is a license of the state. */
  kind?: string
  document: Upload | undefined
}

/** One pending request at a time; after a decision the agent may submit another. */
export async function requestVerification(
  { db, uploads }: { db: Db; uploads: Uploads },
  agentId: string,
  { document: upload, kind = '', ...typed }: LicenseClaim,
): Promise<void> {
  const body = Object.hasOwn(LICENSE_BODIES, kind) && LICENSE_BODIES[kind as keyof typeof LICENSE_BODIES]
  const sent = body ? { ...typed, authority: body } : typed
  const claim = readAll(claimFields, sent, upload ? [] : [issue('document', 'required')])
  const isWaiting = new Problem('conflict', { issues: [issue('', 'licence_waiting')] })
  // Decoding an image costs more than the query, so it comes second.
  if ((await licenseStore.latestLicenseRequest(db, agentId))?.status === 'pending') throw isWaiting
  const document = await prepareDocument(upload as Upload, agentId, 'document')
  const { name, type } = document
  const work = accepting(db, uploads, agentId, async (tx, keep) => {
    const request = { agent_id: agentId, ...claim, document: name, document_type: type }
    await licenseStore.insertLicenseRequest(tx, request)
    await keep('documents', document)
  })
  await work.catch(error => {
    throw violates(error, 'licence_requests_pending') ? isWaiting : error
  })
}

interface Decision {
  operatorId: string
  requestId: string
  /** Assign the agent to the agency named in the profile, creating it if needed. */
  withAgency?: boolean
}

/** The agent takes over the verified license data, and everything they published appears. */
export function verifyLicense(db: Sql, { operatorId, requestId, withAgency = false }: Decision) {
  return atomically(db, async tx => {
    const request = await lockPending(tx, requestId)
    await licenseStore.decideLicenseRequest(tx, request.id, {
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

/** The founder of an agency manages its page. */
async function joinAgency(tx: Tx, agentId: string, name: string): Promise<void> {
  const { id, isNew } = await agencyNamed(tx, name)
  await store.updateAgent(tx, agentId, { agency_id: id, is_agency_admin: isNew, agency_wanted: null })
}

export function refuseLicense(db: Sql, { operatorId, requestId }: Decision, why: string) {
  const { reason } = readAll({ reason: reasonField }, { reason: why })
  return atomically(db, async tx => {
    const request = await lockPending(tx, requestId)
    await licenseStore.decideLicenseRequest(tx, request.id, {
      status: 'refused',
      decided_by: operatorId,
      reason,
    })
    await requestNotice(tx, { kind: 'licence-refused', agentId: request.agent_id, ids: [request.id] })
    return request
  })
}

async function lockPending(tx: Tx, id: string) {
  const request = await licenseStore.lockLicenseRequest(tx, id)
  if (request?.status !== 'pending') throw new Problem('not_found')
  return request
}
