import { atomically, type Sql } from '../../db/database.ts'
import { filled, readAll } from '../../lib/fields.ts'
import { issue } from '../../lib/issue.ts'
import { Problem } from '../../lib/problem.ts'
import { foldText } from '../../lib/text.ts'
import * as agencyStore from '../agencies/store.ts'
import { MAX_NAME } from '../fields.ts'
import { agencyNamed, markVerified, signOutEverywhere } from '../service.ts'
import * as store from '../store.ts'
import { updateMembership } from '../teams/store.ts'

/** Operator decisions on agents and agencies. Changes to public data also touch the listings. */

export { listAllAgencies } from '../agencies/store.ts'
export { searchAgents } from '../store.ts'

export async function findAgent(db: Sql, id: string) {
  const agent = await store.findAgentForOperator(db, id)
  if (!agent) throw new Problem('not_found')
  return agent
}

export function verifyAgent(db: Sql, id: string, verified: boolean) {
  return atomically(db, async tx => {
    const agent = await findAgent(tx, id)
    await markVerified(tx, agent, verified)
    return agent
  })
}

export function signOutAgent(db: Sql, id: string) {
  return atomically(db, async tx => {
    const agent = await findAgent(tx, id)
    await signOutEverywhere(tx, agent.id)
    return agent
  })
}

export function setTestAccount(db: Sql, id: string, isTest: boolean) {
  return atomically(db, async tx => {
    const agent = await findAgent(tx, id)
    await store.updateAgent(tx, agent.id, { is_test: isTest })
    await store.touchListings(tx, agent.id)
    return agent
  })
}

/** An empty agency id removes the agent from their agency. */
export function assignAgency(db: Sql, id: string, agencyId: string, isAdmin: boolean) {
  return atomically(db, async tx => {
    const agent = await findAgent(tx, id)
    const agency = agencyId === '' ? undefined : await requireAgency(tx, agencyId)
    const home = agency?.id ?? null
    if (home !== agent.agency_id) await updateMembership(tx, agent.id, { agencyId: home })
    await store.updateAgent(tx, agent.id, {
      agency_id: home,
      is_agency_admin: home !== null && isAdmin,
      agency_wanted: null,
      // An owner assists nobody.
      ...(isAdmin && { assists_id: null }),
    })
    await store.touchListings(tx, agent.id)
    return { agent, agency }
  })
}

async function requireAgency(db: Sql, id: string) {
  const agency = await agencyStore.findAgency(db, id)
  if (!agency) throw new Problem('not_found')
  return agency
}

export function createAgency(db: Sql, wanted: string) {
  const { name } = readAll({ name: filled({ min: 2, max: MAX_NAME }) }, { name: wanted })
  return atomically(db, async tx => {
    if (await agencyStore.findAgencyByName(tx, foldText(name))) {
      throw new Problem('conflict', { issues: [issue('', 'agency_exists')] })
    }
    const { id } = await agencyNamed(tx, name)
    return { id, name }
  })
}

export function setAgencyActive(db: Sql, id: string, active: boolean) {
  return atomically(db, async tx => {
    const agency = await requireAgency(tx, id)
    await agencyStore.updateAgency(tx, agency.id, { active })
    const members = await agencyStore.listColleagues(tx, agency.id)
    for (const { id } of members) await store.touchListings(tx, id)
    return agency
  })
}
