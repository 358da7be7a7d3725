import { atomically, type Db, type Sql } from '../../db/database.ts'
import { emailField } from '../../lib/email.ts'
import { readAll } from '../../lib/fields.ts'
import { issue } from '../../lib/issue.ts'
import { Problem, refuseIfAny } from '../../lib/problem.ts'
import { requestLetter } from '../../outbox/letters.ts'
import { touchListings } from '../store.ts'
import * as store from './store.ts'

export {
  deleteExpired as deleteExpiredInvitations,
  findInvitation,
  findMembership,
  type Invitation,
  listInvitations,
  listInvitationsTo,
  listMembers,
  type Member,
} from './store.ts'

/** Open invitations of an agency, and its members. */
const MAX_INVITATIONS = 50
const MAX_MEMBERS = 500

/** The agency this agent owns; not_found for everyone else. */
export async function requireOwned(db: Sql, agentId: string): Promise<string> {
  const membership = await store.findMembership(db, agentId)
  if (!membership?.is_agency_admin) throw new Problem('not_found')
  return membership.agency_id
}

/** As an agent, or as the assistant of a verified agent of the agency. Nothing happens until the person accepts. */
export async function invite(db: Db, ownerId: string, sent: { email: string; assists: string }) {
  const agencyId = await requireOwned(db, ownerId)
  const { email } = readAll({ email: emailField }, { email: sent.email })
  const members = await store.listMembers(db, agencyId)
  if (members.some(one => one.email.toLowerCase() === email.toLowerCase()))
    refuseIfAny([issue('email', 'already_member')])
  const principal = members.find(({ id, verified_at }) => id === sent.assists && verified_at)
  if (sent.assists !== '' && !principal) refuseIfAny([issue('assists', 'not_a_colleague')])
  if (members.length >= MAX_MEMBERS || (await store.listInvitations(db, agencyId)).length >= MAX_INVITATIONS)
    refuseIfAny([issue('', 'too_many_invitations', { max: MAX_INVITATIONS })])
  await db.transaction().execute(async tx => {
    const id = await store.upsertInvitation(tx, {
      agency_id: agencyId,
      email,
      assists_id: principal?.id ?? null,
      invited_by: ownerId,
    })
    await requestLetter(
      tx,
      { kind: 'invitation', agentId: ownerId, ids: [id] },
      { to: email, isProven: false },
    )
  })
}

export async function withdrawInvitation(db: Db, ownerId: string, id: string): Promise<void> {
  const agencyId = await requireOwned(db, ownerId)
  const invitation = await store.findInvitation(db, id)
  if (invitation?.agency_id !== agencyId) throw new Problem('not_found')
  await store.deleteInvitation(db, id)
}

/** By the account with the invited address. Listings carry the agency, so they count as changed. */
export async function answerInvitation(db: Db, agentId: string, id: string, isAccepted: boolean) {
  await db.transaction().execute(async tx => {
    const invitation = (await store.listInvitationsTo(tx, agentId)).find(one => one.id === id)
    if (!invitation || !(await store.deleteInvitation(tx, id))) throw new Problem('not_found')
    if (!isAccepted) return
    const { agency_id: agencyId, assists_id: assistsId } = invitation
    const account = await store.findAccount(tx, agentId)
    if (assistsId) {
      const principal = await store.findAccount(tx, assistsId)
      if (principal?.agency_id !== agencyId) throw new Problem('not_found')
      if (account?.verified_at || account?.is_operator) refuseIfAny([issue('', 'assistant_with_license')])
    }
    await store.updateMembership(tx, agentId, { agencyId, assistsId })
    await touchListings(tx, agentId)
  })
}

/** Takes effect with the next request of whoever is removed. Owners are appointed and removed by the operator. */
export async function removeMember(db: Db, ownerId: string, memberId: string): Promise<void> {
  await atomically(db, async tx => {
    const agencyId = await requireOwned(tx, ownerId)
    const member = await store.findAccount(tx, memberId)
    if (member?.agency_id !== agencyId || member.is_agency_admin) throw new Problem('not_found')
    await store.updateMembership(tx, member.id, { agencyId: null })
    await touchListings(tx, member.id)
  })
}

export async function leaveAgency(db: Db, agentId: string): Promise<void> {
  await atomically(db, async tx => {
    await store.updateMembership(tx, agentId, { agencyId: null })
    await touchListings(tx, agentId)
  })
}
