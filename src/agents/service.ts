import { hash } from '@node-rs/argon2'
import type { Db, Sql } from '../db/database.ts'
import { isEmail } from '../lib/email.ts'
import { normalisePhone } from '../lib/phone.ts'
import { Problem, refuseIfAny } from '../lib/problem.ts'
import { kebab, uniqueSlug } from '../lib/slug.ts'
import { foldText } from '../lib/text.ts'
import { canonicalState } from '../lookups/states.ts'
import * as store from './store.ts'

export { findProfile, listActiveAgencies, listAgents, listPublicAgents } from './store.ts'

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

const MIN_PASSWORD = 10

export async function createAgent(db: Db, input: NewAgent) {
  const name = input.name.trim()
  const email = input.email.trim()
  const phone = input.phone ? normalisePhone(input.phone) : null
  const licenseState = input.licenseState ? canonicalState(input.licenseState) : null
  const errors: string[] = []
  if (name === '') errors.push('name must not be empty')
  if (!isEmail(email)) errors.push('email must look like name@example.com')
  if (phone === undefined) errors.push('phone must be a Mexican or international number')
  if (licenseState === undefined) errors.push('license-state must be a Mexican state')
  if (input.password !== undefined && input.password.length < MIN_PASSWORD) {
    errors.push(`password must be at least ${MIN_PASSWORD} characters`)
  }
  refuseIfAny(errors)
  const passwordHash = input.password ? await hash(input.password) : null
  return db.transaction().execute(async tx => {
    if (await store.findAgentByEmail(tx, email)) {
      throw new Problem('conflict', { message: `There is already an agent with the e-mail ${email}.` })
    }
    return store.insertAgent(tx, {
      email,
      name,
      name_fold: foldText(name),
      slug: await freeSlug(tx, 'agents', name, 'agente'),
      phone: phone ?? null,
      agency_id: input.agency ? await agencyNamed(tx, input.agency) : null,
      license_number: input.licenseNumber?.trim() || null,
      license_state: licenseState ?? null,
      is_test: input.test ?? false,
      password_hash: passwordHash,
      verified_at: input.verified ? new Date() : null,
    })
  })
}

async function freeSlug(db: Sql, table: 'agents' | 'agencies', name: string, fallback: string) {
  const plain = kebab(name, fallback)
  return (await store.isSlugFree(db, table, plain)) ? plain : uniqueSlug(name, fallback)
}

/** The agency of that name, created at its first agent. */
async function agencyNamed(db: Sql, name: string): Promise<string> {
  const nameFold = foldText(name)
  const existing = await store.findAgencyByName(db, nameFold)
  if (existing) return existing.id
  const slug = await freeSlug(db, 'agencies', name, 'inmobiliaria')
  return (
    await store.insertAgency(db, {
      name: name.trim(),
      name_fold: nameFold,
      slug,
      logo_url: null,
      active: true,
    })
  ).id
}

export async function findAgentByEmail(db: Sql, email: string) {
  const agent = await store.findAgentByEmail(db, email)
  if (!agent) throw new Problem('not_found', { message: `There is no agent with the e-mail ${email}.` })
  return agent
}

/** Verifying or unverifying an agent shows or hides everything the agent has, at once. */
export function setVerified(db: Db, email: string, verified: boolean) {
  return db.transaction().execute(async tx => {
    const agent = await findAgentByEmail(tx, email)
    if ((agent.verified_at !== null) !== verified) {
      await store.updateVerified(tx, agent.id, verified)
      await store.touchListings(tx, agent.id)
    }
    return { ...agent, verified }
  })
}
