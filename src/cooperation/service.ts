import type { Db, Sql, Tx } from '../db/database.ts'
import { prepareDocument } from '../files/documents.ts'
import type { Upload } from '../files/upload.ts'
import { accepting, type Uploads } from '../files/uploads.ts'
import { requireIdentification } from '../leads/identification/service.ts'
import { changeDetails, findLead, findOwnLead, type LeadRow } from '../leads/service.ts'
import { readBody } from '../lib/fields.ts'
import { type Flaw, issue } from '../lib/issue.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import type { SealedBox } from '../lib/sealed-box.ts'
import { DAY_MS } from '../lib/time.ts'
import { isUuid } from '../lib/uuid.ts'
import { type ListingRow, listByIds } from '../listings/service.ts'
import { announce, tell } from './announce.ts'
import {
  initialsOf,
  MAX_ENTRIES,
  MAX_FILES,
  may,
  otherRole,
  type Role,
  type Step,
  stateAfter,
  stepFields,
} from './rules.ts'
import type { CooperationRow } from './store.ts'
import * as store from './store.ts'

export {
  type CooperationInList,
  countAwaiting,
  type Entry,
  findStep,
  listCooperations,
  listDisputed,
} from './store.ts'

const notFound = () => new Problem('not_found')
const conflict = (...flaw: Flaw) => new Problem('conflict', { issues: [issue('', ...flaw)] })

export const roleIn = (
  row: Pick<CooperationRow, 'buyer_agent_id' | 'owner_id'>,
  agentId: string,
): Role | undefined =>
  row.buyer_agent_id === agentId ? 'buyer' : row.owner_id === agentId ? 'owner' : undefined

// ---- steps -----------------------------------------------------------------------------------------------

export interface StepDeps {
  db: Db
  /** Opens identifications; undefined where showings are not offered. */
  identities: SealedBox | undefined
  now: () => Date
}

/** Every step is read, judged by the table of rules, written, mailed and announced in one transaction. */
export async function takeStep(
  deps: StepDeps,
  agentId: string,
  id: string,
  step: Exclude<Step, 'file'>,
  form: Record<string, unknown>,
): Promise<void> {
  await deps.db.transaction().execute(tx => stepIn(tx, deps, { agentId, id, step, form }))
}

/** A PDF or a picture, for both. */
export async function addFile(
  deps: StepDeps & { uploads: Uploads },
  agentId: string,
  id: string,
  upload: Upload | undefined,
  form: Record<string, unknown>,
): Promise<void> {
  refuseIfAny(upload ? [] : [issue('file', 'required')])
  // First, so that only those who may add a file cost the time to read one.
  const found = isUuid(id) ? await store.findCooperation(deps.db, id) : undefined
  const role = found && roleIn(found, agentId)
  if (!found || !role) throw notFound()
  if (!may('file', found, role)) throw conflict('step_refused')
  const document = await prepareDocument(upload as Upload, agentId, 'file')
  await accepting(deps.db, deps.uploads, agentId, async (tx, keep) => {
    await stepIn(tx, deps, { agentId, id, step: 'file', form, file: document.name })
    await keep('documents', document)
  })
}

interface Taken {
  agentId: string
  id: string
  step: Step
  form: Record<string, unknown>
  file?: string
}

/** The values of any step; which of them there are depends on it. */
interface Input {
  text?: string | null
  split?: string
  showing_at?: Date
  lead?: string
}

/** The steps that matter to other systems: the state or the split changed. */
const ANNOUNCED: readonly Step[] = [
  'accept',
  'counter',
  'decline',
  'withdraw',
  'showing',
  'offer',
  'close',
  'lose',
]

async function stepIn(tx: Tx, deps: StepDeps, { agentId, id, step, form, file }: Taken): Promise<void> {
  const row = isUuid(id) ? await store.lockCooperation(tx, id) : undefined
  const role = row && roleIn(row, agentId)
  if (!row || !role) throw notFound()
  if (!may(step, row, role)) throw conflict('step_refused')
  const { value, issues } = readBody(stepFields[step], { ...blank(step), ...form })
  refuseIfAny(issues)
  const input = value as Input
  await requireRoom(tx, id, step)
  const state = stateAfter(step, row.state)
  const changes = {
    state,
    awaited: state === 'proposed' ? row.awaited : null,
    ...(await effectOf(tx, deps, { row, role, step, input })),
  }
  const at = await store.updateCooperation(tx, id, changes)
  const { text = null, split = null, showing_at = null } = input
  const entry = {
    cooperation_id: id,
    agent_id: agentId,
    kind: step,
    text,
    split,
    showing_at,
    file: file ?? null,
  }
  const { id: entryId } = await store.insertEntry(tx, entry)
  // The record of the buyer's agent is no news to the other.
  if (step !== 'attach') {
    const other = otherRole(role)
    await tell(tx, {
      id,
      to: other === 'owner' ? row.owner_id : row.buyer_agent_id,
      entryId,
      isSlow: step === 'message',
    })
  }
  if (ANNOUNCED.includes(step)) {
    const listing = (await listByIds(tx, [row.listing_id]))[0] as ListingRow
    await announce(tx, 'cooperation.updated', { ...row, state }, listing, at)
  }
}

/** A missing value is wrong like an empty one. */
const blank = (step: Step) => Object.fromEntries(Object.keys(stepFields[step]).map(name => [name, '']))

async function requireRoom(tx: Tx, id: string, step: Step): Promise<void> {
  const { entries, files } = await store.countEntries(tx, id)
  // The last steps are always possible.
  if (entries >= MAX_ENTRIES && (step === 'message' || step === 'file' || step === 'showing'))
    throw conflict('thread_full', { max: MAX_ENTRIES })
  if (step === 'file' && files >= MAX_FILES) throw conflict('thread_full', { max: MAX_FILES })
}

interface Effect {
  row: CooperationRow
  role: Role
  step: Step
  input: Input
}

/** What a step changes besides the state. */
async function effectOf(tx: Tx, deps: StepDeps, { row, role, step, input }: Effect) {
  const now = deps.now()
  switch (step) {
    case 'counter':
      return { split: input.split as string, awaited: otherRole(role), awaited_since: now }
    case 'attach': {
      const lead = await findOwnLead(tx, row.buyer_agent_id, input.lead as string)
      if (!lead) throw notFound()
      return { lead_id: lead.id, client: initialsOf(lead.name) }
    }
    case 'identify': {
      const lead = await leadOf(tx, row)
      if (!(await requireIdentification(tx, deps.identities, lead.id, now))) throw conflict('too_many_tries')
      return {}
    }
    case 'share':
      await leadOf(tx, row)
      return { client_shared_at: now }
    case 'showing':
      return { showing_at: await agreeShowing(tx, row, input.showing_at as Date, now) }
    case 'dispute':
      return { disputed_at: now }
    default:
      return {}
  }
}

async function leadOf(tx: Tx, row: CooperationRow): Promise<LeadRow> {
  const lead = row.lead_id ? await findLead(tx, row.lead_id) : undefined
  if (!lead) throw conflict('no_lead')
  return lead
}

/** No showing without an identified buyer. If the lead is about this listing, it is also the lead's. */
async function agreeShowing(tx: Tx, row: CooperationRow, at: Date, now: Date): Promise<Date> {
  refuseIfAny(at < now ? [issue('showing_at', 'in_the_past')] : [])
  const lead = row.lead_id ? await findLead(tx, row.lead_id) : undefined
  if (lead?.id_status !== 'verified') refuseIfAny([issue('showing_at', 'buyer_not_identified')])
  if (lead?.listing_id === row.listing_id) {
    const value = { tour_status: 'confirmed' as const, showing_at: at }
    await changeDetails(tx, row.buyer_agent_id, lead.id, { value, issues: [] })
  }
  return at
}

// ---- time and disputes -----------------------------------------------------------------------------------

const BATCH = 100

/** Ends proposals that no one answered; both sides are notified. */
export async function expireUnanswered(db: Db, days: number, now: Date): Promise<number> {
  const before = new Date(now.getTime() - days * DAY_MS)
  for (let expired = 0; ; ) {
    const count = await db.transaction().execute(async tx => {
      const ids = await store.lockUnanswered(tx, before, BATCH)
      for (const id of ids) await endBySystem(tx, id)
      return ids.length
    })
    expired += count
    if (count < BATCH) return expired
  }
}

async function endBySystem(tx: Tx, id: string): Promise<void> {
  const row = (await store.lockCooperation(tx, id)) as CooperationRow
  const at = await store.updateCooperation(tx, id, { state: 'expired', awaited: null })
  const { id: entryId } = await store.insertEntry(tx, { cooperation_id: id, kind: 'expire' })
  for (const to of [row.buyer_agent_id, row.owner_id]) await tell(tx, { id, to, entryId })
  const listing = (await listByIds(tx, [row.listing_id]))[0] as ListingRow
  await announce(tx, 'cooperation.updated', { ...row, state: 'expired' }, listing, at)
}

/** Only while it is reported does the operator read the thread. */
export async function findDisputed(db: Sql, id: string) {
  const found = isUuid(id) ? await store.findCooperation(db, id) : undefined
  if (!found?.disputed_at) throw notFound()
  return { cooperation: found, entries: await store.listEntries(db, id) }
}

export async function resolveDispute(tx: Tx, operatorId: string, id: string, text: string) {
  const { value, issues } = readBody(stepFields.dispute, { text })
  refuseIfAny(issues)
  const row = isUuid(id) ? await store.lockCooperation(tx, id) : undefined
  if (!row?.disputed_at) throw notFound()
  await store.updateCooperation(tx, id, { disputed_at: null })
  const entry = {
    cooperation_id: id,
    agent_id: operatorId,
    kind: 'resolve' as const,
    text: value.text as string,
  }
  const { id: entryId } = await store.insertEntry(tx, entry)
  for (const to of [row.buyer_agent_id, row.owner_id]) await tell(tx, { id, to, entryId })
  return row
}
