import { createHash, randomBytes } from 'node:crypto'
import { atomically, type Db, type Sql, type Tx } from '../../db/database.ts'
import { type Field, filled, oneOf, type Patch, type Reading, readAll, text } from '../../lib/fields.ts'
import type { Words } from '../../lib/i18n.ts'
import { issue } from '../../lib/issue.ts'
import { Problem, refuseIfAny } from '../../lib/problem.ts'
import { type SealedBox, sealedBox } from '../../lib/sealed-box.ts'
import { DAY_MS } from '../../lib/time.ts'
import { requestLetter } from '../../outbox/letters.ts'
import { markIdentified } from '../service.ts'
import type { LeadRow } from '../store.ts'
import { findLead, startIdentification } from '../store.ts'
import * as rows from './store.ts'

export {
  eraseOld as eraseOldIdentifications,
  findIdentification,
  findWaitingIdentification as findWaiting,
  type IdentificationRow,
  listWaiting,
  type WaitingRow,
} from './store.ts'

export const DOCUMENTS = ['ine', 'passport', 'licence', 'resident'] as const
export type DocumentKind = (typeof DOCUMENTS)[number]

export const documentWords = (t: Words): Record<DocumentKind, string> => ({
  ine: t('Credencial para votar (INE)', 'Voter card (INE)'),
  passport: t('Pasaporte', 'Passport'),
  licence: t('Licencia de conducir', 'Driver’s license'),
  resident: t('Tarjeta de residente', 'Resident card'),
})

/** Document data from the visitor. Encrypted at rest and decrypted for one screen only. */
export interface Identity {
  name: string
  document: DocumentKind
  number: string
}

const required = (max: number) => ({ ...text({ min: 2, max }), nullable: false }) as Field<string>

export const identityFields = {
  name: required(200),
  document: { ...oneOf(DOCUMENTS), nullable: false } as Field<DocumentKind>,
  number: required(60),
}

/** The key is not in the database, so a stolen database reveals no documents. */
export const identificationBox = (keyText: string): SealedBox => sealedBox(keyText, 'lonja identification')

const boundTo = (part: 'details' | 'picture', leadId: string) => `${part} ${leadId}`

// ---- the private link ------------------------------------------------------------------------------------

/** How long a link is valid. */
export const LINK_DAYS = 7

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Emails the visitor a link, unless several were sent recently. */
export const askForIdentification = (
  tx: Tx,
  lead: Pick<LeadRow, 'id' | 'agent_id'>,
  email: string,
  now: Date,
): Promise<boolean> =>
  requestLetter(
    tx,
    { kind: 'identify', agentId: lead.agent_id, ids: [lead.id] },
    { to: email, isProven: false, now },
  )

/**
 * Created when the email is rendered, so it is never stored in a queue; only the newest works. Undefined when no
 * identification is needed any longer.
 */
export async function issueLink(db: Sql, leadId: string, now = new Date()): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LINK_DAYS * DAY_MS)
  return (await rows.updateLink(db, leadId, hashOf(token), expiresAt)) ? token : undefined
}

export type Link = { state: 'open' | 'used' | 'expired' | 'cancelled'; about: rows.LinkRow }

/** Undefined if it never existed or a newer one replaced it. */
export async function findLink(db: Sql, token: string, now: Date): Promise<Link | undefined> {
  const about = /^[\w-]{43}$/.test(token) ? await rows.findByLink(db, hashOf(token)) : undefined
  if (!about) return undefined
  if (about.tour_status === 'cancelled') return { state: 'cancelled', about }
  if (about.status !== 'asked') return { state: 'used', about }
  return { state: about.token_expires_at > now ? 'open' : 'expired', about }
}

/** `picture` is re-encoded by files/images.ts. Throws not_found for a link that no longer works. */
export async function submitIdentification(
  { db, box, now }: { db: Db; box: SealedBox; now: Date },
  token: string,
  sent: Reading<Patch<typeof identityFields>>,
  picture: Buffer | undefined,
): Promise<void> {
  const { value, issues } = sent
  refuseIfAny(picture ? issues : [...issues, issue('picture', 'not_a_photo')])
  const link = await findLink(db, token, now)
  if (link?.state !== 'open') throw new Problem('not_found')
  const { lead_id: leadId, agent_id: agentId } = link.about
  await db.transaction().execute(async tx => {
    const details = box.seal(Buffer.from(JSON.stringify(value)), boundTo('details', leadId))
    const sealed = { details, picture: box.seal(picture as Buffer, boundTo('picture', leadId)), now }
    if (!(await rows.updateSubmitted(tx, hashOf(token), sealed))) throw new Problem('not_found')
    const letter = { kind: 'identification', agentId, ids: [leadId] } as const
    await requestLetter(tx, letter, { to: agentId, isProven: true })
  })
}

// ---- review ----------------------------------------------------------------------------------------------

export const openIdentity = (box: SealedBox, leadId: string, sealed: Buffer): Identity =>
  JSON.parse(box.open(sealed, boundTo('details', leadId)).toString())

/** Undefined if encrypted with another key. */
export function tryToOpenIdentity(box: SealedBox, leadId: string, sealed: Buffer): Identity | undefined {
  try {
    return openIdentity(box, leadId, sealed)
  } catch {
    return undefined
  }
}

/** A WebP; undefined if missing or erased. */
export async function openPicture(db: Sql, box: SealedBox, leadId: string): Promise<Buffer | undefined> {
  const sealed = await rows.findPicture(db, leadId)
  return sealed ? box.open(sealed, boundTo('picture', leadId)) : undefined
}

// ---- the decision of the agent or an operator ------------------------------------------------------------

/** The showing can now be confirmed, and the agent's systems are notified of the lead. */
export function verifyIdentification(db: Sql, leadId: string, decidedBy: string): Promise<LeadRow> {
  return atomically(db, async tx => {
    await lockSubmitted(tx, leadId)
    await rows.updateVerified(tx, leadId, decidedBy)
    return markIdentified(tx, leadId)
  })
}

const reasonField = filled({ min: 5, max: 500 })

export function refuseIdentification(
  db: Sql,
  leadId: string,
  decidedBy: string,
  why: string,
): Promise<LeadRow> {
  const { reason } = readAll({ reason: reasonField }, { reason: why })
  return atomically(db, async tx => {
    await lockSubmitted(tx, leadId)
    await rows.updateRefused(tx, leadId, decidedBy, reason)
    const lead = (await findLead(tx, leadId)) as LeadRow
    const letter = { kind: 'identification-refused', agentId: lead.agent_id, ids: [leadId] } as const
    // The link was sent to that address, which confirms it.
    if (lead.email) await requestLetter(tx, letter, { to: lead.email, isProven: true })
    return lead
  })
}

/** Only a submitted identification can be decided. */
async function lockSubmitted(tx: Tx, leadId: string): Promise<void> {
  const found = await rows.lockIdentification(tx, leadId)
  if (found?.status !== 'submitted' || !found.details) {
    throw new Problem('conflict', { issues: [issue('', 'nothing_to_decide')] })
  }
}

/** Before a showing that was not requested in a form: the lead's person is asked like any other visitor. */
export function requireIdentification(
  db: Sql,
  box: SealedBox | undefined,
  leadId: string,
  now: Date,
): Promise<boolean> {
  return atomically(db, async tx => {
    await startIdentification(tx, leadId)
    return askAgain(tx, box, (await findLead(tx, leadId)) as LeadRow, now)
  })
}

/**
 * Sends the visitor a first or another link, if allowed. Erases the earlier submission, except while it awaits a
 * decision.
 */
export function askAgain(db: Sql, box: SealedBox | undefined, lead: LeadRow, now: Date): Promise<boolean> {
  return atomically(db, async tx => {
    if (lead.id_status !== 'pending' || !lead.email || lead.tour_status === 'cancelled') {
      throw new Problem('conflict', { issues: [issue('', 'nobody_to_ask')] })
    }
    await rows.insertIdentification(tx, lead.id)
    const found = await rows.lockIdentification(tx, lead.id)
    if (found?.status === 'verified') {
      throw new Problem('conflict', { issues: [issue('', 'nothing_to_decide')] })
    }
    const waiting = found?.status === 'submitted' ? found.details : null
    if (waiting && box && tryToOpenIdentity(box, lead.id, waiting)) {
      throw new Problem('conflict', { issues: [issue('', 'identification_waiting')] })
    }
    if (!(await askForIdentification(tx, lead, lead.email, now))) return false
    await rows.updateAskedAgain(tx, lead.id)
    return true
  })
}
