import { atomically, type Db, type Sql, type Tx, violates } from '../db/database.ts'
import { emailField } from '../lib/email.ts'
import { filled, orBlank, readAll } from '../lib/fields.ts'
import { onOneLine } from '../lib/names.ts'
import { phoneField } from '../lib/phone.ts'
import { Problem } from '../lib/problem.ts'
import { kebab, uniqueSlug } from '../lib/slug.ts'
import { foldText } from '../lib/text.ts'
import { plainStateField } from '../lookups/fields.ts'
import { requestNotice } from '../outbox/store.ts'
import { endSessions } from '../portal/sessions.ts'
import { hashPassword, passwordIssues } from './accounts/passwords.ts'
import * as agencyStore from './agencies/store.ts'
import * as store from './store.ts'

export { confirmPassword, issueToken, setPassword, signOutEverywhere } from './accounts/service.ts'
export { listActiveAgencies } from './agencies/store.ts'
export {
  countMembers,
  deleteUnconfirmed,
  findByCalendarKey,
  findCalendarKey,
  findProfile,
  findRecipient,
  idsOfAgents,
  listAgents,
  listColleagues,
  listContacts,
  lockAgent,
  type PublicAgent,
  renewCalendarKey,
  updateLang as setLang,
} from './store.ts'

export interface NewAgent {
  name: string
  email: string
  phone?: string | undefined
  agency?: string | undefined
  licenseNumber?: string | undefined
  licenseState?: string | undefined
  password?: string | undefined
  verified?: boolean | undefined
  test?: boolean | undefined
}

const newAgentFields = {
  name: onOneLine(filled({ max: 200 })),
  email: emailField,
  phone: orBlank(phoneField),
  'license-state': orBlank(plainStateField),
}

export async function createAgent(db: Db, input: NewAgent): ReturnType<typeof store.insertAgent> {
  const sent = { ...input, phone: input.phone ?? null, 'license-state': input.licenseState ?? null }
  const issues = input.password === undefined ? [] : await passwordIssues(input.password)
  const { name, email, phone, 'license-state': licenseState } = readAll(newAgentFields, sent, issues)
  const passwordHash = input.password ? await hashPassword(input.password) : null
  const taken = new Problem('conflict', { message: `There is already an agent with the email ${email}.` })
  const work = db.transaction().execute(async tx => {
    if (await store.findAgentByEmail(tx, email)) throw taken
    return store.insertAgent(tx, {
      email,
      name,
      name_fold: foldText(name),
      slug: await freeSlug(name, 'agente', slug => store.isSlugFree(tx, slug)),
      phone,
      agency_id: input.agency ? (await agencyNamed(tx, input.agency)).id : null,
      license_number: input.licenseNumber?.trim() || null,
      license_state: licenseState,
      is_test: input.test ?? false,
      password_hash: passwordHash,
      verified_at: input.verified ? new Date() : null,
      // The operator vouches for this address; on sign-up the agent confirms it.
      email_confirmed_at: new Date(),
    })
  })
  // The unique index decides between concurrent inserts.
  return work.catch(error => {
    if (violates(error, 'agents_slug_key')) return createAgent(db, input)
    throw violates(error, 'agents_email') ? taken : error
  })
}

async function freeSlug(name: string, fallback: string, isFree: (slug: string) => Promise<boolean>) {
  const plain = kebab(name, fallback)
  return (await isFree(plain)) ? plain : uniqueSlug(name, fallback)
}

/** The agency of that name, created with its first agent. */
export async function agencyNamed(db: Sql, name: string): Promise<{ id: string; isNew: boolean }> {
  const nameFold = foldText(name)
  const existing = await agencyStore.findAgencyByName(db, nameFold)
  if (existing) return { id: existing.id, isNew: false }
  const slug = await freeSlug(name, 'inmobiliaria', slug => agencyStore.isSlugFree(db, slug))
  const { id } = await agencyStore.insertAgency(db, {
    name: name.trim(),
    name_fold: nameFold,
    slug,
    logo_url: null,
    active: true,
  })
  return { id, isNew: true }
}

export async function findAgentByEmail(db: Sql, email: string) {
  const agent = await store.findAgentByEmail(db, email)
  if (!agent) throw new Problem('not_found', { message: `There is no agent with the email ${email}.` })
  return agent
}

/** Verifying shows the agent's published listings at once; unverifying hides them and ends the sessions. */
export function setVerified(db: Sql, email: string, verified: boolean) {
  return atomically(db, async tx => {
    const agent = await findAgentByEmail(tx, email)
    await markVerified(tx, agent, verified)
    return { ...agent, verified }
  })
}

export async function markVerified(
  tx: Tx,
  agent: { id: string; verified_at: Date | null },
  verified: boolean,
): Promise<void> {
  if ((agent.verified_at !== null) === verified) return
  await store.updateVerified(tx, agent.id, verified)
  await store.touchListings(tx, agent.id)
  if (verified) await requestNotice(tx, { kind: 'licence', agentId: agent.id, ids: [] })
  else await endSessions(tx, agent.id)
}

/** Operators have exclusive access to /portal/operator. */
export function setOperator(db: Db, email: string, isOperator: boolean) {
  return db.transaction().execute(async tx => {
    const agent = await findAgentByEmail(tx, email)
    await store.updateAccount(tx, agent.id, { is_operator: isOperator })
    return agent
  })
}
